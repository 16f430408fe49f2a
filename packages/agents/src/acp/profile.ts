/**
 * The profile of an ACP agent: how it is started and how it deviates from the protocol. The installer finds the program
 * under the same id.
 */
import type { QuestionData } from "@sandbox-agent/schema";
import type { Draft } from "../draft.ts";

export interface AcpProfile {
  id: string;
  name: string;
  /** Arguments of the program. */
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Variables of the daemon that it gets although they hold secrets. */
  inheritEnv?: readonly string[];
  /** Variable that takes the key, by provider ("anthropic" → "ANTHROPIC_API_KEY"). */
  keys?: Readonly<Record<string, string>>;
  /** Variable that takes the base URL, by provider. */
  endpoints?: Readonly<Record<string, string>>;
  /** Sent with `authenticate` before the first session. */
  authMethod?: string;
  /** Whether its model can ask the user. The protocol does not report this. */
  asksQuestions?: boolean;
  extensions?: AcpExtensions;
}

/** Handles messages of a vendor beyond the protocol. null = not such a message. */
export interface AcpExtensions {
  request?(method: string, params: unknown): ExtensionRequest | null;
  notification?(method: string, params: unknown): Draft[] | null;
}

/** A vendor's request is answered at once, or with the reply to a question. */
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
