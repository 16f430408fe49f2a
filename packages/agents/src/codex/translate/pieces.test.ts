/** Pieces of the translator that recordings do not reach: threads of subagents, hidden calls, forms, figures. */
import { describe, expect, test } from "vitest";
import { elicitationQuestion, isToolApproval, toolApproval } from "./elicitation.ts";
import { createItems } from "./items.ts";
import { outputText } from "./output-text.ts";
import { createRawCalls } from "./raw-calls.ts";
import { createThreads } from "./threads.ts";
import { createUsageMeter } from "./usage.ts";

describe("a subagent's thread", () => {
  const spawn = (id: string, receiverThreadIds: string[], tool = "spawnAgent") =>
    ({ type: "collabAgentToolCall", id, tool, receiverThreadIds, senderThreadId: "root" }) as never;
  const started = (id: string, agentThreadId: string, kind = "started") =>
    ({ type: "subAgentActivity", id, kind, agentThreadId }) as never;

  test("belongs to the call that names it", () => {
    const threads = createThreads("root");
    threads.learn(spawn("call-1", ["a", "b"]));
    threads.learn(started("call-2", "c"));
    expect(["root", "a", "b", "c"].map(threads.parentOf)).toEqual([undefined, "call-1", "call-1", "call-2"]);
  });

  test("with messages before it is named belongs to the newest call", () => {
    const threads = createThreads("root");
    expect(threads.parentOf("early")).toBeUndefined();
    threads.learn(spawn("call-1", []));
    expect(threads.parentOf("early")).toBe("call-1");
    threads.learn(spawn("call-2", ["other"]));
    expect(threads.parentOf("early")).toBe("call-1");
  });

  test("is not taken from calls that start none", () => {
    const threads = createThreads("root");
    threads.learn(spawn("call-1", ["a"], "sendInput"));
    threads.learn(started("call-2", "b", "completed"));
    expect([threads.parentOf("a"), threads.parentOf("b")]).toEqual([undefined, undefined]);
  });

  test("runs from the start of its turn to its end", () => {
    const threads = createThreads("root");
    threads.turnStarted("a", "t1");
    expect([...threads.running]).toEqual([["a", "t1"]]);
    threads.turnEnded("a");
    expect(threads.running.size).toBe(0);
    expect([threads.isRoot("root"), threads.isRoot("a")]).toEqual([true, false]);
  });
});

describe("output of a tool", () => {
  test.each([
    ["words", "words"],
    [[{ text: "a" }, { text: "b" }], "a\nb"],
    [{ exit: 1 }, '{"exit":1}'],
    [undefined, ""],
    [[{ type: "image", data: "x".repeat(1000) }], JSON.stringify({ type: "image", data: "x".repeat(1000) })],
    [[{ type: "image", data: "x".repeat(1001) }], `{"type":"image","data":"${"x".repeat(100)}… (1001 characters)"}`],
  ])("%j is text", (output, text) => {
    expect(outputText(output)).toBe(text);
  });
});

describe("a call without an item", () => {
  function settled(name: string, output: string, type: "function_call" | "custom_tool_call" = "function_call") {
    const calls = createRawCalls(createItems(() => undefined));
    const input = type === "function_call" ? { arguments: "{}" } : { input: "text" };
    calls.accept({ type, call_id: "c", name, ...input } as never, undefined);
    const before = calls.inputOf("c");
    const drafts = calls.accept({ type: `${type}_output`, call_id: "c", output } as never, undefined);
    return { before, after: calls.inputOf("c"), drafts };
  }
  const shown = (drafts: ReturnType<typeof settled>["drafts"]) =>
    drafts.flatMap((draft) => (draft.type === "item.completed" ? [draft.item.content?.[0]] : []));

  test("is shown with its input and its output, and forgotten then", () => {
    const { before, after, drafts } = settled("shell", "blocked");
    expect([before, after]).toEqual(["{}", undefined]);
    expect(shown(drafts)).toMatchObject([
      { type: "tool_call", name: "shell", arguments: "{}" },
      { type: "tool_result", output: "blocked" },
    ]);
    expect(drafts.at(-1)).toMatchObject({ failed: true });
  });

  test("of plain text has it as JSON, but a script as its own", () => {
    expect(settled("apply_patch", "no", "custom_tool_call").before).toBe('{"input":"text"}');
    const { before, drafts } = settled("exec", "Script failed", "custom_tool_call");
    expect(before).toBe("text");
    expect(shown(drafts)[0]).toMatchObject({ arguments: '{"script":"text"}' });
  });

  test.each([
    ["exec", "Script completed"],
    ["wait", "Script running"],
    ["update_plan", "done"],
  ])("%s with the output %s is not emitted", (name, output) => {
    expect(settled(name, output, "custom_tool_call").drafts).toEqual([]);
  });

  test.each(["Script completed", "done"])("shell with the output %s is emitted", (output) => {
    expect(settled("shell", output).drafts).toHaveLength(4);
  });
});

