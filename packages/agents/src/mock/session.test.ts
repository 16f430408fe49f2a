import { describe, expect, test } from "vitest";
import type { Draft } from "../draft.ts";
import { isEnd, line, spec } from "./mock-drafts.ts";
import { openMockSession } from "./session.ts";

/** A mock session whose drafts are collected, and looked at by `onDraft` before the sink takes them. */
function conversation(onDraft: (draft: Draft) => Promise<void> = async () => {}) {
  const drafts: Draft[] = [];
  let wake = () => {};
  const session = openMockSession(spec, {
    async emit(batch) {
      drafts.push(...batch);
      wake();
      for (const draft of batch) await onDraft(draft);
    },
  });

  /** Resolves when the drafts satisfy a condition. */
  async function until(condition: (drafts: Draft[]) => boolean): Promise<void> {
    while (!condition(drafts)) await new Promise<void>((resolve) => (wake = resolve));
  }

  const send = (text: string, number = 1) => session.send({ number, text, attachments: [] });
  return { session, drafts, until, send };
}

/** A whole turn of another session with longer pauses: a script that still runs would have emitted something by its end. */
async function otherWorkDone(): Promise<void> {
  const { until, send } = conversation();
  await send("slow 3 5");
  await until(hasEnded);
}

function hasEnded(drafts: Draft[]): boolean {
  return drafts.some(isEnd);
}

test("the native session id is made from the session id", () => {
  expect(conversation().session.nativeSessionId).toBe("mock-s");
});

test("nothing follows the end of a turn", async () => {
  const { drafts, until, send } = conversation();
  await send("hello");
  await until(hasEnded);
  await otherWorkDone();
  expect(drafts.map(line)).toEqual(["item.started mock_1_reply", "item.completed mock_1_reply", "turn.ended"]);
});

describe("a turn that asks", () => {
  const asking = [
    ["permission", ["permission.requested mock_3_permission", "permission.requested mock_3_permission_denied"]],
    ["permissions", ["permission.requested mock_3_permission", "permission.requested mock_3_permission_denied"]],
    ["permission1", ["permission.requested mock_3_permission"]],
    ["question", ["question.requested mock_3_question", "question.requested mock_3_question_reject"]],
    ["questions", ["question.requested mock_3_question", "question.requested mock_3_question_reject"]],
    ["question1", ["question.requested mock_3_question"]],
  ] as const;

  test.each(asking)("waits: %s", async (command, lines) => {
    const { drafts, until, send } = conversation();
    await send(command, 3);
    await until((all) => all.length === lines.length);
    await otherWorkDone();
    expect(drafts.map(line)).toEqual(lines);
  });

  test("describes its permissions", async () => {
    const { drafts, until, send } = conversation();
    await send("permission");
    await until((all) => all.length === 2);
    expect(drafts).toMatchObject([
      { permission: { action: "command_execution", metadata: { command: expect.any(String) } } },
      { permission: { action: "file_change", metadata: { path: expect.any(String) } } },
    ]);
  });

  test("offers two answers to each question", async () => {
    const { drafts, until, send } = conversation();
    await send("question");
    await until((all) => all.length === 2);
    expect(drafts).toMatchObject([
      { question: { options: ["Red", "Blue"] } },
      { question: { options: ["Yes", "No"] } },
    ]);
  });

  test("goes on waiting until the last permission is answered", async () => {
    const { session, drafts, until, send } = conversation();
    await send("permission");
    await until((all) => all.length === 2);
    await session.replyPermission("mock_1_permission", "once");
    await otherWorkDone();
    expect(drafts).toHaveLength(2);
  });

  test("ends with a message when all permissions are answered", async () => {
    const { session, drafts, until, send } = conversation();
    await send("permission");
    await until((all) => all.length === 2);
    await session.replyPermission("mock_1_permission_denied", "reject");
    await session.replyPermission("mock_1_permission", "once");
    await until(hasEnded);
    expect(drafts.slice(2).map(line)).toEqual([
      "item.started mock_1_answered",
      "item.completed mock_1_answered",
      "turn.ended",
    ]);
  });

  test("ends with a message when all questions are answered or rejected", async () => {
    const { session, drafts, until, send } = conversation();
    await send("question");
    await until((all) => all.length === 2);
    await session.replyQuestion("mock_1_question", [["Red"]]);
    await session.replyQuestion("mock_1_question_reject", null);
    await until(hasEnded);
    expect(drafts.slice(2).map(line)).toEqual([
      "item.started mock_1_answered",
      "item.completed mock_1_answered",
      "turn.ended",
    ]);
  });

  test("may be answered before it has asked everything", async () => {
    const { drafts, until, send, session } = conversation(async (draft) => {
      if (draft.type === "permission.requested") await session.replyPermission(draft.permission.permission_id, "once");
    });
    await send("permission");
    await until(hasEnded);
    expect(drafts.at(-1)?.type).toBe("turn.ended");
  });
});

