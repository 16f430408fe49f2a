/** What no recording shows of Claude Code's messages, or shows only in passing. */
import { describe, expect, test } from "vitest";
import { createTranslator, type Translator } from "./translator.ts";

const newTranslator = () => createTranslator({ nativeSessionId: null, isLogin: false });
const init = { type: "system", subtype: "init", session_id: "native", model: "m", permissionMode: "plan" };
const result = { type: "result", subtype: "success", is_error: false, result: "", terminal_reason: "completed" };

const streamed = (event: unknown, parent: string | null = null) => ({
  type: "stream_event",
  event,
  parent_tool_use_id: parent,
});
const message = (id: string, content: unknown[], model = "m") => ({ id, model, role: "assistant", content });
const whole = (id: string, content: unknown[], parent: string | null = null, model = "m") => ({
  type: "assistant",
  message: message(id, content, model),
  parent_tool_use_id: parent,
});
const call = (id: string) => ({ type: "tool_use", id, name: "Bash", input: { command: "ls" } });

/** The beginning of a tool call, as it is streamed. */
function beginCall(translator: Translator, messageId: string, callId: string): void {
  translator.translate(streamed({ type: "message_start", message: message(messageId, []) }));
  const content_block = { ...call(callId), input: {} };
  translator.translate(streamed({ type: "content_block_start", index: 0, content_block }));
}

const items = (drafts: ReturnType<Translator["translate"]>) =>
  drafts.flatMap((draft) =>
    draft.type === "item.completed"
      ? [[draft.item.native_item_id, draft.item.kind, draft.failed ? "failed" : "completed"]]
      : [],
  );

describe("a tool call whose stream broke off", () => {
  test("fails when the message is repeated with another call", () => {
    const translator = newTranslator();
    beginCall(translator, "first", "call-1");
    expect(items(translator.translate(whole("second", [call("call-2")])))).toEqual([
      ["call-1", "tool_call", "failed"],
      ["call-2", "tool_call", "completed"],
    ]);
    expect(items(translator.translate(whole("third", [call("call-3")])))).toEqual([
      ["call-3", "tool_call", "completed"],
    ]);
  });

  test.each([
    ["the message itself comes as a whole", whole("first", [call("call-1")]), [["call-1", "tool_call", "completed"]]],
    [
      "a subagent sends a message meanwhile",
      whole("other", [{ type: "text", text: "sub" }], "task"),
      [["other:0", "message", "completed"]],
    ],
    [
      "the message is from Claude Code itself",
      whole("own", [{ type: "text", text: "note" }], null, "<synthetic>"),
      [["own:0", "message", "completed"]],
    ],
  ])("is not failed when %s", (_, message, expected) => {
    const translator = newTranslator();
    beginCall(translator, "first", "call-1");
    expect(items(translator.translate(message))).toEqual(expected);
  });
});

test("a tool call that was completed is not failed by the next message", () => {
  const translator = newTranslator();
  beginCall(translator, "first", "call-1");
  translator.translate(whole("first", [call("call-1")]));
  expect(items(translator.translate(whole("second", [{ type: "text", text: "done" }])))).toEqual([
    ["second:0", "message", "completed"],
  ]);
});

describe("requests that nobody answered", () => {
  const request = (id: string, agent_id?: string) => ({
    type: "control_request",
    request_id: id,
    request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" }, tool_use_id: "t", agent_id },
  });
  const withdrawn = (drafts: ReturnType<Translator["translate"]>) =>
    drafts.flatMap((draft) => (draft.type === "request.withdrawn" ? [draft.request_id] : []));

  test("are withdrawn with the turn, but for those of agents in the background", () => {
    const translator = newTranslator();
    for (const raw of [request("main"), request("background", "agent-1")]) translator.translate(raw);
    expect(withdrawn(translator.translate(result))).toEqual(["main"]);
    expect([...translator.requests.keys()]).toEqual(["background"]);
    expect(withdrawn(translator.translate(result))).toEqual([]);
    expect(withdrawn(translator.translate({ type: "control_cancel_request", request_id: "background" }))).toEqual([
      "background",
    ]);
    expect(translator.requests.size).toBe(0);
  });

  test("are forgotten with the process", () => {
    const translator = newTranslator();
    translator.translate(request("background", "agent-1"));
    translator.restarted();
    expect(translator.requests.size).toBe(0);
  });
});

