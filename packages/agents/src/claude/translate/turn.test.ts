import { describe, expect, test } from "vitest";
import { createTurn } from "./turn.ts";

const result = { type: "result", subtype: "success", is_error: false, result: "", terminal_reason: "completed" };

/** A turn that a message has opened and the agent has begun. */
function runningTurn() {
  const turn = createTurn();
  turn.send("opener");
  turn.onInit({});
  return turn;
}

function types(drafts: readonly { type: string }[]): string[] {
  return drafts.map(({ type }) => type);
}

test("a result ends the turn once", () => {
  const turn = runningTurn();
  expect(types(turn.result(result))).toEqual(["turn.ended"]);
  expect(turn.result(result)).toEqual([]);
});

test("what begins without a message is a turn of the agent's own", () => {
  const turn = createTurn();
  expect(types(turn.onInit({}))).toEqual(["turn.started"]);
  expect(types(turn.result(result))).toEqual(["turn.ended"]);
});

test("a message that waits to be read keeps the turn open", () => {
  const turn = runningTurn();
  turn.steer("second");
  expect(turn.result(result)).toEqual([]);
  turn.onInit({});
  turn.onRead("second");
  expect(types(turn.result(result))).toEqual(["turn.ended"]);
});

describe("the end of a turn that the agent had begun just before ours", () => {
  const own = { ...result, origin: { kind: "task-notification" } };

  test("is not the end of ours", () => {
    const turn = runningTurn();
    expect(turn.result(own)).toEqual([]);
    turn.onInit({});
    expect(types(turn.result(result))).toEqual(["turn.ended"]);
  });

  test("is the end of ours when our message was read in it", () => {
    const turn = runningTurn();
    turn.onRead("opener");
    expect(types(turn.result(own))).toEqual(["turn.ended"]);
  });
});

test.each([
  [
    { terminal_reason: "aborted_streaming", subtype: "error_during_execution", is_error: true, errors: ["noise"] },
    "aborted",
    [],
  ],
  [{ is_error: true, result: "API Error: 500", api_error_status: 500 }, "failed", ["provider_error"]],
  [{ subtype: "error_max_turns", is_error: true, errors: ["too many"] }, "failed", ["max_turns"]],
])("%j ends it as %s", (change, reason, codes) => {
  const drafts = runningTurn().result({ ...result, ...change });
  expect(drafts.at(-1)).toMatchObject({ type: "turn.ended", reason });
  expect(drafts.flatMap((draft) => (draft.type === "error" ? [draft.error.code] : []))).toEqual(codes);
});

test("rejected credentials are reported once, and the interrupt that follows is a failure", () => {
  const turn = runningTurn();
  const error = { message: "no", code: "auth_invalid" };
  expect(types([...turn.rejectCredentials(error, {}), ...turn.rejectCredentials(error, {})])).toEqual(["error"]);
  expect(turn.result({ ...result, terminal_reason: "aborted_streaming" })).toMatchObject([{ reason: "failed" }]);
});

test("a message opens a new turn: nothing is left of the one before", () => {
  const turn = runningTurn();
  expect([turn.open, turn.running, turn.credentialsRejected]).toEqual([true, true, false]);
  turn.steer("second");
  turn.fail({ message: "no" });
  turn.rejectCredentials({ message: "no", code: "auth_invalid" }, {});
  expect([turn.unread.size, turn.credentialsRejected]).toEqual([1, true]);
  turn.send("third");
  expect([turn.open, turn.running, turn.credentialsRejected, turn.unread.size]).toEqual([true, false, false, 0]);
  expect(turn.result(result)).toMatchObject([{ type: "turn.ended", reason: "completed" }]);
  expect([turn.open, turn.running]).toEqual([false, false]);
});

test.each([
  ["text", "meanwhile", "text"],
  ["", "meanwhile", "meanwhile"],
  ["", null, "the model call failed"],
])("a failed turn with the result %j, after the failure %j, has the message %j", (text, before, message) => {
  const turn = runningTurn();
  if (before) turn.fail({ message: before });
  expect(turn.result({ ...result, is_error: true, result: text })).toMatchObject([{ error: { message } }, {}]);
});

test.each([
  [{ subtype: "error_max_turns", errors: [], is_error: true }, "the turn ended with max_turns"],
  [{ subtype: "error_during_execution", errors: ["a", "b"], is_error: true }, "a\nb"],
])("%j is an error in its own words", (fields, message) => {
  expect(runningTurn().result({ type: "result", ...fields })).toMatchObject([{ error: { message } }, {}]);
});

test("an error subtype that is marked as none is none", () => {
  const fields = { type: "result", subtype: "error_during_execution", is_error: false };
  expect(runningTurn().result(fields)).toMatchObject([{ type: "turn.ended", reason: "completed" }]);
});
