/** Every recording of real OpenCode traffic is translated whole: nothing unparsed, well-formed, no word of the model lost. */
import { readdirSync } from "node:fs";
import { checkEvents, type UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { readEvent } from "../../packages/agents/src/opencode/translate/native.ts";
import { fixtures, payloadOf, type Recorded, recording, replay, rootSessions } from "./opencode-replay.ts";
import { describeTranslations } from "./translated.ts";

const names = readdirSync(fixtures).filter((name) => name.endsWith(".jsonl"));

describeTranslations("opencode", (name) => {
  const lines = recording(name);
  return rootSessions(lines).map((session) => replay(lines, session));
});
const conversations = names
  .map((name) => ({ name, lines: recording(name) }))
  .flatMap(({ name, lines }) => rootSessions(lines).map((session) => ({ name, lines, session })));

test("there are recordings of more than fifty conversations", () => {
  expect(conversations.length).toBeGreaterThan(50);
});

test.each(conversations)("$name is well-formed", ({ lines, session }) => {
  expect(checkEvents(replay(lines, session), { finished: true })).toEqual([]);
});

test.each(conversations)("$name loses no word of the model", ({ lines, session }) => {
  const said = saidBy(replay(lines, session));
  const missing = wordsOf(lines, session).filter((words) => !said.some((text) => text.includes(words)));
  expect(missing).toEqual([]);
});

test.each(conversations)("$name keeps the native message beside every event of the agent", ({ lines, session }) => {
  const bare = replay(lines, session).filter(
    ({ source, raw, type }) => source === "agent" && raw === undefined && type !== "turn.ended",
  );
  expect(bare).toEqual([]);
});

test("every type of event that was ever recorded is understood or known to be of no use", () => {
  const samples = recording("events.jsonl").map(({ event }) => event.payload ?? event);
  const strange = samples
    .map((payload) => ({ payload, reading: readEvent(payload) }))
    .filter(({ reading }) => reading.kind === "unknown" || reading.kind === "unparsed");
  expect(strange).toEqual([]);
});

describe("what becomes of", () => {
  const only = (name: string) => {
    const lines = recording(name);
    const [session = ""] = rootSessions(lines);
    return replay(lines, session);
  };
  const kinds = (events: UniversalEvent[]) =>
    events.flatMap((event) =>
      event.type === "item.completed" && event.data.item.role !== "user"
        ? [`${event.data.item.kind} ${event.data.item.status}`]
        : [],
    );
  const ends = (events: UniversalEvent[]) =>
    events.flatMap((event) => (event.type === "turn.ended" ? [event.data.metadata?.reason] : []));
  const errors = (events: UniversalEvent[]) =>
    events.flatMap((event) => (event.type === "error" ? [event.data.code] : []));

  test("a command: a call, a streamed result and an answer", () => {
    const events = only("tool-bash-allowed.jsonl");
    expect(kinds(events)).toEqual([
      "tool_call completed",
      "message completed",
      "tool_result completed",
      "message completed",
    ]);
    const deltas = events.flatMap((event) => (event.type === "item.delta" ? [event.data.delta] : []));
    expect(deltas).toEqual(["running", "line 1\n", "line 2\n", "line 3\n", "finished"]);
  });

  test("a failing command: a failed result", () => {
    expect(kinds(only("tool-bash-fails.jsonl"))).toContain("tool_result failed");
  });

  test("file changes: references with unified diffs", () => {
    const refs = only("write-edit.jsonl").flatMap((event) =>
      event.type === "item.completed" && event.data.item.kind === "tool_result"
        ? event.data.item.content.filter(({ type }) => type === "file_ref")
        : [],
    );
    expect(refs).toMatchObject([
      { path: "/workspace/src/a.txt", action: "write", diff: expect.stringContaining("+one\n+two\n+three") },
      { path: "/workspace/src/a.txt", action: "patch", diff: expect.stringContaining("-two\n+TWO") },
    ]);
  });

  test("a todo list: a status item with the list as data", () => {
    const items = only("todo.jsonl").flatMap((event) =>
      event.type === "item.completed" && event.data.item.kind === "status" ? [event.data.item.content] : [],
    );
    expect(items).toMatchObject([
      [
        { type: "status" },
        {
          json: {
            todos: [
              { content: "Read the code", status: "in_progress" },
              { content: "Write the fix", status: "pending" },
            ],
          },
        },
      ],
    ]);
  });

  test("a subagent: its items belong to the call that started it", () => {
    const events = only("subagent-permission.jsonl");
    const items = events.flatMap((event) => (event.type === "item.started" ? [event.data.item] : []));
    const task = items.find(({ content }) => content.some((part) => part.type === "tool_call" && part.name === "task"));
    const inside = items.filter(({ parent_id }) => parent_id === task?.item_id);
    expect(inside.map(({ kind }) => kind)).toEqual(["tool_call", "tool_result", "message"]);
  });

  test("a question with several answers: all of it in the metadata", () => {
    const asked = only("question-multi.jsonl").find(({ type }) => type === "question.requested");
    expect(asked?.data).toMatchObject({
      prompt: "Pick some\nName it",
      options: ["A", "B", "C"],
      metadata: {
        questions: [
          { header: "Some", multiSelect: true },
          { header: "Name", multiSelect: false },
        ],
        tool: "question",
      },
    });
  });

  test.each([
    "abort-stream.jsonl",
    "abort-tool.jsonl",
    "abort-permission.jsonl",
    "abort-question.jsonl",
    "subagent-abort.jsonl",
  ])("an abort (%s): the end of the turn, no error", (name) => {
    const events = only(name);
    expect(ends(events)[0]).toBe("aborted");
    expect(errors(events)).toEqual([]);
  });

  test.each([
    ["error-401.jsonl", "auth_invalid"],
    ["error-400.jsonl", "invalid_request"],
    ["error-bad-model.jsonl", "model_not_found"],
    ["error-bad-agent.jsonl", "mode_not_found"],
  ])("a failure (%s): one error, %s, and a failed turn", (name, code) => {
    const events = only(name);
    expect(errors(events)).toEqual([code]);
    expect(ends(events)).toEqual(["failed"]);
  });

  test("a prompt while the agent is at work: one turn with both answers", () => {
    expect(ends(only("message-while-busy.jsonl"))).toEqual(["completed"]);
  });

  test.each(["shell.jsonl", "summarize.jsonl", "message-sync.jsonl"])(
    "work that was not asked for by a message (%s): a turn of its own",
    (name) => {
      expect(ends(only(name)).at(-1)).toBe("completed");
    },
  );

  test("a turn's figures: tokens of all its steps, and how full the context is", () => {
    const end = only("tool-bash-allowed.jsonl").find(({ type }) => type === "turn.ended");
    expect(end?.data).toMatchObject({
      metadata: {
        usage: { input_tokens: 200, output_tokens: 40, cost_usd: 0, context_used: 120, context_window: 128_000 },
      },
    });
  });
});

/** Everything that reached an item: its final content, and what was streamed. */
function saidBy(events: UniversalEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== "item.completed") return [];
    return event.data.item.content.flatMap((part) => {
      if (part.type === "text" || part.type === "reasoning") return [part.text];
      if (part.type === "tool_result") return [part.output];
      return [];
    });
  });
}