describe("a request of an MCP server", () => {
  const request = (fields: object) =>
    ({ threadId: "root", serverName: "lab", mode: "form", message: "Fill in", ...fields }) as never;
  const schema = {
    type: "object",
    properties: {
      name: { type: "string", description: "Your name" },
      size: { type: "string", title: "Size", oneOf: [{ const: "s", title: "Small" }] },
      tags: { type: "array", items: { enum: ["x", "y"] } },
      sure: { type: "boolean" },
      count: { type: "integer" },
      free: { type: "string" },
    },
  };

  test("is a form whose fields are questions", () => {
    const { draft } = elicitationQuestion(1, "q", request({ requestedSchema: schema }));
    expect(draft).toMatchObject({
      question: {
        prompt: "Fill in",
        options: [],
        metadata: {
          questions: [
            { question: "Your name", header: "name", multiSelect: false },
            { question: "Size", header: "Size", options: [{ label: "Small" }] },
            { question: "tags", options: [{ label: "x" }, { label: "y" }], multiSelect: true },
            { question: "sure", options: [{ label: "Yes" }, { label: "No" }] },
            { question: "count" },
            { question: "free" },
          ],
        },
      },
    });
  });

  test("is answered with values of the types it wants, without what was not answered", () => {
    const { answer } = elicitationQuestion(1, "q", request({ requestedSchema: schema }));
    const reply = answer.on === "question" ? answer.reply : () => null;
    expect(reply([["Ada"], ["Small"], ["x", "other"], ["Yes"], ["7"], []])).toMatchObject({
      action: "accept",
      content: { name: "Ada", size: "s", tags: ["x", "other"], sure: true, count: 7 },
    });
    expect(reply([[], [], [], ["No"]])).toMatchObject({ content: { sure: false } });
    expect(reply(null)).toMatchObject({ action: "decline", content: null });
  });

  test("to open an address names it and waits until that is done", () => {
    const { draft } = elicitationQuestion(1, "q", request({ mode: "url", url: "https://x" }));
    expect(draft).toMatchObject({
      question: { prompt: "Fill in\nhttps://x", options: ["Done"], metadata: { url: "https://x" } },
    });
  });

  test("may be Codex's own approval of a tool", () => {
    const _meta = { codex_approval_kind: "mcp_tool_call", tool_params: { a: 1 }, tool_description: "It adds" };
    const approval = request({ message: 'Allow tool "add"?', _meta });
    expect([isToolApproval(approval), isToolApproval(request({}))]).toEqual([true, false]);
    const { draft, answer } = toolApproval(1, "p", approval);
    expect(draft).toMatchObject({
      type: "permission.requested",
      permission: {
        action: "mcp__lab__add",
        metadata: { server: "lab", mcp_tool: "add", arguments: { a: 1 }, description: "It adds" },
      },
    });
    const reply = answer.on === "permission" ? answer.reply : () => null;
    expect(reply("once")).toMatchObject({ action: "accept", _meta: null });
    expect(reply("always")).toMatchObject({ action: "accept", _meta: { persist: "session" } });
    expect(reply("reject")).toMatchObject({ action: "decline" });
    expect(toolApproval(1, "p", request({ _meta })).draft).toMatchObject({ permission: { action: "mcp__lab" } });
  });
});

describe("figures of a turn", () => {
  const update = (threadId: string, total: number, modelContextWindow: number | null = 100) =>
    ({
      threadId,
      turnId: "t",
      tokenUsage: {
        last: { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3, reasoningOutputTokens: 4, totalTokens: 10 },
        total: { totalTokens: total },
        modelContextWindow,
      },
    }) as never;

  test("are added up, those that are sent again left out", () => {
    const meter = createUsageMeter();
    expect(meter.take()).toBeUndefined();
    for (const total of [10, 10, 20]) meter.add(update("root", total), true);
    meter.skip(update("sub", 10));
    meter.add(update("sub", 10), false);
    meter.add(update("sub", 20), false);
    expect(meter.take()).toEqual({
      input_tokens: 3,
      output_tokens: 6,
      cached_tokens: 9,
      reasoning_tokens: 12,
      context_used: 10,
      context_window: 100,
    });
    expect(meter.take()).toBeUndefined();
  });

  test("of a subagent do not change the context", () => {
    const meter = createUsageMeter();
    meter.add(update("sub", 10), false);
    expect(meter.take()).not.toHaveProperty("context_used");
    meter.add(update("root", 10, null), true);
    expect(meter.take()).not.toHaveProperty("context_window");
  });
});
