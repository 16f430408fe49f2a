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
  /** The agent's own message, kept beside the event. */
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
  | { type: "turn.ended"; reason?: TurnEndReason; usage?: Usage }
  | { type: "error"; error: ErrorData }
  | { type: "agent.unparsed"; unparsed: AgentUnparsedData }
  /** The agent ended the conversation of its own accord. */
  | { type: "session.ended" }
  /** The agent's process is gone. */
  | { type: "agent.exited"; exit: AgentExit };

export type Draft = DraftBody & DraftOrigin;

export interface AgentExit {
  /** null when a signal ended it. */
  code: number | null;
  message: string;
  stderr: StderrExcerpt;
}
