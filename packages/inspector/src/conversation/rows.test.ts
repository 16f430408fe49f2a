import type { ContentPart, TranscriptItem } from "sandbox-agent";
import { describe, expect, test } from "vitest";
import { type Row, type RowSource, rowsOf } from "./rows.ts";

let sequence = 0;
function item(id: string, kind: TranscriptItem["kind"], content: ContentPart[], parent: string | null = null) {
  const made: TranscriptItem = {
    item_id: id,
    native_item_id: null,
    parent_id: parent,
    kind,
    role: "assistant",
    status: "completed",
    content,
    sequence: ++sequence,
    turn_id: null,
  };
  return made;
}

function conversation(part: Partial<RowSource>): RowSource {
  return {
    sessionId: "s",
    status: "idle",
    lastSequence: sequence,
    items: [],
    turns: [],
    errors: [],
    requests: { permissions: [], questions: [] },
    resolved: { permissions: [], questions: [] },
    queue: [],
    usage: {},
    ended: null,
    ...part,
  };
}

function outline(rows: readonly Row[]): unknown[] {
  return rows.map((row) => {
    if (row.kind !== "item") return row.kind;
    const name = row.result ? `${row.item.item_id}+${row.result.item_id}` : row.item.item_id;
    return row.nested.length > 0 ? [name, ...outline(row.nested)] : name;
  });
}

const call = (id: string): ContentPart => ({ type: "tool_call", name: "t", arguments: "{}", call_id: id });
const result = (id: string): ContentPart => ({ type: "tool_result", call_id: id, output: "" });

describe("rows of a conversation", () => {
  test("a result is shown with its call, items of a subagent below theirs", () => {
    const items = [
      item("task", "tool_call", [call("1")]),
      item("text", "message", [], "task"),
      item("inner", "tool_call", [call("2")], "task"),
      item("innerResult", "tool_result", [result("2")], "task"),
      item("taskResult", "tool_result", [result("1")]),
      item("end", "message", []),
    ];
    expect(outline(rowsOf(conversation({ items })))).toEqual([["task+taskResult", "text", "inner+innerResult"], "end"]);
  });

  test("results and items without their call or parent are rows of their own", () => {
    const items = [item("lost", "tool_result", [result("9")]), item("orphan", "message", [], "missing")];
    expect(outline(rowsOf(conversation({ items })))).toEqual(["lost", "orphan"]);
  });

  test("errors and ends of turns are in order, open requests are last", () => {
    const first = item("first", "message", []);
    const error = { sequence: ++sequence, message: "no", code: null };
    const second = item("second", "message", []);
    const turn = {
      turnId: null,
      messageId: null,
      firstSequence: first.sequence,
      lastSequence: ++sequence,
      reason: "aborted",
      usage: null,
    };
    const permission = { permission_id: "p", action: "run", status: "requested" as const };
    const rows = rowsOf(
      conversation({
        items: [first, second],
        errors: [error],
        turns: [turn],
        requests: { permissions: [permission], questions: [] },
        status: "waiting",
      }),
    );
    expect(outline(rows)).toEqual(["first", "error", "second", "turn", "permission"]);
  });

  test("a completed turn without usage has no row", () => {
    const turn = { turnId: null, messageId: null, firstSequence: 1, lastSequence: 2, reason: "completed", usage: null };
    expect(rowsOf(conversation({ turns: [turn], status: "running" }))).toMatchObject([{ kind: "working" }]);
  });

  test("answers are in order, after the call that needed them", () => {
    const before = item("call", "tool_call", [call("1")]);
    const permission = { permission_id: "p", action: "run", status: "approved" as const, sequence: ++sequence };
    const after = item("end", "message", []);
    const resolved = { permissions: [permission], questions: [] };
    expect(outline(rowsOf(conversation({ items: [before, after], resolved })))).toEqual(["call", "answer", "end"]);
  });
});
