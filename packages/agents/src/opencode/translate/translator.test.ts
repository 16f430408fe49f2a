/** What no recording shows of OpenCode's events, or shows only in passing. */
import { describe, expect, test } from "vitest";
import type { Draft } from "../../draft.ts";
import { errorData } from "./errors.ts";
import { fileRefs, newFileDiff } from "./files.ts";
import { createRequests } from "./requests.ts";
import { createTools } from "./tools.ts";
import { createTranslator } from "./translator.ts";

type State = Parameters<ReturnType<typeof createTools>["part"]>[0]["state"];
const time = { start: 1, end: 2 };
const running = (metadata = {}): State => ({ status: "running", input: { a: 1 }, metadata, time: { start: 1 } });
const done = (fields: object = {}) => ({
  status: "completed" as const,
  input: {},
  output: "out",
  title: "",
  metadata: {},
  time,
  ...fields,
});
const part = (id: string, state: State, fields: object = {}) => ({
  type: "tool" as const,
  id,
  sessionID: "main",
  messageID: "m",
  callID: `call-${id}`,
  tool: "bash",
  state,
  ...fields,
});
const types = (drafts: readonly Draft[]) => drafts.map(({ type }) => type);

describe("a tool call", () => {
  test("that has a result is over: what still comes of it is ignored", () => {
    const tools = createTools();
    expect(types(tools.part(part("1", done()), null))).toEqual(["item.started", "item.completed", "item.completed"]);
    expect(tools.part(part("1", done()), null)).toEqual([]);
  });

  test("is known by its id while it runs, until the turn is over", () => {
    const tools = createTools();
    tools.part(part("1", running(), { tool: "grep" }), null);
    tools.part(part("2", running(), { tool: "plan_exit" }), null);
    expect([tools.nameOf("call-2"), tools.nameOf("call-1"), tools.nameOf("call-3")]).toEqual([
      "plan_exit",
      "grep",
      null,
    ]);
    tools.clear();
    expect(tools.nameOf("call-1")).toBeNull();
  });

  test("that starts a subagent is the parent of its items: the one that names it, else the newest task", () => {
    const tools = createTools();
    expect(tools.starterOf("child", "main")).toBeNull();
    tools.part(part("1", running({ sessionId: "child" }), { tool: "task" }), null);
    tools.part(part("2", running(), { tool: "task" }), null);
    tools.part(part("3", running(), { tool: "task", sessionID: "elsewhere" }), null);
    expect(tools.starterOf("child", "main")).toBe("1");
    expect(tools.starterOf("unnamed", "main")).toBe("2");
  });

  test.each([
    ["bash", { exit: 0 }, false],
    ["bash", { exit: 2 }, true],
    ["bash", { exit: null }, true],
    ["bash", {}, false],
    ["grep", { exit: 2 }, false],
    ["invalid", {}, true],
  ])("of %s with %j has failed: %s", (tool, metadata, failed) => {
    expect(
      createTools()
        .part(part("1", done({ metadata }), { tool }), null)
        .at(-1),
    ).toMatchObject({ failed });
  });

  test.each([
    [{ mime: "image/png", url: "data:image/png;base64,AA" }, { filePath: "/a.png" }, { type: "image", path: "/a.png" }],
    [{ mime: "image/png", url: "file:///b.png" }, {}, { type: "image", path: "/b.png", mime: "image/png" }],
    [
      { mime: "text/plain", url: "data:,x", filename: "c.txt" },
      {},
      { type: "file_ref", path: "c.txt", action: "read" },
    ],
    [{ mime: "text/plain", url: "data:,x" }, {}, { type: "file_ref", path: "attachment" }],
  ])("returns the file %j by its path", (file, input, expected) => {
    const attachments = [{ type: "file", id: "f", sessionID: "main", messageID: "m", ...file }];
    const draft = createTools()
      .part(part("1", { ...done({ input }), attachments } as State, { tool: "read_file" }), null)
      .at(-1);
    expect(draft?.type === "item.completed" && draft.item.content?.at(-1)).toMatchObject(expected);
  });
});

describe("files", () => {
  test("that a tool has changed together are listed with their diffs", () => {
    const files = [
      { filePath: "/old", movePath: "/new", patch: "p1", type: "move" },
      { filePath: "/added", diff: "d2", type: "add" },
      { relativePath: "rel", type: "update" },
      { type: "update" },
    ];
    expect(fileRefs("apply_patch", done({ metadata: { files } }), null)).toEqual([
      { type: "file_ref", path: "/new", action: "patch", diff: "p1" },
      { type: "file_ref", path: "/added", action: "write", diff: "d2" },
      { type: "file_ref", path: "rel", action: "patch" },
    ]);
    expect(fileRefs("apply_patch", done({ metadata: {} }), null)).toEqual([]);
  });

  test.each([
    ["read", { input: { filePath: "/a" } }, null, [{ path: "/a", action: "read" }]],
    ["read", { metadata: { filepath: "/b" } }, null, [{ path: "/b", action: "read" }]],
    ["read", {}, null, []],
    ["write", { input: { filePath: "/a", content: "x" } }, "asked", [{ path: "/a", action: "write", diff: "asked" }]],
    ["write", { input: { filePath: "/a", content: "x" } }, null, [{ path: "/a", action: "write" }]],
    [
      "write",
      { input: { filePath: "/a", content: "x\n" }, metadata: { exists: false } },
      null,
      [{ path: "/a", action: "write", diff: newFileDiff("/a", "x\n") }],
    ],
    [
      "edit",
      { input: { filePath: "/a" }, metadata: { diff: "d" } },
      "asked",
      [{ path: "/a", action: "patch", diff: "d" }],
    ],
    ["edit", { input: { filePath: "/a" } }, "asked", [{ path: "/a", action: "patch", diff: "asked" }]],
    ["edit", {}, null, []],
  ])("of %s %j, asked with %s", (tool, state, askedDiff, expected) => {
    expect(fileRefs(tool, done(state), askedDiff)).toEqual(expected.map((ref) => ({ type: "file_ref", ...ref })));
  });

  test.each([
    ["one\ntwo\n", "@@ -0,0 +1,2 @@\n+one\n+two\n"],
    ["one", "@@ -0,0 +1,1 @@\n+one\n\\ No newline at end of file\n"],
    ["", ""],
  ])("%j, new, is all additions", (content, diff) => {
    expect(newFileDiff("f", content)).toBe(`--- /dev/null\n+++ f\n${diff}`);
  });
});