test("the mode is what the agent reported last, or was set to", () => {
  const translator = newTranslator();
  expect(translator.permissionMode).toBeNull();
  translator.translate(init);
  expect(translator.permissionMode).toBe("plan");
  translator.translate({ type: "system", subtype: "status", status: null, permissionMode: "acceptEdits" });
  expect(translator.permissionMode).toBe("acceptEdits");
  translator.translate({ type: "system", subtype: "status", status: null });
  expect(translator.permissionMode).toBe("acceptEdits");
  translator.setPermissionMode("default");
  expect(translator.permissionMode).toBe("default");
});

test("the agent's id of the session is reported when it is new", () => {
  const translator = newTranslator();
  const types = () => translator.translate(init).map(({ type }) => type);
  expect(types()).toContain("session.identified");
  expect(types()).not.toContain("session.identified");
  expect(translator.nativeSessionId).toBe("native");
});

test("an MCP server that failed is reported once", () => {
  const translator = newTranslator();
  const servers = [
    { name: "broken", status: "failed" },
    { name: "fine", status: "connected" },
  ];
  const reported = () => items(translator.translate({ ...init, mcp_servers: servers })).map(([id]) => id);
  expect(reported()).toEqual(["mcp:broken"]);
  expect(reported()).toEqual([]);
});

describe("a message that cannot be read", () => {
  test("is passed on with the reason", () => {
    const [draft] = newTranslator().translate({ type: "assistant", message: 7 });
    expect(draft).toMatchObject({
      type: "agent.unparsed",
      unparsed: { location: "claude.stdout" },
      raw: { message: 7 },
    });
    expect(draft?.type === "agent.unparsed" && draft.unparsed.error).toContain("✖");
  });

  test("ends the turn if it is its result", () => {
    const translator = newTranslator();
    translator.turn.send("m");
    const broken = { type: "result", subtype: 7 };
    expect(translator.translate(broken).map(({ type }) => type)).toEqual(["agent.unparsed", "turn.ended"]);
    expect(translator.translate(broken).map(({ type }) => type)).toEqual(["agent.unparsed"]);
  });
});

describe("tasks", () => {
  const task = (subtype: string, fields: object) => ({ type: "system", subtype, task_id: "t1", ...fields });

  test("keep the process until they are over", () => {
    const translator = newTranslator();
    expect(translator.tasks.busy).toBe(false);
    translator.translate(task("task_started", { description: "work" }));
    expect(translator.tasks.busy).toBe(true);
    translator.translate(task("task_updated", { patch: { status: "running" } }));
    expect(translator.tasks.busy).toBe(true);
    translator.translate(task("task_updated", { patch: { status: "killed" } }));
    expect(translator.tasks.busy).toBe(false);
    translator.translate(task("task_started", { description: "work" }));
    translator.translate(task("task_notification", { status: "completed" }));
    expect(translator.tasks.busy).toBe(false);
    translator.translate(task("task_started", { description: "work" }));
    translator.restarted();
    expect(translator.tasks.busy).toBe(false);
  });

  test("that are hidden are not shown", () => {
    const translator = newTranslator();
    const hidden = { description: "work", skip_transcript: true };
    expect(translator.translate(task("task_started", hidden))).toEqual([]);
    expect(translator.translate(task("task_progress", { description: "more" }))).toEqual([]);
    expect(translator.translate(task("task_notification", { status: "completed" }))).toEqual([]);
  });
});

describe("notices", () => {
  const shown = (fields: object) => {
    const [draft] = newTranslator().translate({ uuid: "u", ...fields });
    return draft?.type === "item.completed" ? [draft.item.native_item_id, draft.item.content?.[0]] : [];
  };
  const progress = { type: "tool_progress", tool_name: "Bash", tool_use_id: "t", parent_tool_use_id: null };

  test.each([
    [{ ...progress, elapsed_time_seconds: 30 }, "Bash", "running for 30 s"],
    [progress, "Bash", "running for 0 s"],
    [{ type: "tool_use_summary", summary: "read two files" }, "Summary", "read two files"],
    [{ type: "prompt_suggestion", suggestion: "run the tests" }, "Suggestion", "run the tests"],
    [{ type: "rate_limit_event", rate_limit_info: { status: "rejected" } }, "Rate limit", "rejected"],
  ])("%j", (fields, label, detail) => {
    expect(shown(fields)).toEqual([`${fields.type}:u`, { type: "status", label, detail }]);
  });

  test.each(["control_response", "keep_alive", "command_lifecycle"])("%s is none", (type) => {
    expect(newTranslator().translate({ type })).toEqual([]);
  });

  test("a type that is not known is passed on", () => {
    expect(shown({ type: "new_thing" })).toMatchObject(["new_thing:u", { type: "json" }]);
  });
});

