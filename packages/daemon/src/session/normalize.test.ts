import type { AgentExit, Draft, DraftItem } from "@sandbox-agent/agents";
import {
  type ContentPart,
  checkEvents,
  foldEvent,
  initialState,
  type TurnEndReason,
  type UniversalEvent,
} from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { type EventBody, endTurn, type ItemMemory, normalize } from "./normalize.ts";

/** A session that has started, and its events. */
function idleSession() {
  const events: UniversalEvent[] = [];
  const memory: ItemMemory = {
    itemIds: new Map(),
    deltasOf: ({ item }) =>
      events.flatMap((event) =>
        event.type === "item.delta" && event.data.item_id === item.item_id ? [event.data.delta] : [],
      ),
  };
  const state = () => events.reduce(foldEvent, initialState);

  function store(bodies: EventBody[]): EventBody[] {
    const envelope = { time: "2025-01-01T00:00:00.000Z", session_id: "s", native_session_id: null } as const;
    for (const body of bodies) {
      const sequence = events.length + 1;
      const source = body.synthetic ? "daemon" : "agent";
      events.push({ event_id: `evt_${sequence}`, sequence, ...envelope, source, ...body });
    }
    return bodies;
  }

  store([{ type: "session.started", data: {}, synthetic: true }]);
  return {
    events,
    store,
    /** What is made of drafts, one after the other. */
    accept: (...drafts: Draft[]) => drafts.flatMap((draft) => store(normalize(state(), memory, draft))),
    end: (reason: TurnEndReason) => store(endTurn(state(), memory, reason)),
  };
}

/** A session in its first turn; the user's message is itm_1. */
function session() {
  const idle = idleSession();
  const user = { item_id: "itm_1", native_item_id: null, parent_id: null, kind: "message", role: "user" } as const;
  idle.store([
    { type: "turn.started", data: { phase: "started", turn_id: "turn_1" }, synthetic: true },
    { type: "item.started", data: { item: { ...user, status: "in_progress", content: [] } }, synthetic: true },
    { type: "item.completed", data: { item: { ...user, status: "completed", content: [] } }, synthetic: true },
  ]);
  return idle;
}

function message(id: string, ...content: ContentPart[]): DraftItem {
  return { native_item_id: id, kind: "message", role: "assistant", content };
}

function toolCall(id: string): DraftItem {
  const content: ContentPart[] = [{ type: "tool_call", name: "ls", arguments: "{}", call_id: "1" }];
  return { native_item_id: id, kind: "tool_call", role: "assistant", content };
}

function text(words: string): ContentPart {
  return { type: "text", text: words };
}

function started(item: DraftItem): Draft {
  return { type: "item.started", item };
}

function delta(id: string, words: string): Draft {
  return { type: "item.delta", native_item_id: id, delta: words };
}

function completed(item: DraftItem): Draft {
  return { type: "item.completed", item };
}

const permission: Draft = { type: "permission.requested", permission: { permission_id: "p", action: "edit" } };
const question: Draft = {
  type: "question.requested",
  question: { question_id: "q", prompt: "Which?", options: ["a"] },
};
const turnEnded: Draft = { type: "turn.ended" };

function exited(code: number | null): Draft & { exit: AgentExit } {
  const stderr = { head: "fatal", tail: null, truncated: false, total_lines: 1 };
  return { type: "agent.exited", exit: { code, message: "the agent is gone", stderr } };
}

function types(bodies: EventBody[]): string[] {
  return bodies.map(({ type }) => type);
}

describe("an item", () => {
  test("gets the next item id and keeps its native one", () => {
    const bodies = session().accept(started(message("m1")), started(toolCall("c1")));
    expect(bodies).toMatchObject([
      { data: { item: { item_id: "itm_2", native_item_id: "m1", status: "in_progress" } }, synthetic: false },
      { data: { item: { item_id: "itm_3", native_item_id: "c1", status: "in_progress" } }, synthetic: false },
    ]);
  });

  test("that is announced twice starts once", () => {
    expect(session().accept(started(message("m")), started(message("m")))).toHaveLength(1);
  });

  test("is completed under the id it started with", () => {
    const [, , end] = session().accept(started(message("m")), delta("m", "hi"), completed(message("m", text("hi"))));
    expect(end).toEqual({
      type: "item.completed",
      data: {
        item: {
          item_id: "itm_2",
          native_item_id: "m",
          parent_id: null,
          kind: "message",
          role: "assistant",
          status: "completed",
          content: [text("hi")],
        },
      },
      synthetic: false,
    });
  });

  test("that failed has the status failed", () => {
    const bodies = session().accept({ type: "item.completed", item: toolCall("c"), failed: true });
    expect(bodies.at(-1)).toMatchObject({ data: { item: { status: "failed" } } });
  });

  test("keeps the raw agent output in its events", () => {
    const raw = { native: true };
    const bodies = session().accept({ type: "item.completed", item: toolCall("c"), raw });
    expect(bodies.map((body) => body.raw)).toEqual([undefined, raw]);
  });

  test("that is synthetic in the draft stays synthetic", () => {
    expect(session().accept({ ...started(message("m")), synthetic: true })).toMatchObject([{ synthetic: true }]);
  });
});