test("a request is settled once", () => {
  const requests = createRequests();
  const ask = (id: string) =>
    requests.onPermission({ id, sessionID: "main", permission: "bash", patterns: [], always: [], metadata: {} }, null);
  for (const id of ["1", "2", "3"]) ask(id);
  expect(requests.onSettled("1")).toEqual([{ type: "request.withdrawn", request_id: "1" }]);
  expect(requests.onSettled("1")).toEqual([]);
  expect(requests.take("2")).toMatchObject({ kind: "permission", request: { id: "2" } });
  expect(requests.take("2")).toBeNull();
  expect(requests.onSettled("2")).toEqual([]);
  expect(requests.withdrawAll()).toEqual([{ type: "request.withdrawn", request_id: "3" }]);
  expect(requests.open()).toEqual([]);
});

test.each([
  [401, "no", "auth_invalid"],
  [401, "token expired", "auth_expired"],
  [403, "no", "auth_invalid"],
  [404, "no", "model_not_found"],
  [413, "no", "context_overflow"],
  [429, "no", "rate_limited"],
  [503, "no", "overloaded"],
  [529, "no", "overloaded"],
  [500, "no", "provider_error"],
  [499, "no", "invalid_request"],
  [undefined, "Overloaded", "overloaded"],
  [undefined, "ECONNREFUSED", "provider_unreachable"],
  [undefined, "strange", "agent_error"],
])("a failure with status %s and the words %s is %s", (statusCode, message, code) => {
  const error = { name: "APIError" as const, data: { message, isRetryable: false, ...(statusCode && { statusCode }) } };
  expect(errorData(error)).toMatchObject({ code, ...(statusCode && { details: { status: statusCode } }) });
});

describe("a turn", () => {
  const status = (type: "busy" | "idle", sessionID = "main") => ({
    id: "e",
    type: "session.status",
    properties: { sessionID, status: { type } },
  });
  const idle = { id: "e", type: "session.idle", properties: { sessionID: "main" } };
  const failure = (name: string, data: object = { message: "no" }) => ({
    id: "e",
    type: "session.error",
    properties: { sessionID: "main", error: { name, data } },
  });

  test("ends with the idle after it was busy, not with that of the turn before", () => {
    const translator = createTranslator("main");
    translator.begin(null);
    expect(translator.translate(idle)).toEqual([]);
    expect([translator.running, translator.busy]).toEqual([true, false]);
    translator.translate(status("busy"));
    expect(translator.busy).toBe(true);
    expect(types(translator.translate(idle))).toEqual(["turn.ended"]);
    expect([translator.running, translator.busy]).toEqual([false, false]);
    expect(translator.translate(idle)).toEqual([]);
  });

  test("is begun by the agent when it gets busy without a message", () => {
    const translator = createTranslator("main");
    expect(translator.translate(status("busy", "child"))).toEqual([]);
    expect(types(translator.translate(status("busy")))).toEqual(["turn.started"]);
    expect(translator.translate(status("busy"))).toEqual([]);
  });

  test("that is refused as a whole settles without having been busy", () => {
    const translator = createTranslator("main");
    translator.begin(null);
    expect(types(translator.translate(failure("UnknownError")))).toEqual(["error"]);
    expect(translator.settling).toBe(true);
    expect(translator.translate(failure("UnknownError"))).toEqual([]);
    expect(translator.settle()).toMatchObject([{ type: "turn.ended", reason: "failed", synthetic: true }]);
    expect(translator.settling).toBe(false);
    // Sent once more with a stack trace, behind the end.
    expect(translator.translate(failure("UnknownError"))).toEqual([]);
    translator.begin(null);
    expect(types(translator.translate(failure("UnknownError")))).toEqual(["error"]);
  });

  test("that fails while it is busy waits for the idle", () => {
    const translator = createTranslator("main");
    translator.begin(null);
    translator.translate(status("busy"));
    translator.translate(failure("UnknownError"));
    expect(translator.settling).toBe(false);
    expect(translator.translate(idle)).toMatchObject([{ type: "turn.ended", reason: "failed" }]);
  });

  test("that was aborted has no error", () => {
    const translator = createTranslator("main");
    translator.begin(null);
    translator.translate(status("busy"));
    expect(translator.translate(failure("MessageAbortedError"))).toEqual([]);
    expect(translator.translate(idle)).toMatchObject([{ type: "turn.ended", reason: "aborted" }]);
  });

  test("can be failed by its owner, once", () => {
    const translator = createTranslator("main");
    expect(translator.fail({ message: "gone" })).toEqual([]);
    translator.begin(null);
    expect(translator.fail({ message: "gone" })).toMatchObject([
      { type: "error", error: { message: "gone" }, synthetic: true },
      { type: "turn.ended", reason: "failed" },
    ]);
    expect(translator.fail({ message: "gone" })).toEqual([]);
    expect(translator.settle()).toEqual([]);
  });
});