/** A message of the model that begins; one that is complete at first sight was copied from another session. */
function isNew({ role, time }: { role: string; time: { completed?: number } }): boolean {
  return role === "assistant" && time.completed === undefined;
}

/** Every text, thought and tool output of the model in a conversation and its subagents, from the recorded events. */
function wordsOf(lines: readonly Recorded[], session: string): string[] {
  const assistants = new Set<string>();
  const sessions = new Set([session]);
  const streamed = new Map<string, string>();
  const whole: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: the recording is read here without the code under test
  for (const payload of lines.map(payloadOf) as any[]) {
    const { type, properties } = payload ?? {};
    if (type === "session.created" && sessions.has(properties.info.parentID)) sessions.add(properties.sessionID);
    if (!properties || !sessions.has(properties.sessionID)) continue;
    if (type === "message.updated" && isNew(properties.info)) assistants.add(properties.info.id);
    if (type === "message.part.delta")
      streamed.set(properties.partID, (streamed.get(properties.partID) ?? "") + properties.delta);
    if (type !== "message.part.updated" || !assistants.has(properties.part.messageID)) continue;
    const { part } = properties;
    if (part.type === "text" || part.type === "reasoning") whole.push(part.text);
    if (part.type === "tool") whole.push(part.state.output ?? part.state.error ?? "");
  }
  return [...whole, ...streamed.values()].filter((words) => words !== "");
}
