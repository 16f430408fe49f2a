/** What recordings do not show of Amp's messages, or show only in passing. */
import { describe, expect, test } from "vitest";
import { createTranslator } from "./translator.ts";

type Translator = ReturnType<typeof createTranslator>;
type Drafts = ReturnType<Translator["translate"]>;

const newTranslator = (threadId: string | null = null) => createTranslator({ threadId });
const assistant = (content: unknown[], fields: object = {}, parent_tool_use_id?: string | null) => ({
  type: "assistant",
  message: { role: "assistant", content, stop_reason: "tool_use", ...fields },
  parent_tool_use_id,
});
const user = (content: unknown[], parent_tool_use_id?: string | null) => ({
  type: "user",
  message: { role: "user", content },
  parent_tool_use_id,
});
const text = (words: string) => ({ type: "text", text: words });
const call = (id: string, name = "Read", input: unknown = { path: "/a" }) => ({ type: "tool_use", id, name, input });
const answer = (id: string, content: string, is_error?: boolean) => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  is_error,
});
const last = assistant([text("done")], { stop_reason: "end_turn" });
const result = (fields: object) => ({ type: "result", is_error: false, ...fields });
const types = (drafts: Drafts) => drafts.map(({ type }) => type);

describe("the beginning", () => {
  const init = (fields: object = {}) => ({ type: "system", subtype: "init", session_id: "T-1", ...fields });

  test("names the thread when it is new", () => {
    const translator = newTranslator();
    expect(translator.translate(init())).toMatchObject([{ type: "session.identified", native_session_id: "T-1" }]);
    expect(translator.threadId).toBe("T-1");
    expect(translator.translate(init())).toEqual([]);
    expect(newTranslator("T-1").translate(init())).toEqual([]);
  });

  test("reports an MCP server that failed, once", () => {
    const translator = newTranslator("T-1");
    const mcp_servers = [
      { name: "broken", status: "failed" },
      { name: "fine", status: "connected" },
    ];
    const label = "MCP server broken";
    expect(translator.translate(init({ mcp_servers }))).toMatchObject([
      { item: { native_item_id: "mcp:broken", content: [{ label, detail: "could not be started" }] } },
    ]);
    expect(translator.translate(init({ mcp_servers }))).toEqual([]);
  });
});

test.each([
  [{ type: "system", subtype: "other" }, "system:1"],
  [{ type: "new_thing" }, "new_thing:1"],
])("%j is not known and passed on", (raw, id) => {
  expect(newTranslator().translate(raw)).toMatchObject([{ item: { native_item_id: id, kind: "unknown" }, raw }]);
});

test("what cannot be read is passed on with the reason", () => {
  const raw = { type: "assistant", message: 7 };
  const [draft] = newTranslator().translate(raw);
  expect(draft).toMatchObject({ type: "agent.unparsed", unparsed: { location: "amp.stdout" }, raw });
  expect(draft?.type === "agent.unparsed" && draft.unparsed.error).toContain("✖");
});

describe("a message", () => {
  test("is words, then calls, then what is not known", () => {
    const translator = newTranslator();
    const thinking = { type: "thinking", thinking: "hm" };
    const drafts = translator.translate(assistant([call("c"), thinking, { type: "new" }, text("hi")]));
    expect(drafts).toMatchObject([
      {
        item: {
          native_item_id: "message:1",
          kind: "message",
          content: [{ type: "reasoning", text: "hm" }, text("hi")],
        },
      },
      { item: { native_item_id: "c", kind: "tool_call", content: [{ name: "Read", arguments: '{"path":"/a"}' }] } },
      { item: { native_item_id: "block:2", kind: "unknown" } },
    ]);
    expect(translator.translate(assistant([text("more")]))).toMatchObject([{ item: { native_item_id: "message:3" } }]);
  });

  test("of a subagent belongs to the call that started it, as do its tools", () => {
    const translator = newTranslator();
    translator.onSent();
    translator.translate(user([text("echo")]));
    const drafts = [
      ...translator.translate(assistant([text("sub"), call("c")], { stop_reason: "end_turn" }, "task")),
      ...translator.translate(user([answer("c", "out")], "task")),
    ];
    expect(drafts).toHaveLength(3);
    for (const draft of drafts) expect(draft).toMatchObject({ item: { native_parent_id: "task" } });
    expect(translator.isOpen).toBe(true);
  });
});

