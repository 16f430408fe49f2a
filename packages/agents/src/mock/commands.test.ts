import { describe, expect, test } from "vitest";
import type { Turn } from "../agent.ts";
import type { Draft, DraftItem } from "../draft.ts";
import { isEnd, line, spec } from "./mock-drafts.ts";
import { openMockSession } from "./session.ts";

/** All drafts of a turn that ends by itself. */
async function draftsOf(text: string, number = 1, attachments: Turn["attachments"] = []): Promise<Draft[]> {
  const drafts: Draft[] = [];
  const ended = Promise.withResolvers<void>();
  const session = openMockSession(spec, {
    async emit(batch) {
      drafts.push(...batch);
      if (batch.some(isEnd)) ended.resolve();
    },
  });
  await session.send({ number, text, attachments });
  await ended.promise;
  return drafts;
}

function completedItems(drafts: Draft[]): DraftItem[] {
  return drafts.flatMap((draft) => (draft.type === "item.completed" ? [draft.item] : []));
}

function textsOf(drafts: Draft[]): string[] {
  return completedItems(drafts).flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
}

function streamedText(drafts: Draft[]): string {
  return drafts.map((draft) => (draft.type === "item.delta" ? draft.delta : "")).join("");
}

function repeated(text: string, times: number): string[] {
  return Array.from({ length: times }, () => text);
}

describe("the command", () => {
  const tool = [
    "item.started mock_3_tool_call",
    "item.completed mock_3_tool_call",
    "item.started mock_3_tool_result",
    "item.completed mock_3_tool_result",
    "turn.ended",
  ];
  const plainCommands: [string, string[]][] = [
    ["hello there", ["item.started mock_3_reply", "item.completed mock_3_reply", "turn.ended"]],
    ["echo hello", ["item.started mock_3_echo", "item.completed mock_3_echo", "turn.ended"]],
    ["help", ["item.started mock_3_help", "item.completed mock_3_help", "turn.ended"]],
    [
      "markdown",
      [
        "item.started mock_3_markdown",
        ...repeated("item.delta mock_3_markdown", 8),
        "item.completed mock_3_markdown",
        "turn.ended",
      ],
    ],
    [
      "reason",
      [
        "item.started mock_3_rich",
        ...repeated("item.delta mock_3_rich", 2),
        "item.completed mock_3_rich",
        "turn.ended",
      ],
    ],
    ["tool", tool],
    ["tools", tool],
    ["tooling", tool],
    ["status", ["item.started mock_3_status", "item.completed mock_3_status", "turn.ended"]],
    ["todo", ["item.started mock_3_todo", "item.completed mock_3_todo", "turn.ended"]],
    [
      "subagent",
      [
        "item.started mock_3_task",
        "item.started mock_3_sub_message",
        "item.completed mock_3_sub_message",
        "item.started mock_3_sub_tool",
        "item.completed mock_3_sub_tool",
        "item.started mock_3_sub_result",
        "item.completed mock_3_sub_result",
        "item.completed mock_3_task",
        "item.started mock_3_task_result",
        "item.completed mock_3_task_result",
        "turn.ended",
      ],
    ],
    ["image", ["item.started mock_3_image", "item.completed mock_3_image", "turn.ended"]],
    ["unknown", ["item.started mock_3_unknown", "item.completed mock_3_unknown", "turn.ended"]],
    ["usage", ["item.started mock_3_usage", "item.completed mock_3_usage", "turn.ended"]],
    [
      "slow 2 1",
      [
        "item.started mock_3_slow",
        ...repeated("item.delta mock_3_slow", 2),
        "item.completed mock_3_slow",
        "turn.ended",
      ],
    ],
    ["error", ["error", "agent.unparsed", "turn.ended"]],
    ["unparsed", ["agent.unparsed", "turn.ended"]],
    ["crash", ["item.started mock_3_crash", "item.delta mock_3_crash", "agent.exited"]],
    ["end", ["session.ended"]],
    ["ended", ["session.ended"]],
    ["session.end", ["session.ended"]],
  ];

  test.each(plainCommands)("%s", async (command, lines) => {
    expect((await draftsOf(command, 3)).map(line)).toEqual(lines);
  });

  test("demo emits every kind of event, each part announced", async () => {
    const announced = (part: string) => [`item.started mock_3_demo_${part}`, `item.completed mock_3_demo_${part}`];
    expect((await draftsOf("demo", 3)).map(line)).toEqual([
      ...announced("system"),
      "item.started mock_3_system",
      "item.completed mock_3_system",
      ...announced("rich_message"),
      "item.started mock_3_rich",
      ...repeated("item.delta mock_3_rich", 2),
      "item.completed mock_3_rich",
      ...announced("status"),
      "item.started mock_3_status",
      "item.completed mock_3_status",
      ...announced("markdown"),
      "item.started mock_3_markdown",
      ...repeated("item.delta mock_3_markdown", 8),
      "item.completed mock_3_markdown",
      ...announced("tool"),
      ...tool.slice(0, -1),
      ...announced("image"),
      "item.started mock_3_image",
      "item.completed mock_3_image",
      ...announced("unknown"),
      "item.started mock_3_unknown",
      "item.completed mock_3_unknown",
      ...announced("permission"),
      "permission.requested mock_3_permission",
      "permission.requested mock_3_permission_denied",
      ...announced("question"),
      "question.requested mock_3_question",
      "question.requested mock_3_question_reject",
      ...announced("error"),
      "error",
      "agent.unparsed",
      "turn.ended",
    ]);
  });

  test("burst sends the given number of deltas", async () => {
    const drafts = await draftsOf("burst 1203");
    expect(drafts.filter(({ type }) => type === "item.delta")).toHaveLength(1203);
  });

  test.each(["ECHO hello", "Echo hello", "  echo   hello"])("may be written as %j", async (text) => {
    expect(textsOf(await draftsOf(text))).toEqual(["hello"]);
  });
});

