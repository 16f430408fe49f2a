/** Items of Codex, from their start to their end, in the shapes that recordings do not show. */
import { describe, expect, test } from "vitest";
import type { Draft } from "../../draft.ts";
import type { ThreadItem } from "../generated/protocol.ts";
import { userInput } from "./input.ts";
import { createItems } from "./items.ts";
import { callOf, commandOf, isTool, outcomeOf } from "./tools.ts";

type Command = Extract<ThreadItem, { type: "commandExecution" }>;
const command = (fields: Partial<Command> = {}): Command => ({
  type: "commandExecution",
  id: "c",
  command: "ls",
  commandActions: [],
  cwd: "/w",
  status: "completed",
  ...fields,
});
const action = (words: string) => ({ type: "unknown", command: words }) as const;
const outline = (drafts: readonly Draft[]) =>
  drafts.map((draft) => {
    if (draft.type === "item.delta") return [draft.type, draft.native_item_id, draft.delta];
    if (draft.type !== "item.started" && draft.type !== "item.completed") return [draft.type];
    return [draft.type, draft.item.native_item_id, draft.item.content?.at(-1)];
  });

describe("a command", () => {
  test.each([
    ["bash -lc 'ls -l'", [action("ls -l")], "ls -l"],
    ["ls", [action("a"), action("b")], "ls"],
    ["/bin/bash -lc 'ls && pwd'", [], "ls && pwd"],
    ["sh -c ls", [], "ls"],
    [`zsh -lc 'echo '"'"'a'"'"''`, [], "echo 'a'"],
    ["bash -c 'echo '\\''a'\\'''", [], "echo 'a'"],
    ["ls 'a'", [], "ls 'a'"],
  ])("%s with %j was written as %s", (words, commandActions, written) => {
    expect(commandOf(command({ command: words, commandActions }))).toBe(written);
  });

  test.each([
    [{ aggregatedOutput: "out", exitCode: 0 }, "out", [{ type: "json", json: { exit_code: 0 } }], false],
    [{ status: "failed", exitCode: 2 }, "", [{ type: "json", json: { exit_code: 2 } }], true],
    [{ status: "declined" }, "The command was declined.", [], true],
    [{ status: "declined", aggregatedOutput: "half" }, "half", [], true],
  ] as const)("that ended with %j", (fields, output, parts, failed) => {
    expect(outcomeOf(command(fields))).toEqual({ output, parts, failed });
  });

  test("streams its output into its result", () => {
    const items = createItems(() => undefined);
    expect(items.output("c", "early")).toEqual([]);
    items.started(command({ status: "inProgress" }), "parent");
    const drafts = [...items.output("c", "a"), ...items.output("c", "b")];
    expect(outline(drafts)).toMatchObject([
      ["item.started", "c#result", { output: "" }],
      ["item.delta", "c#result", "a"],
      ["item.delta", "c#result", "b"],
    ]);
    expect(drafts[0]).toMatchObject({ item: { native_parent_id: "parent" } });
    expect(outline(items.completed(command({ aggregatedOutput: "ab" }), "parent"))).toMatchObject([
      ["item.completed", "c#result", { output: "ab" }],
    ]);
    expect([items.has("c"), items.has("d"), items.count]).toEqual([true, false, 1]);
  });

  test.each([
    [true, "Interrupted."],
    [false, "Still running."],
  ])("that is open at the end of a turn, interrupted: %s, has a result", (interrupted, output) => {
    const items = createItems(() => undefined);
    items.started(command(), undefined);
    expect(items.endTurn(interrupted)).toMatchObject([
      { type: "item.started" },
      { type: "item.completed", failed: interrupted, item: { content: [{ output }] } },
    ]);
    expect(items.endTurn(interrupted)).toEqual([]);
  });

  test.each([
    [{ aggregatedOutput: "a", status: "failed" }, []],
    [{ aggregatedOutput: "ab", status: "failed" }, ["item.started", "item.completed"]],
    [{ aggregatedOutput: "a" }, ["item.started", "item.completed"]],
  ] as const)("that ends after its turn with %j has its result again if it is news", (fields, types) => {
    const items = createItems(() => undefined);
    items.started(command(), undefined);
    items.output("c", "a");
    expect(items.endTurn(true)).toEqual([]);
    expect(items.output("c", "late")).toEqual([]);
    const late = items.completed(command(fields), undefined);
    expect(late.map(({ type }) => type)).toEqual(types);
    for (const draft of late) expect(draft).toMatchObject({ item: { native_item_id: "c#result-late" } });
  });
});

