import { initialState, type PermissionData, type QuestionData } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { messageContent, permissionResolved, questionResolved, queueCancelled, userItem } from "./client-events.ts";

describe("a user's message", () => {
  test("is an item that starts and completes at once", () => {
    const state = { ...initialState, itemCount: 4 };
    const bodies = userItem(state, { number: 1, text: "hello", attachments: [] }, "native");
    const item = {
      item_id: "itm_5",
      native_item_id: "native",
      parent_id: null,
      kind: "message",
      role: "user",
      content: [{ type: "text", text: "hello" }],
    };
    expect(bodies).toEqual([
      { type: "item.started", data: { item: { ...item, status: "in_progress" } }, synthetic: true },
      { type: "item.completed", data: { item: { ...item, status: "completed" } }, synthetic: true },
    ]);
  });

  test("has its attachments after its text: images as images, all others as files", () => {
    expect(
      messageContent("see", [
        { path: "/a.png", mime: "image/png" },
        { path: "/b.txt", mime: "text/plain" },
        { path: "/c" },
      ]),
    ).toEqual([
      { type: "text", text: "see" },
      { type: "image", path: "/a.png", mime: "image/png" },
      { type: "file_ref", path: "/b.txt", action: "read" },
      { type: "file_ref", path: "/c", action: "read" },
    ]);
  });
});

describe("a reply", () => {
  const permission: PermissionData = {
    permission_id: "p",
    action: "run",
    status: "requested",
    metadata: { command: "ls" },
  };
  const question: QuestionData = {
    question_id: "q",
    prompt: "which?",
    options: ["a", "b"],
    status: "requested",
    response: null,
    metadata: { header: "h" },
  };

  test.each([
    ["once", "approved"],
    ["always", "approved"],
    ["reject", "denied"],
  ] as const)("%s to a permission: it is %s, and the rest of it is kept", (reply, status) => {
    expect(permissionResolved(permission, reply)).toEqual({
      type: "permission.resolved",
      data: { ...permission, status, metadata: { command: "ls", reply } },
      synthetic: true,
    });
  });

  test("to a question has all answers, and the first one as response", () => {
    const answers = [["b", "a"], ["c"]];
    expect(questionResolved(question, answers)).toEqual({
      type: "question.resolved",
      data: { ...question, status: "answered", response: "b", metadata: { header: "h", answers } },
      synthetic: true,
    });
  });

  test("to a question can be empty, or a rejection", () => {
    expect(questionResolved(question, []).data).toEqual({
      ...question,
      status: "answered",
      metadata: { header: "h", answers: [] },
    });
    expect(questionResolved(question, null).data).toEqual({ ...question, status: "rejected" });
  });
});

test("every queued message is cancelled", () => {
  const queued = (messageId: string) => ({ messageId, message: "x", queuedAt: 0 });
  expect(queueCancelled({ ...initialState, queue: [queued("a"), queued("b")] })).toEqual([
    { type: "message.cancelled", data: { message_id: "a" }, synthetic: true },
    { type: "message.cancelled", data: { message_id: "b" }, synthetic: true },
  ]);
  expect(queueCancelled(initialState)).toEqual([]);
});