describe("a message of the user's side", () => {
  const user = (content: unknown, parent: string | null = null) =>
    newTranslator().translate({
      type: "user",
      uuid: "u",
      message: { role: "user", content },
      parent_tool_use_id: parent,
    });

  test.each([
    ["text", null, "system", "system"],
    [[{ type: "text", text: "text" }], null, "system", "system"],
    [[{ type: "text", text: "text" }], "task", "message", "user"],
  ])("%j, in the call %s, is a %s item", (content, parent, kind, role) => {
    const item = { native_item_id: "u:0", kind, role, content: [{ type: "text", text: "text" }] };
    expect(user(content, parent)).toMatchObject([
      { item: { ...item, ...(parent && { native_parent_id: parent }) }, failed: false },
    ]);
  });

  test("that only notes an interrupt is not shown", () => {
    expect(user([{ type: "text", text: "[Request interrupted by user for tool use]" }])).toEqual([]);
  });

  test("with a block that is not known is passed on", () => {
    expect(user([{ type: "document" }])).toMatchObject([{ item: { kind: "unknown" } }]);
  });

  test("that repeats ours marks it as read", () => {
    const translator = newTranslator();
    translator.turn.send("m");
    translator.turn.steer("n");
    const replay = { type: "user", isReplay: true, message: { role: "user", content: "hi" } };
    expect(translator.translate({ ...replay, uuid: "n" })).toEqual([]);
    expect(translator.turn.unread.size).toBe(0);
  });
});

describe("a refused credential", () => {
  const retry = (error: string, error_status: number | null) => ({
    type: "system",
    subtype: "api_retry",
    attempt: 1,
    max_retries: 10,
    retry_delay_ms: 500,
    error_status,
    error,
  });
  const errors = (isLogin: boolean, raw: unknown) =>
    createTranslator({ nativeSessionId: null, isLogin })
      .translate(raw)
      .flatMap((draft) => (draft.type === "error" ? [draft.error] : []));

  test.each([
    [true, 401, "auth_expired"],
    [false, 401, "auth_invalid"],
    [false, null, "auth_invalid"],
  ])("of a login: %s, with status %s, is %s at the first retry", (isLogin, status, code) => {
    expect(errors(isLogin, retry("authentication_failed", status))).toMatchObject([
      { code, details: { error: "authentication_failed", status: 401 } },
    ]);
  });

  test("is not every failure", () => {
    expect(errors(false, retry("overloaded", 529))).toEqual([]);
  });
});

describe("a task", () => {
  const outline = (translator: Translator, subtype: string, fields: object) =>
    translator
      .translate({ type: "system", subtype, task_id: "t1", ...fields })
      .map((draft) => (draft.type === "item.delta" ? draft.delta : "item" in draft && draft.item.content?.[0]));

  test.each([
    [{ subagent_type: "Explore", description: "look" }, "Explore", "look"],
    [{ task_type: "local_bash" }, "Command", "running"],
    [{ task_type: "other" }, "Task", "running"],
  ])("%j is shown as %s", (fields, label, detail) => {
    expect(outline(newTranslator(), "task_started", fields)).toEqual([{ type: "status", label, detail }]);
  });

  test("reports its progress, with the summary if there is one", () => {
    const translator = newTranslator();
    expect(outline(translator, "task_progress", { description: "early" })).toEqual([]);
    outline(translator, "task_started", { description: "work" });
    expect(outline(translator, "task_progress", { description: "more" })).toEqual(["more\n"]);
    expect(outline(translator, "task_progress", { description: "more", summary: "sum" })).toEqual(["sum\n"]);
    expect(outline(translator, "task_progress", {})).toEqual([]);
  });

  test.each([
    [{ status: "failed", summary: "exit code 1" }, true, "exit code 1"],
    [{ status: "stopped" }, false, "stopped"],
    [{}, false, "ended"],
  ])("that nobody saw begin ends with %j", (fields, failed, detail) => {
    const raw = { type: "system", subtype: "task_notification", task_id: "t1", tool_use_id: "call", ...fields };
    expect(newTranslator().translate(raw)).toMatchObject([
      { failed, item: { native_parent_id: "call", content: [{ label: "Task", detail }] } },
    ]);
  });
});