describe("a thought", () => {
  test("starts with its first text", () => {
    const items = createItems(() => undefined);
    expect(items.started({ type: "reasoning", id: "r" }, undefined)).toEqual([]);
    const drafts = [...items.reasoning("r", undefined, "a"), ...items.reasoning("r", undefined, "b")];
    expect(outline(drafts)).toMatchObject([
      ["item.started", "r", { type: "reasoning", text: "" }],
      ["item.delta", "r", "a"],
      ["item.delta", "r", "b"],
    ]);
    expect(outline(items.completed({ type: "reasoning", id: "r" }, undefined))).toMatchObject([
      ["item.completed", "r", { text: "ab", visibility: "public" }],
    ]);
  });

  test.each([
    [{ summary: ["a", "b"], content: ["c"] }, [{ text: "a\n\nb\n\nc" }]],
    [{ summary: [], content: [] }, []],
    [{}, []],
  ])("with %j is complete as %j", (fields, parts) => {
    const drafts = createItems(() => undefined).completed({ type: "reasoning", id: "r", ...fields }, undefined);
    expect(outline(drafts).map(([, , part]) => part)).toMatchObject(parts);
  });

  test("or a text after its turn is not emitted", () => {
    const items = createItems(() => undefined);
    items.started({ type: "reasoning", id: "r" }, undefined);
    items.started({ type: "agentMessage", id: "m", text: "" }, undefined);
    expect(outline(items.text("m", "a"))).toEqual([["item.delta", "m", "a"]]);
    expect(items.endTurn(true)).toEqual([]);
    expect([...items.reasoning("r", undefined, "a"), ...items.text("m", "b")]).toEqual([]);
  });
});

