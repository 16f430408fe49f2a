/**
 * What tells one ACP agent from another: how it is started and where it departs from the protocol. The program itself
 * is found by the installer under the same id.
 */
import type { QuestionData } from "@sandbox-agent/schema";
import type { Draft } from "../draft.ts";

export interface AcpProfile {
  id: string;
  name: string;
  /** Behind the program. */
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Variables of the daemon that it gets although they hold secrets. */
  inheritEnv?: readonly string[];
  /** Provider → variable its key goes into ("anthropic" → "ANTHROPIC_API_KEY"). */
  keys?: Readonly<Record<string, string>>;
  /** Provider → variable its endpoint goes into. */
  endpoints?: Readonly<Record<string, string>>;
  /** Sent with `authenticate` before the first session. */
  authMethod?: string;
  /** Whether its model can ask the user. The protocol does not tell. */
  asksQuestions?: boolean;
  extensions?: AcpExtensions;
}

/** Messages beyond the protocol that a vendor's agent sends. null = not one of them. */
export interface AcpExtensions {
  request?(method: string, params: unknown): ExtensionRequest | null;
  notification?(method: string, params: unknown): Draft[] | null;
}

/** A vendor's request is answered at once, or with what the client says to a question. */
export type ExtensionRequest =
  | { kind: "notice"; drafts: Draft[]; result: unknown }
  | {
      kind: "question";
      question: Omit<QuestionData, "question_id" | "status" | "response">;
      /** `null` = the question was rejected. */
      result(answers: string[][] | null): unknown;
      /** The result when the turn is aborted. */
      cancelled: unknown;
    };