describe("a missing item.started", () => {
  test("of a completed item is added, without its content", () => {
    const bodies = session().accept(completed(toolCall("c")));
    expect(bodies).toMatchObject([
      { type: "item.started", synthetic: true, data: { item: { item_id: "itm_2", kind: "tool_call", content: [] } } },
      { type: "item.completed", synthetic: false, data: { item: { item_id: "itm_2", status: "completed" } } },
    ]);
  });

  test("of an item known only by its delta is that of an assistant message", () => {
    const bodies = session().accept(delta("m", "hi"));
    expect(bodies).toMatchObject([
      {
        type: "item.started",
        synthetic: true,
        data: { item: { item_id: "itm_2", native_item_id: "m", kind: "message", role: "assistant", content: [] } },
      },
      { type: "item.delta", synthetic: false, data: { item_id: "itm_2", native_item_id: "m", delta: "hi" } },
    ]);
  });

  test("is added once for several deltas", () => {
    expect(types(session().accept(delta("m", "h"), delta("m", "i")))).toEqual([
      "item.started",
      "item.delta",
      "item.delta",
    ]);
  });

  test("of an item known only by its delta keeps its kind; a completion of another kind is a new item", () => {
    const { accept } = session();
    accept(delta("c", "{}"));
    expect(accept(completed(toolCall("c")))).toMatchObject([
      { type: "item.completed", synthetic: true, data: { item: { item_id: "itm_2", kind: "message" } } },
      { type: "item.started", synthetic: true, data: { item: { item_id: "itm_3", kind: "tool_call" } } },
      { type: "item.completed", synthetic: false, data: { item: { item_id: "itm_3", kind: "tool_call" } } },
    ]);
  });
});

describe("a message that arrives in one piece", () => {
  test("gets one synthetic delta with its whole text", () => {
    const bodies = session().accept(started(message("m")), completed(message("m", text("one"), text("two"))));
    expect(types(bodies)).toEqual(["item.started", "item.delta", "item.completed"]);
    expect(bodies[1]).toEqual({
      type: "item.delta",
      data: { item_id: "itm_2", native_item_id: "m", delta: "one\ntwo" },
      synthetic: true,
    });
  });

  test("gets it too when its start was missing", () => {
    expect(types(session().accept(completed(message("m", text("hi")))))).toEqual([
      "item.started",
      "item.delta",
      "item.completed",
    ]);
  });

  test.each<[string, DraftItem]>([
    ["a user message", { native_item_id: "m", kind: "message", role: "user", content: [text("hi")] }],
    ["a message without text", message("m", { type: "image", path: "a.png" })],
    ["a system notice", { native_item_id: "m", kind: "system", role: "system", content: [text("hi")] }],
    ["a tool call", toolCall("m")],
  ])("gets none if it is %s", (_, item) => {
    expect(types(session().accept(started(item), completed(item)))).toEqual(["item.started", "item.completed"]);
  });

  test("gets none if it was streamed", () => {
    const bodies = session().accept(delta("m", "hi"), completed(message("m", text("hi"))));
    expect(types(bodies)).toEqual(["item.started", "item.delta", "item.completed"]);
  });
});

describe("the parent of an item", () => {
  test("is named by its item id", () => {
    const bodies = session().accept(started(toolCall("task")), started({ ...message("m"), native_parent_id: "task" }));
    expect(bodies[1]).toMatchObject({ data: { item: { parent_id: "itm_2" } } });
  });

  test("is found after it is completed", () => {
    const bodies = session().accept(
      completed(toolCall("task")),
      started({ ...message("m"), native_parent_id: "task" }),
    );
    expect(bodies.at(-1)).toMatchObject({ data: { item: { parent_id: "itm_2" } } });
  });

  test("is kept when the completion does not repeat it", () => {
    const child = { ...message("m"), native_parent_id: "task" };
    const bodies = session().accept(started(toolCall("task")), started(child), completed(message("m")));
    expect(bodies.at(-1)).toMatchObject({ data: { item: { parent_id: "itm_2" } } });
  });

  test("is null when it is unknown", () => {
    const bodies = session().accept(started({ ...message("m"), native_parent_id: "nobody" }));
    expect(bodies).toMatchObject([{ data: { item: { parent_id: null } } }]);
  });
});