describe("an abort", () => {
  const running: [string, string, (drafts: Draft[]) => boolean][] = [
    ["a slow reply", "slow 1000 5", (drafts) => drafts.filter(({ type }) => type === "item.delta").length === 2],
    ["a burst", "burst 100000", (drafts) => drafts.some(({ type }) => type === "item.delta")],
    ["a turn that hangs", "hang", () => true],
    ["a turn that waits for a permission", "permission", (drafts) => drafts.length === 2],
    ["a turn that waits for an answer", "question", (drafts) => drafts.length === 2],
  ];

  test.each(running)("ends %s at once, and nothing follows", async (_, command, reached) => {
    const { session, drafts, until, send } = conversation();
    await send(command);
    await until(reached);
    const before = drafts.length;
    await session.abort();
    await otherWorkDone();
    expect(drafts.slice(before)).toEqual([{ type: "turn.ended", reason: "aborted", synthetic: true }]);
  });

  test("makes later replies ineffective", async () => {
    const { session, drafts, until, send } = conversation();
    await send("permission1");
    await until((all) => all.length === 1);
    await session.abort();
    await session.replyPermission("mock_1_permission", "once");
    await otherWorkDone();
    expect(drafts.map(({ type }) => type)).toEqual(["permission.requested", "turn.ended"]);
  });

  test("a second time does nothing", async () => {
    const { session, drafts, send } = conversation();
    await send("hang");
    await session.abort();
    await session.abort();
    expect(drafts).toHaveLength(1);
  });

  test("does nothing when no turn runs", async () => {
    const { session, drafts } = conversation();
    await session.abort();
    expect(drafts).toEqual([]);
  });

  test("leaves the session ready for the next turn", async () => {
    const { session, drafts, until, send } = conversation();
    await send("hang");
    await session.abort();
    await send("hello", 2);
    await until((all) => all.filter(isEnd).length === 2);
    expect(drafts.slice(1).map(line)).toEqual([
      "item.started mock_2_reply",
      "item.completed mock_2_reply",
      "turn.ended",
    ]);
  });

  test.each(["hello", "usage", "end", "crash"])("at the moment %s ends does not end it twice", async (command) => {
    const { session, drafts, until, send } = conversation(async (draft) => {
      if (isEnd(draft)) await session.abort();
    });
    await send(command);
    await until(hasEnded);
    await otherWorkDone();
    expect(drafts.filter(isEnd)).toHaveLength(1);
  });
});

describe("closing", () => {
  test.each(["slow 1000 1", "hang", "permission"])("stops %s", async (command) => {
    const { session, drafts, send } = conversation();
    await send(command);
    await session.close();
    const before = drafts.length;
    await otherWorkDone();
    expect(drafts).toHaveLength(before);
  });
});

describe("steering", () => {
  test("is answered inside the running turn, with an id of its own each time", async () => {
    const { session, drafts, send } = conversation();
    await send("hang", 4);
    await session.steer?.({ number: 4, text: "left", attachments: [] });
    await session.steer?.({ number: 4, text: "right", attachments: [] });
    expect(drafts.map(line)).toEqual([
      "item.started mock_4_steer_1",
      "item.completed mock_4_steer_1",
      "item.started mock_4_steer_2",
      "item.completed mock_4_steer_2",
    ]);
  });
});

test("sessions are independent", async () => {
  const [first, second] = [conversation(), conversation()];
  await Promise.all([first.send("markdown"), second.send("tool")]);
  await Promise.all([first.until(hasEnded), second.until(hasEnded)]);
  expect([first.drafts.length, second.drafts.length]).toEqual([11, 5]);
});
