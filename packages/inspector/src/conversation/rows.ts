/**
 * Arranges the transcript as rows. The result of a tool is shown with its call, items of a subagent below the call that started
 * it, answers, errors and ends of turns by sequence, and open requests last.
 */
import type { SessionEndedData, TranscriptItem, TranscriptResponse, TranscriptTurn } from "sandbox-agent";

export type Permission = TranscriptResponse["requests"]["permissions"][number];
export type Question = TranscriptResponse["requests"]["questions"][number];

export interface ItemRow {
  kind: "item";
  key: string;
  sequence: number;
  item: TranscriptItem;
  /** The result of a tool call. */
  result: TranscriptItem | null;
  /** Items of a subagent. */
  nested: ItemRow[];
}

export type Row =
  | ItemRow
  | { kind: "turn"; key: string; sequence: number; turn: TranscriptTurn }
  | { kind: "error"; key: string; sequence: number; error: TranscriptResponse["errors"][number] }
  | { kind: "answer"; key: string; sequence: number; answer: Permission | Question }
  | { kind: "permission"; key: string; sequence: number; permission: Permission }
  | { kind: "question"; key: string; sequence: number; question: Question }
  | { kind: "ended"; key: string; sequence: number; ended: SessionEndedData }
  | { kind: "working"; key: string; sequence: number };

export interface RowSource extends TranscriptResponse {
  ended: SessionEndedData | null;
}

export function rowsOf({ items, turns, errors, requests, resolved, status, lastSequence, ended }: RowSource): Row[] {
  const notes: Row[] = [
    ...turns.flatMap((turn) => turnRow(turn) ?? []),
    ...errors.map((error): Row => ({ kind: "error", key: `error ${error.sequence}`, sequence: error.sequence, error })),
    ...[...resolved.permissions, ...resolved.questions].map(
      (answer): Row => ({ kind: "answer", key: `answer ${answer.sequence}`, sequence: answer.sequence, answer }),
    ),
  ];
  const open: Row[] = [
    ...requests.permissions.map(
      (permission): Row => ({
        kind: "permission",
        key: `permission ${permission.permission_id}`,
        sequence: lastSequence,
        permission,
      }),
    ),
    ...requests.questions.map(
      (question): Row => ({
        kind: "question",
        key: `question ${question.question_id}`,
        sequence: lastSequence,
        question,
      }),
    ),
  ];
  if (status === "running") open.push({ kind: "working", key: "working", sequence: lastSequence });
  if (status === "ended" && ended) open.push({ kind: "ended", key: "ended", sequence: lastSequence, ended });
  const closed = [...itemRows(items), ...notes];
  // Each part is sorted already, which makes this cheap.
  closed.sort((a, b) => a.sequence - b.sequence);
  return [...closed, ...open];
}

function itemRows(items: readonly TranscriptItem[]): ItemRow[] {
  const top: ItemRow[] = [];
  const byItem = new Map<string, ItemRow>();
  const byCall = new Map<string, ItemRow>();
  for (const item of items) {
    const call = item.kind === "tool_result" ? byCall.get(callIdOf(item) ?? "") : undefined;
    if (call && !call.result) {
      call.result = item;
      continue;
    }
    const row: ItemRow = { kind: "item", key: item.item_id, sequence: item.sequence, item, result: null, nested: [] };
    byItem.set(item.item_id, row);
    const callId = item.kind === "tool_call" ? callIdOf(item) : null;
    if (callId) byCall.set(callId, row);
    const parent = item.parent_id === null ? undefined : byItem.get(item.parent_id);
    (parent?.nested ?? top).push(row);
  }
  return top;
}

function callIdOf({ content }: TranscriptItem): string | null {
  for (const part of content) if (part.type === "tool_call" || part.type === "tool_result") return part.call_id;
  return null;
}

/** A completed turn without usage has no row. */
function turnRow(turn: TranscriptTurn): Row | null {
  const { lastSequence, reason, usage } = turn;
  if (lastSequence === null || (!usage && reason === "completed")) return null;
  return { kind: "turn", key: `turn ${turn.firstSequence}`, sequence: lastSequence, turn };
}

/** Whether two rows render the same. Items are replaced when they change, so references are compared. */
export function sameRow(a: Row, b: Row): boolean {
  if (a.kind === "item" && b.kind === "item") {
    return (
      a.item === b.item &&
      a.result === b.result &&
      a.nested.length === b.nested.length &&
      a.nested.every((row, index) => sameRow(row, b.nested[index] ?? row))
    );
  }
  if (a.kind === "turn" && b.kind === "turn") return a.turn === b.turn;
  if (a.kind === "permission" && b.kind === "permission") return a.permission === b.permission;
  if (a.kind === "question" && b.kind === "question") return a.question === b.question;
  if (a.kind === "ended" && b.kind === "ended") return a.ended === b.ended;
  return a.kind === b.kind && a.key === b.key;
}