describe("a request", () => {
  test("for a permission is open", () => {
    expect(session().accept(permission)).toEqual([
      {
        type: "permission.requested",
        data: { permission_id: "p", action: "edit", status: "requested" },
        synthetic: false,
      },
    ]);
  });

  test("for an answer is open", () => {
    expect(session().accept(question)).toEqual([
      {
        type: "question.requested",
        data: { question_id: "q", prompt: "Which?", options: ["a"], status: "requested", response: null },
        synthetic: false,
      },
    ]);
  });
});

describe("a request that the agent withdraws", () => {
  const withdrawn = (id: string): Draft => ({ type: "request.withdrawn", request_id: id });

  test("is denied if it was for a permission", () => {
    const { accept } = session();
    accept(permission, question);
    expect(accept(withdrawn("p"))).toMatchObject([
      {
        type: "permission.resolved",
        synthetic: true,
        data: { permission_id: "p", status: "denied", metadata: { reply: "reject", reason: "withdrawn" } },
      },
    ]);
  });

  test("is rejected if it was a question", () => {
    const { accept } = session();
    accept(permission, question);
    expect(accept(withdrawn("q"))).toMatchObject([
      {
        type: "question.resolved",
        synthetic: true,
        data: { question_id: "q", status: "rejected", metadata: { reason: "withdrawn" } },
      },
    ]);
  });

  test("emits nothing if it is not open", () => {
    expect(session().accept(withdrawn("p"))).toEqual([]);
  });
});

describe("a turn that the agent begins", () => {
  test("is the next one, and marked as the agent's", () => {
    const { accept } = session();
    accept(turnEnded);
    expect(accept({ type: "turn.started" })).toEqual([
      {
        type: "turn.started",
        data: { phase: "started", turn_id: "turn_2", metadata: { origin: "agent" } },
        synthetic: false,
      },
    ]);
  });

  test("is none if a turn runs already", () => {
    expect(session().accept({ type: "turn.started" })).toEqual([]);
  });
});

test("the agent's id of the session is no event", () => {
  expect(session().accept({ type: "session.identified", native_session_id: "n" })).toEqual([]);
});

test.each<[string, Draft, EventBody]>([
  [
    "an error",
    { type: "error", error: { message: "broken", code: "x" }, synthetic: true },
    { type: "error", data: { message: "broken", code: "x" }, synthetic: true },
  ],
  [
    "what was not understood",
    { type: "agent.unparsed", unparsed: { error: "no JSON", location: "stdout" }, raw: "{" },
    { type: "agent.unparsed", data: { error: "no JSON", location: "stdout" }, synthetic: false, raw: "{" },
  ],
])("%s is passed on as it is", (_, draft, body) => {
  expect(session().accept(draft)).toEqual([body]);
});

