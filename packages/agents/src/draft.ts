/**
 * Drafts: events as an agent emits them, before the daemon turns them into universal events. Items have the agent's own
 * ids; the daemon assigns item ids, adds missing starts and deltas, and closes items that were left open.
 */
import type {
  AgentUnparsedData,
  ContentPart,
  ErrorData,
  ItemKind,
  ItemRole,
  PermissionData,
  QuestionData,
  StderrExcerpt,
  TurnEndReason,
  Usage,
} from "@sandbox-agent/schema";

export interface DraftItem {
  native_item_id: string;
  /** The agent's id of the item this one belongs to. */
  native_parent_id?: string;
  kind: ItemKind;
  role: ItemRole | null;
  content: ContentPart[];
}

interface DraftOrigin {
  /** The agent's own message, stored with the event: a value, or `NativeText`. */
  raw?: unknown;
  /** Added by the daemon; the agent sent no such message. */
  synthetic?: boolean;
}

type DraftBody =
  | { type: "item.started"; item: DraftItem }
  | { type: "item.delta"; native_item_id: string; delta: string }
  | { type: "item.completed"; item: DraftItem; failed?: boolean }
  | { type: "permission.requested"; permission: Omit<PermissionData, "status"> }
  | { type: "question.requested"; question: Omit<QuestionData, "status" | "response"> }
  /** The agent has withdrawn a permission request or question. */
  | { type: "request.withdrawn"; request_id: string }
  /** The agent started a turn on its own, without a message. */
  | { type: "turn.started" }
  | { type: "turn.ended"; reason?: TurnEndReason; usage?: Usage }
  | { type: "error"; error: ErrorData }
  | { type: "agent.unparsed"; unparsed: AgentUnparsedData }
  /** The agent's id for this conversation, when it becomes known or changes. Not an event: events carry the id. */
  | { type: "session.identified"; native_session_id: string }
  /** The agent ended the conversation on its own. */
  | { type: "session.ended" }
  /** The agent's process has exited. The daemon closes the agent session and opens it again with the next turn. */
  | { type: "agent.exited"; exit: AgentExit };

export type Draft = DraftBody & DraftOrigin;

/** A message as the JSON text that was received, so that it need not be serialized again for storage. */
export class NativeText {
  constructor(readonly json: string) {}
}

export interface AgentExit {
  /** null if it was killed by a signal. */
  code: number | null;
  message: string;
  stderr: StderrExcerpt;
}
