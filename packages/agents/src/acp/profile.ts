/**
 * The profile of an ACP agent: how it is started and how it differs from the protocol. The installer finds its program by the
 * same id.
 */
import type { QuestionData } from "@sandbox-agent/schema";
import type { Draft } from "../draft.ts";

export interface AcpProfile {
  id: string;
  name: string;
  /** Arguments of the program. */
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Variables of the daemon that the agent inherits although they hold secrets. */
  inheritEnv?: readonly string[];
  /** The variable that the key is passed in, by provider ("anthropic" → "ANTHROPIC_API_KEY"). */
  keys?: Readonly<Record<string, string>>;
  /** The variable that the base URL is passed in, by provider. */
  endpoints?: Readonly<Record<string, string>>;
  /** The login method, which is sent with `authenticate` before the first session. */
  authMethod?: string;
  /** Whether its model can ask the user questions. The protocol does not report this. */
  asksQuestions?: boolean;
  extensions?: AcpExtensions;
}

/** Handles messages that a vendor adds to the protocol. null = the message is not one of these. */
export interface AcpExtensions {
  request?(method: string, params: unknown): ExtensionRequest | null;
  notification?(method: string, params: unknown): Draft[] | null;
}

/** A vendor's request is answered at once (`notice`), or when the user has answered a question (`question`). */
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