describe("a tool", () => {
  const change = { path: "/f", kind: { type: "add" as const }, diff: "a\n" };
  test.each<[ThreadItem, unknown, unknown]>([
    [command(), { name: "shell", input: { command: "ls", cwd: "/w" } }, { output: "", failed: false }],
    [
      { type: "fileChange", id: "i", changes: [change], status: "completed" },
      { name: "apply_patch", input: { changes: [change] } },
      { parts: [{ type: "file_ref", path: "/f", action: "write" }], failed: false },
    ],
    [
      { type: "fileChange", id: "i", changes: [change], status: "declined" },
      { name: "apply_patch" },
      { output: "The change was declined.", parts: [], failed: true },
    ],
    [
      { type: "fileChange", id: "i", changes: [change], status: "failed" },
      { name: "apply_patch" },
      { output: "The change was not applied.", parts: [], failed: true },
    ],
    [
      {
        type: "mcpToolCall",
        id: "i",
        server: "s",
        tool: "t",
        arguments: { a: 1 },
        status: "completed",
        result: { content: [{ type: "text", text: "out" }], structuredContent: { b: 2 } },
      },
      { name: "mcp__s__t", input: { a: 1 } },
      { output: "out", parts: [{ type: "json", json: { b: 2 } }], failed: false },
    ],
    [
      {
        type: "mcpToolCall",
        id: "i",
        server: "s",
        tool: "t",
        arguments: {},
        status: "failed",
        error: { message: "no" },
      },
      { name: "mcp__s__t" },
      { output: "no", parts: [], failed: true },
    ],
    [
      {
        type: "dynamicToolCall",
        id: "i",
        namespace: "n",
        tool: "t",
        arguments: {},
        status: "completed",
        success: true,
      },
      { name: "n.t" },
      { output: "", failed: false },
    ],
    [
      { type: "dynamicToolCall", id: "i", tool: "t", arguments: {}, status: "failed", success: false },
      { name: "t" },
      { failed: true },
    ],
    [
      { type: "webSearch", id: "i", query: "q" },
      { name: "web_search", input: { query: "q", action: null } },
      { output: "q", failed: false },
    ],
    [
      { type: "imageView", id: "i", path: "/a.png" },
      { name: "view_image", input: { path: "/a.png" } },
      { output: "/a.png", parts: [{ type: "image", path: "/a.png" }], failed: false },
    ],
    [
      { type: "imageGeneration", id: "i", revisedPrompt: "a cat", savedPath: "/c.png", status: "completed" },
      { name: "image_generation", input: { prompt: "a cat" } },
      { output: "/c.png", parts: [{ type: "image", path: "/c.png" }], failed: false },
    ],
    [
      { type: "imageGeneration", id: "i", status: "failed" },
      { name: "image_generation", input: { prompt: null } },
      { output: "failed", parts: [], failed: true },
    ],
    [
      {
        type: "collabAgentToolCall",
        id: "i",
        tool: "wait",
        receiverThreadIds: ["a"],
        agentsStates: { a: { status: "completed", message: "done" }, b: { status: "running" } },
        status: "completed",
      },
      { name: "wait", input: { agents: ["a"] } },
      { output: "done", failed: false },
    ],
    [
      {
        type: "collabAgentToolCall",
        id: "i",
        tool: "wait",
        receiverThreadIds: [],
        agentsStates: {},
        status: "failed",
      },
      { name: "wait" },
      { output: "failed", failed: true },
    ],
    [
      { type: "subAgentActivity", id: "i", kind: "started", agentPath: "/reviewer", agentThreadId: "a" },
      { name: "spawnAgent", input: { agent: "/reviewer" } },
      { output: "/reviewer started", failed: false },
    ],
    [
      { type: "functionCallOutput", id: "i", name: "f", output: "out" },
      { name: "f", input: {} },
      { output: "out", failed: false },
    ],
  ])("%j", (item, call, outcome) => {
    if (!isTool(item)) throw new Error("no tool");
    expect(callOf(item)).toMatchObject(call as object);
    expect(outcomeOf(item)).toMatchObject(outcome as object);
  });

  test("whose input is known at the end is completed then", () => {
    const items = createItems(() => undefined);
    expect(outline(items.started({ type: "webSearch", id: "w", query: "" }, undefined))).toMatchObject([
      ["item.started", "w", { name: "web_search" }],
    ]);
    expect(outline(items.completed({ type: "webSearch", id: "w", query: "q" }, undefined))).toMatchObject([
      ["item.completed", "w", { arguments: '{"query":"q","action":null}' }],
      ["item.completed", "w#result", { output: "q" }],
    ]);
  });

  test("that starts a subagent shows what the model passed to it, no other does", () => {
    const items = createItems(() => "passed");
    const start = { type: "subAgentActivity", id: "s", kind: "started", agentPath: "/a", agentThreadId: "a" } as const;
    expect(outline(items.started(start, undefined))[0]?.[2]).toMatchObject({ arguments: "passed" });
    expect(outline(items.started(command(), undefined))[0]?.[2]).toMatchObject({
      arguments: '{"command":"ls","cwd":"/w"}',
    });
    const unknown = outline(createItems(() => undefined).started(start, undefined));
    expect(unknown[0]?.[2]).toMatchObject({ arguments: '{"agent":"/a"}' });
  });

  test("that changes files is asked about with its changes, while it is open", () => {
    const items = createItems(() => undefined);
    items.started({ type: "fileChange", id: "f", changes: [change], status: "inProgress" }, undefined);
    items.started(command(), undefined);
    expect([items.changesOf("f"), items.changesOf("c"), items.changesOf("x")]).toEqual([
      [change],
      undefined,
      undefined,
    ]);
  });
});

test.each<[ThreadItem, string, string | undefined]>([
  [{ type: "contextCompaction", id: "n" }, "Context compacted", undefined],
  [{ type: "enteredReviewMode", id: "n", review: "r" }, "Review started", "r"],
  [{ type: "exitedReviewMode", id: "n", review: "r" }, "Review finished", "r"],
  [{ type: "sleep", id: "n", durationMs: 5 }, "Sleeping", "5 ms"],
  [
    { type: "subAgentActivity", id: "n", kind: "interacted", agentPath: "/a", agentThreadId: "a" },
    "Subagent",
    "/a interacted",
  ],
  [{ type: "hookPrompt", id: "n" }, "Hook", undefined],
])("%j is a notice", (item, label, detail) => {
  const draft = createItems(() => undefined)
    .completed(item, undefined)
    .at(-1);
  expect(draft?.type === "item.completed" && draft.item.content?.[0]).toEqual({
    type: "status",
    label,
    ...(detail && { detail }),
  });
});

test("pictures of a message go as pictures, other files by their paths", () => {
  const attachments = [{ path: "a.png", mime: "image/png" }, { path: "b.txt", mime: "text/plain" }, { path: "c" }];
  expect(userInput({ number: 1, text: "look", attachments }, "/w")).toEqual([
    { type: "text", text: "look\n\nAttachments:\n- b.txt\n- c" },
    { type: "localImage", path: "/w/a.png" },
  ]);
});