describe("the end of a turn", () => {
  test("has the reason completed unless the agent gives another", () => {
    expect(session().accept(turnEnded)).toEqual([
      {
        type: "turn.ended",
        data: { phase: "ended", turn_id: "turn_1", metadata: { reason: "completed" } },
        synthetic: false,
      },
    ]);
  });

  test("carries reason and usage", () => {
    const bodies = session().accept({ type: "turn.ended", reason: "aborted", usage: { input_tokens: 1 } });
    expect(bodies).toMatchObject([{ data: { metadata: { reason: "aborted", usage: { input_tokens: 1 } } } }]);
  });

  test("is ignored when no turn runs", () => {
    expect(idleSession().accept(turnEnded)).toEqual([]);
  });

  test.each<[TurnEndReason, string]>([
    ["completed", "completed"],
    ["aborted", "failed"],
    ["failed", "failed"],
    ["stalled", "failed"],
    ["interrupted", "failed"],
    ["terminated", "failed"],
  ])("with reason %s leaves open items %s", (reason, status) => {
    const { accept } = session();
    accept(started(toolCall("c")));
    expect(accept({ type: "turn.ended", reason })).toMatchObject([
      { type: "item.completed", synthetic: true, data: { item: { item_id: "itm_2", status } } },
      { type: "turn.ended" },
    ]);
  });

  test("completes open items with what was streamed", () => {
    const { accept } = session();
    accept(started(message("m", text("A "))), delta("m", "half "), delta("m", "word"));
    expect(accept(turnEnded)).toMatchObject([{ data: { item: { content: [text("A half word")] } } }, {}]);
  });

  test("completes each open item with its own deltas", () => {
    const { accept } = session();
    accept(delta("a", "1"), delta("b", "2"), delta("a", "3"));
    expect(accept(turnEnded)).toMatchObject([
      { data: { item: { native_item_id: "a", content: [text("13")] } } },
      { data: { item: { native_item_id: "b", content: [text("2")] } } },
      {},
    ]);
  });

  test("gives an open message that was never streamed its delta", () => {
    const { accept } = session();
    accept(started(message("m", text("whole"))));
    expect(types(accept(turnEnded))).toEqual(["item.delta", "item.completed", "turn.ended"]);
  });

  test("by the agent leaves requests open", () => {
    const { accept } = session();
    accept(permission, question);
    expect(types(accept(turnEnded))).toEqual(["turn.ended"]);
  });

  test("with any other reason denies open requests", () => {
    const { accept } = session();
    accept(permission, question);
    expect(accept({ type: "turn.ended", reason: "aborted" })).toMatchObject([
      {
        type: "permission.resolved",
        synthetic: true,
        data: { permission_id: "p", status: "denied", metadata: { reply: "reject", reason: "aborted" } },
      },
      {
        type: "question.resolved",
        synthetic: true,
        data: { question_id: "q", status: "rejected", response: null, metadata: { reason: "aborted" } },
      },
      { type: "turn.ended" },
    ]);
  });

  test("by the daemon is synthetic and closes everything", () => {
    const { accept, end } = session();
    accept(started(message("m")), permission, question);
    const bodies = end("interrupted");
    expect(types(bodies)).toEqual(["item.completed", "permission.resolved", "question.resolved", "turn.ended"]);
    expect(bodies.at(-1)).toMatchObject({ synthetic: true, data: { metadata: { reason: "interrupted" } } });
  });

  test("by the daemon closes what is open when no turn runs", () => {
    const { accept, end } = session();
    accept(permission, turnEnded);
    expect(types(end("terminated"))).toEqual(["permission.resolved"]);
  });
});

describe("the exit of the agent's process", () => {
  test.each([0, 1, 137, null])("with code %j ends the turn as failed, after the error", (code) => {
    const { accept } = session();
    accept(started(message("m")), permission, question);
    expect(accept(exited(code))).toMatchObject([
      { type: "item.completed", data: { item: { status: "failed" } } },
      { type: "permission.resolved" },
      { type: "question.resolved" },
      {
        type: "error",
        synthetic: true,
        data: {
          code: "process_exit",
          message: "the agent is gone",
          details: { exit_code: code, stderr: exited(code).exit.stderr },
        },
      },
      { type: "turn.ended", synthetic: true, data: { metadata: { reason: "failed" } } },
    ]);
  });

  test.each([0, 1])("with code %j between turns emits nothing", (code) => {
    expect(idleSession().accept(exited(code))).toEqual([]);
  });

  test("between turns resolves open requests", () => {
    const { accept } = session();
    accept(permission, turnEnded);
    expect(types(accept(exited(1)))).toEqual(["permission.resolved"]);
  });
});

test("an agent that ends the session closes everything before it", () => {
  const { accept } = session();
  accept(started(message("m")), permission, question);
  expect(accept({ type: "session.ended", synthetic: true })).toMatchObject([
    { type: "item.completed", data: { item: { status: "completed" } } },
    { type: "permission.resolved", data: { status: "denied" } },
    { type: "question.resolved", data: { status: "rejected" } },
    { type: "session.ended", data: { reason: "completed", terminated_by: "agent" }, synthetic: true },
  ]);
});

describe("whatever an agent leaves out, its events are well-formed:", () => {
  const whole = message("m", text("hi"));
  const child: DraftItem = { ...message("sub", text("hi")), native_parent_id: "c" };
  const drafts = [
    started(whole),
    delta("m", "h"),
    completed(whole),
    started(toolCall("c")),
    completed(toolCall("c")),
    started(child),
    completed(child),
    permission,
    question,
  ];
  const ends: [string, Draft][] = [
    ["turn.ended", { type: "turn.ended", reason: "aborted" }],
    ["session.ended", { type: "session.ended" }],
    ["an exit", exited(1)],
  ];

  test.each(ends)("every selection of drafts before %s", (_, end) => {
    for (let selection = 0; selection < 2 ** drafts.length; selection++) {
      const { accept, events } = session();
      accept(...drafts.filter((_, index) => selection & (1 << index)), end);
      expect(checkEvents(events, { finished: true }), `selection ${selection}`).toEqual([]);
    }
  });
});
