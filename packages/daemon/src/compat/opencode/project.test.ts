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

/** A session that is followed from its first event. */
function session() {
  const followed: Followed = {
    facts: factsOf(info),
    conversation: emptyConversation(Number.MAX_SAFE_INTEGER),
    shown: () => sessionView(info),
    isAnnounced: () => false,
  };
  let sequence = 0;
  function happens<T extends EventType>(type: T, data: EventData<T>): OpenCodeEvent[] {
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
    // The parts fit together by the signature; the compiler cannot see it through the generic type.
    return project(followed, event as unknown as UniversalEvent);
  }
  const asks = (text: string) => [
    ...happens("turn.started", { phase: "started", turn_id: "turn_1", metadata: { message_id: "msg_1" } }),
    ...happens("item.started", { item: item("u", "message", "user", [{ type: "text", text }]) }),
  ];
  return { followed, happens, asks, messages: () => [...messagesOf(followed.facts, followed.conversation)] };
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
  test("comes before the turn is busy, and its answer is there before anything is said", () => {
    const { asks } = session();
    expect(asks("hello").map(({ type }) => type)).toEqual([
      "session.updated",
      "message.updated",
      "message.part.updated",
      "session.status",
      "message.updated",
    ]);
  });

  test("that steers a running turn begins an answer of its own", () => {
    const { asks, happens, messages } = session();
    asks("first");
    happens("item.started", { item: item("a", "message", "assistant", [{ type: "text", text: "one" }]) });
    happens("item.started", { item: item("u2", "message", "user", [{ type: "text", text: "second" }]) });
    happens("item.started", { item: item("b", "message", "assistant", [{ type: "text", text: "two" }]) });
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
    const { asks, happens } = session();
    asks("run it");
    const [running] = partsIn(happens("item.started", { item: call("Bash", { command: "ls" }) }));
    expect(running).toMatchObject({
      tool: "bash",
      callID: "call-1",
      state: { status: "running", input: { command: "ls" } },
    });
    const [growing] = partsIn(happens("item.started", { item: result("READ", "in_progress") }));
    expect(growing).toMatchObject({ id: running?.id, state: { status: "running", metadata: { output: "READ" } } });
    const [done] = partsIn(happens("item.completed", { item: result("README.md", "completed") }));
    expect(done).toMatchObject({ id: running?.id, state: { status: "completed", output: "README.md", title: "ls" } });
  });

  test("that edits a file shows the diff, and the file is told as edited", () => {
    const { asks, happens } = session();
    asks("edit it");
    happens("item.started", { item: call("Edit", { file_path: "/a.ts" }) });
    const file = { type: "file_ref", path: "/a.ts", action: "patch", diff: "-a\n+b" } as const;
    const events = happens("item.completed", { item: result("ok", "completed", file) });
    expect(partsIn(events)).toMatchObject([
      { tool: "edit", state: { input: { filePath: "/a.ts" }, metadata: { diff: "-a\n+b" } } },
    ]);
    expect(events.at(-1)).toEqual({ type: "file.edited", properties: { file: "/a.ts" } });
  });

  test("whose result begins without a word has one part all the same", () => {
    const { asks, happens, messages } = session();
    asks("run it");
    happens("item.started", { item: call("Bash", { command: "ls" }) });
    expect(happens("item.started", { item: item("r", "tool_result", "tool", []) })).toEqual([]);
    happens("item.completed", { item: result("README.md", "completed") });
    expect(messages()[1]?.parts).toHaveLength(1);
  });

  test("that failed is an error", () => {
    const { asks, happens } = session();
    asks("fail");
    happens("item.started", { item: call("Bash", { command: "false" }) });
    expect(partsIn(happens("item.completed", { item: result("exit 1", "failed") }))).toMatchObject([
      { state: { status: "error", error: "exit 1" } },
    ]);
  });

  test("whose end nobody has told is over with its turn", () => {
    const { asks, happens } = session();
    asks("forget it");
    happens("item.started", { item: call("Bash", { command: "sleep" }) });
    const events = happens("turn.ended", { phase: "ended", turn_id: "turn_1", metadata: { reason: "completed" } });
    expect(partsIn(events)).toMatchObject([{ callID: "call-1", state: { status: "completed" } }]);
  });
});

describe("a permission", () => {
  const asked = (metadata: Record<string, unknown>) =>
    ({ permission_id: "p", action: "Bash", status: "requested", metadata }) as const;

  test("refers to the tool call it is about", () => {
    const { asks, happens } = session();
    asks("may I");
    happens("item.started", { item: call("Bash", { command: "ls" }) });
    const events = happens("permission.requested", asked({ tool_use_id: "call-1", command: "ls" }));
    expect(events).toMatchObject([
      { type: "permission.asked", properties: { permission: "bash", patterns: ["ls"], tool: { callID: "call-1" } } },
    ]);
  });

  test("about no tool call brings a part that shows what is asked, until it is settled", () => {
    const { asks, happens, messages } = session();
    asks("may I");
    const [part, request] = happens("permission.requested", asked({ command: "rm x" }));
    expect(part).toMatchObject({ properties: { part: { tool: "bash", state: { input: { command: "rm x" } } } } });
    const [shown] = partsIn(part ? [part] : []);
    expect(request).toMatchObject({ properties: { tool: { callID: shown?.type === "tool" && shown.callID } } });
    const settled = happens("permission.resolved", {
      ...asked({ command: "rm x", reply: "reject" }),
      status: "denied",
    });
    const id = request?.type === "permission.asked" ? request.properties.id : "";
    expect(settled[0]).toMatchObject({ properties: { requestID: id, reply: "reject" } });
    expect(messages()[1]?.parts).toMatchObject([{ id: shown?.id, state: { status: "error" } }]);
  });
});

describe("the end of a turn", () => {
  test("that was aborted is told as such, and the session is idle", () => {
    const { asks, happens, messages } = session();
    asks("stop");
    const events = happens("turn.ended", { phase: "ended", turn_id: "turn_1", metadata: { reason: "aborted" } });
    expect(events.map(({ type }) => type)).toEqual([
      "session.error",
      "message.updated",
      "session.updated",
      "session.status",
      "session.idle",
    ]);
    expect(messages()[1]?.info).toMatchObject({ error: { name: "MessageAbortedError" } });
  });

  test("brings the tokens and the cost", () => {
    const { asks, happens, messages } = session();
    asks("count");
    const usage = { input_tokens: 3, output_tokens: 2, cached_tokens: 1, cost_usd: 0.5 };
    happens("turn.ended", { phase: "ended", turn_id: "turn_1", metadata: { reason: "completed", usage } });
    expect(messages()[1]?.info).toMatchObject({ cost: 0.5, tokens: { input: 3, output: 2, cache: { read: 1 } } });
  });
});
