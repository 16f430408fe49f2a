import {
  type EventData,
  type EventType,
  initialState,
  type UniversalEvent,
  type UniversalItem,
} from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { sessionInfo } from "../../session/session-info.ts";
import { emptyConversation } from "./conversation.ts";
import { factsOf, messagesOf } from "./messages.ts";
import { type Followed, project } from "./project.ts";
import { sessionView } from "./session-view.ts";
import type { OpenCodeEvent } from "./wire.ts";

const info = sessionInfo({ id: "ses_1", spec: { agent: "mock" }, state: initialState, firstSequence: 1, createdAt: 0 });

/** A session followed from its first event. */
function session() {
  const followed: Followed = {
    facts: factsOf(info),
    conversation: emptyConversation(Number.MAX_SAFE_INTEGER),
    view: () => sessionView(info),
    isAnnounced: () => false,
  };
  let sequence = 0;
  function emit<T extends EventType>(type: T, data: EventData<T>): OpenCodeEvent[] {
    sequence += 1;
    const event = {
      event_id: `evt_1_${sequence}`,
      sequence,
      time: new Date(sequence * 1000).toISOString(),
      session_id: "ses_1",
      native_session_id: null,
      source: "agent",
      synthetic: false,
      type,
      data,
    };
    // The signature ties `data` to `type`; the compiler cannot infer that through the generic type.
    return project(followed, event as unknown as UniversalEvent);
  }
  const prompt = (text: string) => [
    ...emit("turn.started", { phase: "started", turn_id: "turn_1", metadata: { message_id: "msg_1" } }),
    ...emit("item.started", { item: item("u", "message", "user", [{ type: "text", text }]) }),
  ];
  return { followed, emit, prompt, messages: () => [...messagesOf(followed.facts, followed.conversation)] };
}

function item(
  id: string,
  kind: UniversalItem["kind"],
  role: UniversalItem["role"],
  content: UniversalItem["content"],
  status: UniversalItem["status"] = "in_progress",
): UniversalItem {
  return { item_id: id, native_item_id: `native-${id}`, parent_id: null, kind, role, status, content };
}

const call = (name: string, input: unknown) =>
  item("c", "tool_call", "assistant", [
    { type: "tool_call", name, arguments: JSON.stringify(input), call_id: "call-1" },
  ]);
const result = (output: string, status: UniversalItem["status"], ...more: UniversalItem["content"]) =>
  item("r", "tool_result", "tool", [{ type: "tool_result", call_id: "call-1", output }, ...more], status);

function partsIn(events: OpenCodeEvent[]) {
  return events.flatMap((event) => (event.type === "message.part.updated" ? [event.properties.part] : []));
}

describe("a message", () => {
  test("is sent before the busy status, and its answer exists before the first item", () => {
    const { prompt } = session();
    expect(prompt("hello").map(({ type }) => type)).toEqual([
      "session.updated",
      "message.updated",
      "message.part.updated",
      "session.status",
      "message.updated",
    ]);
  });

  test("that steers a running turn gets an answer of its own", () => {
    const { prompt, emit, messages } = session();
    prompt("first");
    emit("item.started", { item: item("a", "message", "assistant", [{ type: "text", text: "one" }]) });
    emit("item.started", { item: item("u2", "message", "user", [{ type: "text", text: "second" }]) });
    emit("item.started", { item: item("b", "message", "assistant", [{ type: "text", text: "two" }]) });
    const shown = messages().map(({ info, parts }) => [info.role, ...parts.map((part) => "text" in part && part.text)]);
    expect(shown).toEqual([
      ["user", "first"],
      ["assistant", "one"],
      ["user", "second"],
      ["assistant", "two"],
    ]);
  });
});

