/** Plays a recording of Amp through the translator, and what the daemon makes of its drafts, into events. */
import { readFileSync } from "node:fs";
import { foldEvent, initialState, type SessionState, type UniversalEvent } from "@sandbox-agent/schema";
import * as z from "zod";
import { createTranslator } from "../../packages/agents/src/amp/translate/translator.ts";
import { type EventBody, endTurn, type ItemMemory, normalize } from "../../packages/daemon/src/session/normalize.ts";

const Spoken = z.object({ type: z.literal("text"), text: z.string() });
const UserText = z.object({ type: z.literal("user"), message: z.object({ content: z.tuple([Spoken]) }) });

/** The recordings hold what Amp wrote. What it was told is known from its echo. */
export function replay(path: string): UniversalEvent[] {
  const lines: unknown[] = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const events: UniversalEvent[] = [];
  const translator = createTranslator({ threadId: null });
  const memory: ItemMemory = { itemIds: new Map(), deltasOf: () => [] };
  let state: SessionState = initialState;

  function append(bodies: readonly EventBody[]): void {
    for (const body of bodies) {
      const sequence = events.length + 1;
      const event: UniversalEvent = {
        event_id: `evt_${sequence}`,
        sequence,
        time: new Date(sequence).toISOString(),
        session_id: "recording",
        native_session_id: translator.threadId,
        source: body.synthetic ? "daemon" : "agent",
        ...body,
      };
      events.push(event);
      state = foldEvent(state, event);
    }
  }

  /** What the daemon does when a client sends a message, or steers a turn with it. */
  function send(text: string): void {
    const item_id = `itm_${state.itemCount + 1}`;
    const item = { item_id, native_item_id: null, parent_id: null, kind: "message", role: "user" } as const;
    const content = [{ type: "text" as const, text }];
    const turn_id = `turn_${state.turnCount + 1}`;
    if (!state.turn) append([{ type: "turn.started", data: { phase: "started", turn_id }, synthetic: true }]);
    append([
      { type: "item.started", data: { item: { ...item, content, status: "in_progress" } }, synthetic: true },
      { type: "item.completed", data: { item: { ...item, content, status: "completed" } }, synthetic: true },
    ]);
    translator.sent();
  }

  append([{ type: "session.started", data: {}, synthetic: true }]);
  for (const line of lines) {
    const said = UserText.safeParse(line).data;
    if (said) send(said.message.content[0].text);
    for (const draft of translator.translate(line)) append(normalize(state, memory, draft));
  }
  append(endTurn(state, memory, "interrupted"));
  return events;
}
