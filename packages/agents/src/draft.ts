/**
 * Drafts: what an agent has to say, before the daemon makes universal events of it. Items are named by the agent's own
 * ids; the daemon gives them item ids, fills in missing starts and deltas, and closes what was left open.
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
  /** The agent's own message, kept beside the event: a value, or `NativeText`. */
  raw?: unknown;
  /** Not said by the agent but filled in for it. */
  synthetic?: boolean;
}

type DraftBody =
  | { type: "item.started"; item: DraftItem }
  | { type: "item.delta"; native_item_id: string; delta: string }
  | { type: "item.completed"; item: DraftItem; failed?: boolean }
  | { type: "permission.requested"; permission: Omit<PermissionData, "status"> }
  | { type: "question.requested"; question: Omit<QuestionData, "status" | "response"> }
  /** The agent no longer wants the answer to a permission or question. */
  | { type: "request.withdrawn"; request_id: string }
  /** The agent began a turn of its own accord, without a message. */
  | { type: "turn.started" }
  | { type: "turn.ended"; reason?: TurnEndReason; usage?: Usage }
  | { type: "error"; error: ErrorData }
  | { type: "agent.unparsed"; unparsed: AgentUnparsedData }
  /** The agent's id for this conversation, now that it is known or has changed. Not an event: events carry it. */
  | { type: "session.identified"; native_session_id: string }
  /** The agent ended the conversation of its own accord. */
  | { type: "session.ended" }
  /** The agent's process is gone. The daemon closes the session with the agent and opens it again with the next turn. */
  | { type: "agent.exited"; exit: AgentExit };

export type Draft = DraftBody & DraftOrigin;

/** A message as the JSON text it came as, which need not be made again to be stored. */
export class NativeText {
  constructor(readonly json: string) {}
}

export interface AgentExit {
  /** null when a signal ended it. */
  code: number | null;
  message: string;
  stderr: StderrExcerpt;
}