describe("content:", () => {
  test("text that is not a command is repeated", async () => {
    expect(textsOf(await draftsOf(" Hello,\nworld "))).toEqual([" Hello,\nworld "]);
  });

  test.each(["echo some words", "say some words"])("%s repeats the rest", async (command) => {
    expect(textsOf(await draftsOf(command))).toEqual(["some words"]);
  });

  test("echo without words gives a hint", async () => {
    expect(textsOf(await draftsOf("echo"))).toEqual([expect.stringContaining("echo")]);
  });

  test("attachments are part of the prompt", async () => {
    const drafts = await draftsOf("echo look", 1, [{ path: "/a.txt", filename: "notes" }]);
    expect(textsOf(drafts)).toEqual(["look\n\nAttachments:\n- /a.txt (notes)"]);
  });

  test.each([
    "echo",
    "demo",
    "markdown",
    "tool",
    "status",
    "image",
    "unknown",
    "permission",
    "question",
    "error",
    "end",
  ])("help mentions %s", async (command) => {
    expect(textsOf(await draftsOf("help"))).toEqual([expect.stringContaining(`\`${command}\``)]);
  });

  test.each(["markdown", "slow 3 1", "burst 700"])("%s streams exactly the text it ends with", async (command) => {
    const drafts = await draftsOf(command);
    expect(textsOf(drafts)).toEqual([streamedText(drafts)]);
  });

  test("a tool call carries its arguments as JSON text", async () => {
    const [call] = completedItems(await draftsOf("tool", 2));
    expect(call).toMatchObject({
      kind: "tool_call",
      role: "assistant",
      content: [{ type: "tool_call", name: "mock.search", arguments: '{"query":"example"}', call_id: "mock_2_call" }],
    });
  });

  test("the tool result fails, with references to files", async () => {
    const result = (await draftsOf("tool", 2)).findLast(({ type }) => type === "item.completed");
    expect(result).toMatchObject({
      failed: true,
      item: {
        kind: "tool_result",
        role: "tool",
        content: [
          { type: "tool_result", call_id: "mock_2_call" },
          { type: "file_ref", action: "read" },
          { type: "file_ref", action: "write", diff: expect.any(String) },
          { type: "file_ref", action: "patch", diff: expect.any(String) },
        ],
      },
    });
  });

  test("a status keeps its label and changes its detail", async () => {
    const statuses = (await draftsOf("status")).flatMap((draft) => ("item" in draft ? draft.item.content : []));
    expect(statuses).toEqual([
      { type: "status", label: "Mock status", detail: "working" },
      { type: "status", label: "Mock status", detail: "done" },
    ]);
  });

  test("an image comes with text", async () => {
    const [message] = completedItems(await draftsOf("image"));
    expect(message?.content).toMatchObject([{ type: "text" }, { type: "image", mime: "image/png" }]);
  });

  test("a rich message has text, reasoning of both kinds and JSON", async () => {
    const [message] = completedItems(await draftsOf("reason"));
    expect(message?.content).toMatchObject([
      { type: "text" },
      { type: "reasoning", visibility: "public" },
      { type: "reasoning", visibility: "private" },
      { type: "json" },
    ]);
  });

  test("items of a subagent belong to the tool call that started it", async () => {
    const parents = completedItems(await draftsOf("subagent")).map((item) => [
      item.native_item_id,
      item.native_parent_id,
    ]);
    expect(parents).toEqual([
      ["mock_1_sub_message", "mock_1_task"],
      ["mock_1_sub_tool", "mock_1_task"],
      ["mock_1_sub_result", "mock_1_task"],
      ["mock_1_task", undefined],
      ["mock_1_task_result", undefined],
    ]);
  });

  test("an error is synthetic and marked as the mock's", async () => {
    const [error] = await draftsOf("error");
    expect(error).toMatchObject({ synthetic: true, error: { code: "mock_error", details: { mock: true } } });
  });

  test("an unparsed message keeps its raw form", async () => {
    const [unparsed] = await draftsOf("unparsed");
    expect(unparsed).toMatchObject({ unparsed: { location: "mock.stream" }, raw: { mock: "unparsed" } });
  });

  test("a turn may end with its usage", async () => {
    expect((await draftsOf("usage")).at(-1)).toMatchObject({ type: "turn.ended", usage: { input_tokens: 1200 } });
  });

  test("a crash leaves an exit code and what was on stderr", async () => {
    expect((await draftsOf("crash")).at(-1)).toMatchObject({
      type: "agent.exited",
      exit: { code: 1, stderr: { head: expect.stringContaining("crash"), truncated: false } },
    });
  });
});