describe("a tool", () => {
  test("is one part from its call to its result, under OpenCode's names", () => {
    const { prompt, emit } = session();
    prompt("run it");
    const [running] = partsIn(emit("item.started", { item: call("Bash", { command: "ls" }) }));
    expect(running).toMatchObject({
      tool: "bash",
      callID: "call-1",
      state: { status: "running", input: { command: "ls" } },
    });
    const [growing] = partsIn(emit("item.started", { item: result("READ", "in_progress") }));
    expect(growing).toMatchObject({ id: running?.id, state: { status: "running", metadata: { output: "READ" } } });
    const [done] = partsIn(emit("item.completed", { item: result("README.md", "completed") }));
    expect(done).toMatchObject({ id: running?.id, state: { status: "completed", output: "README.md", title: "ls" } });
  });

  test("that edits a file shows the diff, and file.edited is sent", () => {
    const { prompt, emit } = session();
    prompt("edit it");
    emit("item.started", { item: call("Edit", { file_path: "/a.ts" }) });
    const file = { type: "file_ref", path: "/a.ts", action: "patch", diff: "-a\n+b" } as const;
    const events = emit("item.completed", { item: result("ok", "completed", file) });
    expect(partsIn(events)).toMatchObject([
      { tool: "edit", state: { input: { filePath: "/a.ts" }, metadata: { diff: "-a\n+b" } } },
    ]);
    expect(events.at(-1)).toEqual({ type: "file.edited", properties: { file: "/a.ts" } });
  });

  test("whose result starts empty has one part", () => {
    const { prompt, emit, messages } = session();
    prompt("run it");
    emit("item.started", { item: call("Bash", { command: "ls" }) });
    expect(emit("item.started", { item: item("r", "tool_result", "tool", []) })).toEqual([]);
    emit("item.completed", { item: result("README.md", "completed") });
    expect(messages()[1]?.parts).toHaveLength(1);
  });

  test("that fails has the status error", () => {
    const { prompt, emit } = session();
    prompt("fail");
    emit("item.started", { item: call("Bash", { command: "false" }) });
    expect(partsIn(emit("item.completed", { item: result("exit 1", "failed") }))).toMatchObject([
      { state: { status: "error", error: "exit 1" } },
    ]);
  });

  test("without a result ends with its turn", () => {
    const { prompt, emit } = session();
    prompt("forget it");
    emit("item.started", { item: call("Bash", { command: "sleep" }) });
    const events = emit("turn.ended", { phase: "ended", turn_id: "turn_1", metadata: { reason: "completed" } });
    expect(partsIn(events)).toMatchObject([{ callID: "call-1", state: { status: "completed" } }]);
  });
});

describe("a permission", () => {
  const asked = (metadata: Record<string, unknown>) =>
    ({ permission_id: "p", action: "Bash", status: "requested", metadata }) as const;

  test("refers to the tool call it is about", () => {
    const { prompt, emit } = session();
    prompt("may I");
    emit("item.started", { item: call("Bash", { command: "ls" }) });
    const events = emit("permission.requested", asked({ tool_use_id: "call-1", command: "ls" }));
    expect(events).toMatchObject([
      { type: "permission.asked", properties: { permission: "bash", patterns: ["ls"], tool: { callID: "call-1" } } },
    ]);
  });

  test("without a tool call gets a part of its own until it is resolved", () => {
    const { prompt, emit, messages } = session();
    prompt("may I");
    const [part, request] = emit("permission.requested", asked({ command: "rm x" }));
    expect(part).toMatchObject({ properties: { part: { tool: "bash", state: { input: { command: "rm x" } } } } });
    const [shown] = partsIn(part ? [part] : []);
    expect(request).toMatchObject({ properties: { tool: { callID: shown?.type === "tool" && shown.callID } } });
    const settled = emit("permission.resolved", {
      ...asked({ command: "rm x", reply: "reject" }),
      status: "denied",
    });
    const id = request?.type === "permission.asked" ? request.properties.id : "";
    expect(settled[0]).toMatchObject({ properties: { requestID: id, reply: "reject" } });
    expect(messages()[1]?.parts).toMatchObject([{ id: shown?.id, state: { status: "error" } }]);
  });
});

describe("the end of a turn", () => {
  test("after an abort sends an error, and the session is idle", () => {
    const { prompt, emit, messages } = session();
    prompt("stop");
    const events = emit("turn.ended", { phase: "ended", turn_id: "turn_1", metadata: { reason: "aborted" } });
    expect(events.map(({ type }) => type)).toEqual([
      "session.error",
      "message.updated",
      "session.updated",
      "session.status",
      "session.idle",
    ]);
    expect(messages()[1]?.info).toMatchObject({ error: { name: "MessageAbortedError" } });
  });

  test("sets the tokens and the cost", () => {
    const { prompt, emit, messages } = session();
    prompt("count");
    const usage = { input_tokens: 3, output_tokens: 2, cached_tokens: 1, cost_usd: 0.5 };
    emit("turn.ended", { phase: "ended", turn_id: "turn_1", metadata: { reason: "completed", usage } });
    expect(messages()[1]?.info).toMatchObject({ cost: 0.5, tokens: { input: 3, output: 2, cache: { read: 1 } } });
  });
});
