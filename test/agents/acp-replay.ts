/** Plays a recording of an ACP agent through the translator, and what the daemon makes of its drafts, into events. */
import { readFileSync } from "node:fs";
import { foldEvent, initialState, type SessionState, type UniversalEvent } from "@sandbox-agent/schema";
import * as z from "zod";
import { SessionUpdate } from "../../packages/agents/src/acp/native.ts";
import type { AcpExtensions } from "../../packages/agents/src/acp/profile.ts";
import { createRequests } from "../../packages/agents/src/acp/requests.ts";
import { createTranslator } from "../../packages/agents/src/acp/translate/translator.ts";
import type { Draft } from "../../packages/agents/src/draft.ts";
import { RpcError, type RpcId } from "../../packages/agents/src/process/json-rpc.ts";
import { type EventBody, endTurn, type ItemMemory, normalize } from "../../packages/daemon/src/session/normalize.ts";

const Message = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});
type Message = z.infer<typeof Message>;

const Prompt = z.object({ prompt: z.array(z.object({ text: z.string().catch("") })) });

function promptText(params: unknown): string {
  return Prompt.parse(params)
    .prompt.map(({ text }) => text)
    .join("\n");
}

const direction = { client: "client", in: "client", agent: "agent", out: "agent", exit: "exit" } as const;
const Line = z.object({ dir: z.enum(["client", "in", "agent", "out", "exit"]), msg: Message });

export interface Line {
  dir: "client" | "agent" | "exit";
  msg: Message;
}

export function readRecording(path: string): Line[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Line.parse(JSON.parse(line)))
    .map(({ dir, msg }) => ({ dir: direction[dir], msg }));
}

/** Messages of the agent that belong to the conversation: what it replays when it loads a session is old. */
export function spokenLines(lines: readonly Line[]): Line[] {
  let loading: RpcId | null = null;
  return lines.filter(({ dir, msg }) => {
    if (dir === "client" && msg.method === "session/load") loading = msg.id ?? null;
    if (dir === "agent" && !msg.method && msg.id === loading) loading = null;
    return loading === null || dir === "client";
  });
}

export function replay(recorded: readonly Line[], extensions: AcpExtensions = {}): UniversalEvent[] {
  const events: UniversalEvent[] = [];
  const translator = createTranslator("run");
  const requests = createRequests({ tag: "run", respond: () => {}, refuse: () => {} }, translator, extensions);
  const memory: ItemMemory = { itemIds: new Map(), deltasOf: ({ item }) => deltasOf(events, item.item_id) };
  const prompts = new Set<RpcId>();
  let state: SessionState = initialState;
  let aborting = false;

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

  function accept(drafts: readonly Draft[], raw: unknown): void {
    for (const draft of drafts) append(normalize(state, memory, { ...draft, raw }));
  }

  /** What the daemon does when a client sends a message. */
  function send(text: string): void {
    const item_id = `itm_${state.itemCount + 1}`;
    const item = { item_id, native_item_id: null, parent_id: null, kind: "message", role: "user" } as const;
    const content = [{ type: "text" as const, text }];
    const turn_id = `turn_${state.turnCount + 1}`;
    accept(translator.settle(), "settled");
    append([
      { type: "turn.started", data: { phase: "started", turn_id }, synthetic: true },
      { type: "item.started", data: { item: { ...item, content, status: "in_progress" } }, synthetic: true },
      { type: "item.completed", data: { item: { ...item, content, status: "completed" } }, synthetic: true },
    ]);
    translator.begin({ isCommand: text.startsWith("/") });
    aborting = false;
  }

  /** What the daemon does when a client answers. */
  function answer(id: string): void {
    requests.replyPermission(id, "once");
    for (const permission of state.permissions.filter(({ permission_id }) => permission_id === id))
      append([{ type: "permission.resolved", data: { ...permission, status: "approved" }, synthetic: true }]);
    for (const question of state.questions.filter(({ question_id }) => question_id === id))
      append([{ type: "question.resolved", data: { ...question, status: "answered" }, synthetic: true }]);
  }

  function fromClient({ id, method, params }: Message): void {
    if (method === "session/prompt" && id !== undefined) {
      prompts.add(id);
      send(promptText(params));
    }
    if (method === "session/cancel") aborting = true;
    if (method === undefined && id !== undefined) answer(`run-${id}`);
  }

  function fromAgent(msg: Message): void {
    const { id, method, params, result, error } = msg;
    if (method === "session/update") {
      const { update } = SessionUpdate.parse(params);
      accept(translator.update(update.sessionUpdate, update), msg);
    } else if (method === "$/cancel_request") accept(requests.withdrawn(params), msg);
    else if (method !== undefined && id !== undefined) accept(requests.take(id, msg, "default"), msg);
    else if (method !== undefined) accept(extensions.notification?.(method, params) ?? [], msg);
    else if (id !== undefined && prompts.delete(id))
      accept(
        error
          ? translator.failed(new RpcError(error.code, error.message, error.data), { aborting, hasKey: true })
          : translator.ended(result, { aborting }),
        msg,
      );
  }

  append([{ type: "session.started", data: {}, synthetic: true }]);
  for (const { dir, msg } of spokenLines(recorded)) {
    if (dir === "client") fromClient(msg);
    if (dir === "agent") fromAgent(msg);
  }
  accept(translator.settle(), "settled");
  append(endTurn(state, memory, "interrupted"));
  return events;
}

function* deltasOf(events: readonly UniversalEvent[], itemId: string): Generator<string> {
  for (const event of events) if (event.type === "item.delta" && event.data.item_id === itemId) yield event.data.delta;
}