describe("a tool", () => {
  test.each([
    ["out", undefined, false, 2],
    ["out", true, true, 1],
    ["Tool rejected by plugin: no", undefined, true, 1],
  ])("that answers %j, marked as error: %s, has failed: %s", (content, is_error, failed, parts) => {
    const translator = newTranslator();
    translator.translate(assistant([call("c")]));
    const [draft] = translator.translate(user([answer("c", content, is_error)]));
    expect(draft).toMatchObject({ failed, item: { native_item_id: "c:result", kind: "tool_result" } });
    expect(draft?.type === "item.completed" && draft.item.content).toHaveLength(parts);
  });

  test.each([
    ["Bash", { output: "no\n", exitCode: 128 }, true],
    ["shell_command", { output: "no\n", exitCode: 1 }, true],
    ["shell_command", { output: "yes\n", exitCode: 0 }, false],
    ["shell_command", { output: "goes on" }, false],
    ["Read", { output: "a file like that", exitCode: 1 }, false],
  ])("%s that answers %j has failed: %s", (name, content, failed) => {
    const translator = newTranslator();
    translator.translate(assistant([call("c", name)]));
    expect(translator.translate(user([answer("c", JSON.stringify(content), false)]))).toMatchObject([{ failed }]);
  });

  test("is found by its name and input while it runs, the newest first", () => {
    const translator = newTranslator();
    translator.onSent();
    translator.translate(assistant([call("1"), call("2"), call("3", "Read", { path: "/b" }), call("4", "Bash")]));
    expect(translator.toolCallFor("Read", { path: "/a" })).toBe("2");
    translator.translate(user([answer("2", "out")]));
    expect(translator.toolCallFor("Read", { path: "/a" })).toBe("1");
    translator.finish();
    expect(translator.toolCallFor("Read", { path: "/a" })).toBeNull();
  });
});

describe("a turn", () => {
  test("is over with the last words, once", () => {
    const translator = newTranslator();
    expect(translator.isOpen).toBe(false);
    translator.onSent();
    expect(translator.isOpen).toBe(true);
    translator.translate(user([text("echo")]));
    expect(types(translator.translate(assistant([text("more")])))).toEqual(["item.completed"]);
    expect(translator.translate(last).at(-1)).toMatchObject({ type: "turn.ended", reason: "completed" });
    expect(translator.isOpen).toBe(false);
    expect(types(translator.translate(last))).toEqual(["item.completed"]);
    expect(translator.translate(result({}))).toEqual([]);
    expect(translator.translate(result({ is_error: true, error: "429 late" }))).toEqual([]);
  });

  test("goes on while a message of ours has not been read", () => {
    const translator = newTranslator();
    translator.onSent();
    translator.translate(user([text("echo")]));
    translator.onSent();
    translator.onSent();
    translator.translate(user([text("echo")]));
    expect(types(translator.translate(last))).toEqual(["item.completed"]);
    translator.translate(user([answer("c", "out")]));
    expect(types(translator.translate(last))).toEqual(["item.completed"]);
    translator.translate(user([text("echo")]));
    expect(types(translator.translate(last))).toEqual(["item.completed", "turn.ended"]);
  });

  test("does not count echoes of messages before it", () => {
    const translator = newTranslator();
    translator.translate(user([text("echo of nothing")]));
    translator.onSent();
    expect(types(translator.translate(last))).toEqual(["item.completed"]);
    translator.finish();
    translator.onSent();
    translator.translate(user([text("echo")]));
    expect(types(translator.translate(last))).toEqual(["item.completed", "turn.ended"]);
  });

  test.each([
    [{}, "completed", undefined],
    [{ is_error: true, error: "User cancelled the request" }, "aborted", undefined],
    [{ is_error: true, error: "429 slow down" }, "failed", "rate_limited"],
    [{ is_error: true }, "failed", "provider_error"],
  ])("with the result %j is %s", (fields, reason, code) => {
    const translator = newTranslator();
    translator.onSent();
    const drafts = translator.translate(result(fields));
    expect(drafts.at(-1)).toMatchObject({ type: "turn.ended", reason });
    expect(drafts.flatMap((draft) => (draft.type === "error" ? [draft.error.code] : []))).toEqual(code ? [code] : []);
    expect(translator.isOpen).toBe(false);
  });
});

test("the figures of a turn are the sum over its calls, the context that of the last", () => {
  const translator = newTranslator();
  const usageOf = (...calls: object[]) => {
    translator.onSent();
    for (const usage of calls) translator.translate(assistant([], { usage }));
    const end = translator.translate(result({})).at(-1);
    return end?.type === "turn.ended" ? end.usage : null;
  };
  const none = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };
  expect(usageOf()).toEqual(none);
  expect(
    usageOf(
      { input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 30, cache_read_input_tokens: 400 },
      { input_tokens: 5, output_tokens: 6, cache_creation_input_tokens: 70, cache_read_input_tokens: 800 },
    ),
  ).toEqual({ input_tokens: 1306, output_tokens: 8, cached_tokens: 1200, context_used: 881 });
  expect(usageOf({ output_tokens: 3 })).toEqual({ ...none, output_tokens: 3, context_used: 3 });
  expect(usageOf({ input_tokens: 4 })).toEqual({ ...none, input_tokens: 4, context_used: 4 });
});
