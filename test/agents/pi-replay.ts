/** Plays a recording of Pi through the translator, and what the daemon makes of its drafts, into events. */
import { readFileSync } from "node:fs";
import { foldEvent, initialState, type SessionState, type UniversalEvent } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Draft } from "../../packages/agents/src/draft.ts";
import { createTranslator } from "../../packages/agents/src/pi/translate/translator.ts";
import { type EventBody, endTurn, type ItemMemory, normalize } from "../../packages/daemon/src/session/normalize.ts";

const Line = z.object({ dir: z.string(), msg: z.unknown() });
export type Line = z.infer<typeof Line>;

const Prompt = z.object({ type: z.literal("prompt"), message: z.string() });
const Abort = z.object({ type: z.literal("abort") });
const Answer = z.object({ type: z.literal("extension_ui_response"), id: z.string() });
/** Answers to commands are the connection's business. */
const Response = z.object({ type: z.literal("response") });

export function readRecording(path: string): Line[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Line.parse(JSON.parse(line)));
}

export function replay(lines: readonly Line[]): UniversalEvent[] {
  const events: UniversalEvent[] = [];
  const translator = createTranslator({ directory: "/workspace" });
  const memory: ItemMemory = { itemIds: new Map(), deltasOf: ({ item }) => deltasOf(events, item.item_id) };
  let state: SessionState = initialState;

  function append(bodies: readonly EventBody[]): void {
    for (const body of bodies) {
      const sequence = events.length + 1;
      const event: UniversalEvent = {
        event_id: `evt_${sequence}`,
        sequence,
        time: new Date(sequence).toISOString(),
        session_id: "recording",
        native_session_id: "native",
        source: body.synthetic ? "daemon" : "agent",
        ...body,
      };
      events.push(event);
      state = foldEvent(state, event);
    }
  }

  const accept = (drafts: readonly Draft[]) => {
    for (const draft of drafts) append(normalize(state, memory, draft));
  };

  /** What the daemon does when a client sends a message. */
  function send(text: string): void {
    const item_id = `itm_${state.itemCount + 1}`;
    const item = { item_id, native_item_id: null, parent_id: null, kind: "message", role: "user" } as const;
    const content = [{ type: "text" as const, text }];
    const metadata = { message_id: `msg_${state.turnCount + 1}` };
    const turn_id = `turn_${state.turnCount + 1}`;
    append([
      { type: "turn.started", data: { phase: "started", turn_id, metadata }, synthetic: true },
      { type: "item.started", data: { item: { ...item, content, status: "in_progress" } }, synthetic: true },
      { type: "item.completed", data: { item: { ...item, content, status: "completed" } }, synthetic: true },
    ]);
    translator.turn.send();
  }

  /** What the daemon does when a client answers. */
  function answer(requestId: string): void {
    translator.requests.delete(requestId);
    for (const permission of state.permissions.filter(({ permission_id }) => permission_id === requestId))
      append([{ type: "permission.resolved", data: { ...permission, status: "approved" }, synthetic: true }]);
    for (const question of state.questions.filter(({ question_id }) => question_id === requestId))
      append([{ type: "question.resolved", data: { ...question, status: "answered" }, synthetic: true }]);
  }

  append([{ type: "session.started", data: {}, synthetic: true }]);
  for (const { dir, msg } of lines) {
    if (dir === "out" && !Response.safeParse(msg).success) accept(translator.translate(msg));
    if (dir === "in") {
      const prompt = Prompt.safeParse(msg).data;
      if (prompt && !state.turn) send(prompt.message);
      if (Abort.safeParse(msg).success) translator.turn.abort();
      const answered = Answer.safeParse(msg).data;
      if (answered) answer(answered.id);
    }
  }
  append(endTurn(state, memory, "interrupted"));
  return events;
}

function* deltasOf(events: readonly UniversalEvent[], itemId: string): Generator<string> {
  for (const event of events) if (event.type === "item.delta" && event.data.item_id === itemId) yield event.data.delta;
}
