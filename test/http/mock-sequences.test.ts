/** The mock agent is the reference for the order of events: the events of each command. */
import { type CheckOptions, checkEvents, type UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";

/** The whole history of a session with one message. */
async function sequenceOf(message: string, act?: (client: TestClient) => Promise<unknown>): Promise<UniversalEvent[]> {
  const client = await startTestClient({ turnStallMs: 2000 });
  await client.create("a");
  await client.send("a", message);
  await act?.(client);
  await client.wait("a");
  return client.events("a");
}

/** What follows session.started, turn.started and the user's item. */
const afterUser = (events: UniversalEvent[]) => outline(events).slice(4);

const said = (suffix: string, deltas = 1) => [
  `item.started message assistant in_progress mock_1_${suffix}`,
  ...Array(deltas).fill(`item.delta mock_1_${suffix}`),
  `item.completed message assistant completed mock_1_${suffix}`,
];

const tool = [
  "item.started tool_call assistant in_progress mock_1_tool_call",
  "item.completed tool_call assistant completed mock_1_tool_call",
  "item.started tool_result tool in_progress mock_1_tool_result",
  "item.completed tool_result tool failed mock_1_tool_result",
];

const status = ["item.started status - in_progress mock_1_status", "item.completed status - completed mock_1_status"];

const unknown = [
  "item.started unknown - in_progress mock_1_unknown",
  "item.completed unknown - completed mock_1_unknown",
];

const permissions = [
  "permission.requested mock_1_permission command_execution",
  "permission.requested mock_1_permission_denied file_change",
];

const questions = ["question.requested mock_1_question", "question.requested mock_1_question_reject"];

const ended = "turn.ended completed";

/** Commands whose turn ends by itself. */
const sequences: Record<string, string[]> = {
  "hello there": [...said("reply"), ended],
  "echo X": [...said("echo"), ended],
  "say X": [...said("echo"), ended],
  echo: [...said("echo"), ended],
  help: [...said("help"), ended],
  markdown: [...said("markdown", 8), ended],
  reason: [...said("rich", 2), ended],
  tool: [...tool, ended],
  tools: [...tool, ended],
  tooling: [...tool, ended],
  status: [...status, ended],
  image: [...said("image"), ended],
  unknown: [...unknown, ended],
  error: ["error mock_error", "agent.unparsed mock.stream", ended],
  unparsed: ["agent.unparsed mock.stream", ended],
  end: ["session.ended completed agent"],
  ended: ["session.ended completed agent"],
  "session.end": ["session.ended completed agent"],
  usage: [...said("usage"), ended],
  todo: ["item.started status - in_progress mock_1_todo", "item.completed status - completed mock_1_todo", ended],
  subagent: [
    "item.started tool_call assistant in_progress mock_1_task",
    ...said("sub_message"),
    "item.started tool_call assistant in_progress mock_1_sub_tool",
    "item.completed tool_call assistant completed mock_1_sub_tool",
    "item.started tool_result tool in_progress mock_1_sub_result",
    "item.completed tool_result tool completed mock_1_sub_result",
    "item.completed tool_call assistant completed mock_1_task",
    "item.started tool_result tool in_progress mock_1_task_result",
    "item.completed tool_result tool completed mock_1_task_result",
    ended,
  ],
  "slow 3 1": [...said("slow", 3), ended],
  "burst 1200": [...said("burst", 1200), ended],
  crash: [
    "item.started message assistant in_progress mock_1_crash",
    "item.delta mock_1_crash",
    "item.completed message assistant failed mock_1_crash",
    "error process_exit",
    "turn.ended failed",
  ],
  hang: ["error agent_stalled", "turn.ended stalled"],
  demo: [
    ...said("demo_system"),
    "item.started system system in_progress mock_1_system",
    "item.completed system system completed mock_1_system",
    ...said("demo_rich_message"),
    ...said("rich", 2),
    ...said("demo_status"),
    ...status,
    ...said("demo_markdown"),
    ...said("markdown", 8),
    ...said("demo_tool"),
    ...tool,
    ...said("demo_image"),
    ...said("image"),
    ...said("demo_unknown"),
    ...unknown,
    ...said("demo_permission"),
    ...permissions,
    ...said("demo_question"),
    ...questions,
    ...said("demo_error"),
    "error mock_error",
    "agent.unparsed mock.stream",
    ended,
  ],
};

/** Where the contract has the mock break a rule on purpose. */
const exceptions: Record<string, CheckOptions> = {
  error: { allowUnparsed: true },
  unparsed: { allowUnparsed: true },
  demo: { allowUnparsed: true, allowOpenRequests: true },
};

describe.each(Object.entries(sequences))("%s", (message, expected) => {
  test("has its sequence of events", async () => {
    expect(afterUser(await sequenceOf(message))).toEqual(expected);
  });

  test("keeps the rules of event order", async () => {
    const events = await sequenceOf(message);
    expect(checkEvents(events, { finished: true, ...exceptions[message] })).toEqual([]);
  });
});

/** Commands that ask, with the replies that let them go on. */
const replyTo = (request: string, body: unknown) => (client: TestClient) =>
  client.post(`/v1/sessions/a/${request}/reply`, body);
const once = { reply: "once" };
const red = { answers: [["Red"]] };
const askers: Record<string, { requests: string[]; replies: ReturnType<typeof replyTo>[]; resolved: string[] }> = {
  permission: {
    requests: permissions,
    replies: [replyTo("permissions/mock_1_permission", once), replyTo("permissions/mock_1_permission_denied", once)],
    resolved: [
      "permission.resolved mock_1_permission approved",
      "permission.resolved mock_1_permission_denied approved",
    ],
  },
  permission1: {
    requests: permissions.slice(0, 1),
    replies: [replyTo("permissions/mock_1_permission", once)],
    resolved: ["permission.resolved mock_1_permission approved"],
  },
  question: {
    requests: questions,
    replies: [replyTo("questions/mock_1_question", red), replyTo("questions/mock_1_question_reject", red)],
    resolved: ["question.resolved mock_1_question answered", "question.resolved mock_1_question_reject answered"],
  },
  question1: {
    requests: questions.slice(0, 1),
    replies: [replyTo("questions/mock_1_question", red)],
    resolved: ["question.resolved mock_1_question answered"],
  },
};
const aliases: Record<string, string> = { permissions: "permission", questions: "question" };

describe.each([...Object.keys(askers), ...Object.keys(aliases)])("%s", (command) => {
  const { requests = [], replies = [], resolved = [] } = askers[aliases[command] ?? command] ?? {};

  async function answerAll(client: TestClient): Promise<void> {
    const reader = await client.open("/v1/sessions/a/events/sse?offset=4");
    await reader.take(requests.length);
    for (const reply of replies) await reply(client);
  }

  test("asks, and ends its turn after the last reply", async () => {
    expect(afterUser(await sequenceOf(command, answerAll))).toEqual([
      ...requests,
      ...resolved,
      ...said("answered"),
      ended,
    ]);
  });

  test("keeps the rules of event order", async () => {
    expect(checkEvents(await sequenceOf(command, answerAll), { finished: true })).toEqual([]);
  });
});

describe("every message", () => {
  test("begins with its turn and the user's item", async () => {
    expect(outline(await sequenceOf("hello")).slice(0, 4)).toEqual([
      "session.started",
      "turn.started",
      "item.started message user in_progress mock_1_user",
      "item.completed message user completed mock_1_user",
    ]);
  });

  test("is counted: the second is mock_2", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.stream("a", "hello");
    expect(outline(await client.stream("a", "hello"))).toContain(
      "item.completed message assistant completed mock_2_reply",
    );
  });

  test.each(["TOOL", "Tool please", "  tool  "])("is a command by its first word in any case: %j", async (message) => {
    expect(afterUser(await sequenceOf(message))).toEqual(sequences.tool);
  });

  test("is not a command if only a later word is one", async () => {
    expect(afterUser(await sequenceOf("use a tool"))).toEqual([...said("reply"), ended]);
  });
});
