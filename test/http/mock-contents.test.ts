/** What the events of the mock's commands contain. */
import type { ContentPart, EventOf, EventType, UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { startTestClient } from "../harness/daemon.ts";

async function eventsOf(message: string, query = ""): Promise<UniversalEvent[]> {
  const client = await startTestClient();
  await client.create("a");
  await client.send("a", message);
  await client.wait("a");
  return client.events("a", query);
}

function ofType<T extends EventType>(events: UniversalEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

/** The content of a completed item, found by the end of its native id. */
async function contentOf(message: string, suffix: string): Promise<ContentPart[] | undefined> {
  const completed = ofType(await eventsOf(message), "item.completed");
  return completed.find(({ data }) => data.item.native_item_id === `mock_1_${suffix}`)?.data.item.content;
}

describe("message contents", () => {
  test.each([
    ["hello there", "reply", "hello there"],
    ["echo hello  there", "echo", "hello  there"],
    ["say hello", "echo", "hello"],
    ["echo", "echo", "Nothing to echo: write `echo` and some text."],
  ])("to %j", async (message, suffix, text) => {
    expect(await contentOf(message, suffix)).toEqual([{ type: "text", text }]);
  });

  test.each(["reply", "help", "image", "markdown", "rich", "slow", "burst"])(
    "is the sum of its deltas: %s",
    async (suffix) => {
      const messages: Record<string, string> = { reply: "hello", rich: "reason", slow: "slow 3 1", burst: "burst 700" };
      const events = await eventsOf(messages[suffix] ?? suffix);
      const deltas = ofType(events, "item.delta").map(({ data }) => data.delta);
      const completed = ofType(events, "item.completed").at(-1);
      expect(completed?.data.item.content).toContainEqual({ type: "text", text: deltas.join("") });
    },
  );
});

test("help names every command", async () => {
  const [part] = (await contentOf("help", "help")) ?? [];
  const named = part?.type === "text" ? [...part.text.matchAll(/`([\w.]+)`(?=[,:])/g)].map(([, name]) => name) : [];
  const commands =
    "help echo say demo markdown reason tool tools tooling status todo subagent image unknown permission permissions permission1 question questions question1 usage slow burst error unparsed crash hang end ended session.end";
  expect(named.toSorted()).toEqual(commands.split(" ").toSorted());
});

test("markdown is a document with heading, list, code and table", async () => {
  const [part] = (await contentOf("markdown", "markdown")) ?? [];
  expect(part).toMatchObject({
    type: "text",
    text: expect.stringMatching(/^# [\s\S]*- first[\s\S]*```ts[\s\S]*\| a \|/),
  });
});

test("the pieces of markdown cut through its tokens", async () => {
  const deltas = ofType(await eventsOf("markdown"), "item.delta").map(({ data }) => data.delta);
  expect(deltas).toContainEqual(expect.stringMatching(/[^`]``$/));
});

test("tool calls a search", async () => {
  expect(await contentOf("tool", "tool_call")).toEqual([
    { type: "tool_call", name: "mock.search", arguments: '{"query":"example"}', call_id: "mock_1_call" },
  ]);
});

test("the result of tool has an output and three file references", async () => {
  expect(await contentOf("tool", "tool_result")).toEqual([
    { type: "tool_result", call_id: "mock_1_call", output: expect.any(String) },
    { type: "file_ref", path: expect.any(String), action: "read" },
    { type: "file_ref", path: expect.any(String), action: "write", diff: expect.stringContaining("@@") },
    { type: "file_ref", path: expect.any(String), action: "patch", diff: expect.stringContaining("@@") },
  ]);
});

test("status keeps its label and changes its detail", async () => {
  const events = await eventsOf("status");
  const [started, completed] = [ofType(events, "item.started").at(-1), ofType(events, "item.completed").at(-1)];
  expect([started?.data.item.content, completed?.data.item.content]).toEqual([
    [{ type: "status", label: "Mock status", detail: "working" }],
    [{ type: "status", label: "Mock status", detail: "done" }],
  ]);
});

test("image is a text and a picture", async () => {
  expect(await contentOf("image", "image")).toEqual([
    { type: "text", text: expect.any(String) },
    { type: "image", path: expect.any(String), mime: "image/png" },
  ]);
});

test("reason is text, public and private reasoning, and JSON", async () => {
  expect(await contentOf("reason", "rich")).toEqual([
    { type: "text", text: "A rich message." },
    { type: "reasoning", text: expect.any(String), visibility: "public" },
    { type: "reasoning", text: expect.any(String), visibility: "private" },
    { type: "json", json: expect.any(Object) },
  ]);
});

test("todo is a list with a status for each entry", async () => {
  expect(await contentOf("todo", "todo")).toContainEqual({
    type: "json",
    json: {
      todos: [
        { content: expect.any(String), status: "completed" },
        { content: expect.any(String), status: "in_progress" },
      ],
    },
  });
});

test("what the subagent does belongs to the task that called it", async () => {
  const items = ofType(await eventsOf("subagent"), "item.completed").map(({ data }) => data.item);
  const task = items.find(({ native_item_id }) => native_item_id === "mock_1_task");
  const children = items.filter(({ parent_id }) => parent_id !== null && parent_id === task?.item_id);
  expect(children.map(({ native_item_id }) => native_item_id)).toEqual([
    "mock_1_sub_message",
    "mock_1_sub_tool",
    "mock_1_sub_result",
  ]);
});

test("error names the mock", async () => {
  const [error] = ofType(await eventsOf("error"), "error");
  expect(error?.data).toEqual({ message: "mock error", code: "mock_error", details: { mock: true } });
});

test("unparsed keeps what could not be read", async () => {
  const [unparsed] = ofType(await eventsOf("unparsed", "?include_raw=true"), "agent.unparsed");
  expect(unparsed).toMatchObject({ data: { location: "mock.stream" }, raw: { mock: "unparsed" } });
});

describe("what the daemon adds is marked as synthetic", () => {
  const origins = async (message: string, ...types: EventType[]) => {
    const events = (await eventsOf(message)).filter(({ type }) => types.includes(type));
    return [...new Set(events.map(({ type, synthetic, source }) => `${type} ${synthetic} ${source}`))];
  };

  test("turns", async () => {
    expect(await origins("hello", "turn.started", "turn.ended")).toEqual([
      "turn.started true daemon",
      "turn.ended true daemon",
    ]);
  });

  test("the delta of a message that came in one piece", async () => {
    expect(await origins("hello", "item.delta")).toEqual(["item.delta true daemon"]);
  });

  test("not the deltas of the agent", async () => {
    expect(await origins("markdown", "item.delta")).toEqual(["item.delta false agent"]);
  });

  test("not the items of the agent", async () => {
    expect(await origins("tool", "item.completed")).toEqual([
      "item.completed true daemon",
      "item.completed false agent",
    ]);
  });

  test("the error of the mock, but not what it could not read", async () => {
    expect(await origins("error", "error", "agent.unparsed")).toEqual([
      "error true daemon",
      "agent.unparsed false agent",
    ]);
  });

  test("the end of the session", async () => {
    expect(await origins("end", "session.ended")).toEqual(["session.ended true daemon"]);
  });
});

test("slow without numbers is ten deltas, 100 ms apart", async () => {
  const events = await eventsOf("slow");
  const deltas = ofType(events, "item.delta");
  const [first, last] = [deltas.at(0), deltas.at(-1)].map((event) => Date.parse(event?.time ?? ""));
  expect([deltas.length, (last ?? 0) - (first ?? 0) >= 850]).toEqual([10, true]);
});
