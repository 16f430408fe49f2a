/**
 * Replays recorded traffic of a Codex app-server through the translator and the daemon's own normalizing, one event list
 * per session: what clients would have seen.
 */
import type { Draft } from "@sandbox-agent/agents";
import { foldEvent, initialState, type SessionState, type UniversalEvent } from "@sandbox-agent/schema";
import { createTranslator, type Translator } from "../../packages/agents/src/codex/translate/translator.ts";
import type { RpcId, RpcMessage } from "../../packages/agents/src/process/json-rpc.ts";
import { type EventBody, endTurn, type ItemMemory, normalize } from "../../packages/daemon/src/session/normalize.ts";

export interface Recorded {
  dir: "in" | "out" | "meta";
  msg: RpcMessage;
}

export interface ReplayedSession {
  threadId: string;
  events: UniversalEvent[];
  drafts: Draft[];
}

export function replay(lines: readonly Recorded[]): ReplayedSession[] {
  const sessions = new Map<string, SessionReplay>();
  const owners = new Map<string, SessionReplay>();
  /** Methods of the client's requests, by id. */
  const asked = new Map<RpcId, string>();
  /** Sessions of the server's requests, by id. */
  const asking = new Map<RpcId, SessionReplay>();
  let runs = 0;

  for (const { dir, msg } of lines) {
    if (dir === "meta") continue;
    const threadId = threadOf(msg.params);
    const session = threadId === null ? undefined : (owners.get(threadId) ?? adopt(threadId));
    const id = msg.id ?? null;
    if (dir === "out" && msg.method) {
      if (id !== null) asked.set(id, msg.method);
      if (msg.method === "initialize") restart();
      if (session) session.sent(msg.method);
      continue;
    }
    if (dir === "out") {
      if (id !== null) asking.get(id)?.answered(id);
      continue;
    }
    if (!msg.method) {
      const loaded = id === null ? null : loadedThread(asked.get(id), msg.result);
      if (loaded !== null && !owners.has(loaded)) add(loaded);
      continue;
    }
    if (!session) continue;
    if (id !== null) asking.set(id, session);
    session.received(msg);
  }
  for (const session of sessions.values()) session.finish();
  return [...sessions.values()];

  function restart(): void {
    runs += 1;
    asking.clear();
    for (const session of sessions.values()) session.restarted(`run${runs}`);
  }

  function add(threadId: string): SessionReplay {
    const session = new SessionReplay(threadId, `run${runs}`);
    sessions.set(threadId, session);
    owners.set(threadId, session);
    return session;
  }

  /** A thread nobody started is a subagent's. No recording has subagents of two sessions. */
  function adopt(threadId: string): SessionReplay | undefined {
    const [only] = sessions.values();
    if (only) owners.set(threadId, only);
    return only;
  }
}

class SessionReplay implements ReplayedSession {
  readonly events: UniversalEvent[] = [];
  readonly drafts: Draft[] = [];
  #state: SessionState = initialState;
  #translator: Translator;
  #serverId: string;
  readonly #memory: ItemMemory = {
    itemIds: new Map(),
    deltasOf: ({ item }) =>
      this.events.flatMap((event) =>
        event.type === "item.delta" && event.data.item_id === item.item_id ? [event.data.delta] : [],
      ),
  };

  constructor(
    readonly threadId: string,
    serverId: string,
  ) {
    this.#serverId = serverId;
    this.#translator = this.#newTranslator();
    this.#append([{ type: "session.started", data: {}, synthetic: true }]);
  }

  /** The client asked for something. */
  sent(method: string): void {
    if (method === "turn/interrupt" && this.#translator.openPlan) this.#accept(this.#translator.endPlan("aborted"));
    if (method !== "turn/start" && method !== "turn/steer") return;
    this.#settle(this.#translator.openPlan);
    this.#accept(this.#translator.endPlan());
    this.#translator.expectUserMessage();
    if (!this.#state.turn) this.#startTurn();
  }

  /** The client answered a request of the server. */
  answered(id: RpcId): void {
    const requestId = `${this.#serverId}-${id}`;
    const answer = this.#translator.takeAnswer(requestId);
    if (answer) this.#settle(requestId);
  }

  received(message: RpcMessage): void {
    const { id } = message;
    const isRequest = id !== undefined && id !== null;
    const { drafts } = isRequest ? this.#translator.request(id, message) : this.#translator.notification(message);
    this.#accept(drafts);
  }

  /** The server was killed and another one started. */
  restarted(serverId: string): void {
    this.#append(endTurn(this.#state, this.#memory, "failed"));
    this.#serverId = serverId;
    this.#translator = this.#newTranslator();
  }

  finish(): void {
    this.#append(endTurn(this.#state, this.#memory, "interrupted"));
  }

  #newTranslator(): Translator {
    return createTranslator({ threadId: this.threadId, serverId: this.#serverId, hasKey: true });
  }

  #startTurn(): void {
    const content = { native_item_id: null, parent_id: null, kind: "message", role: "user", content: [] } as const;
    const item = { ...content, content: [], item_id: `itm_${this.#state.itemCount + 1}` };
    this.#append([
      {
        type: "turn.started",
        data: { phase: "started", turn_id: `turn_${this.#state.turnCount + 1}` },
        synthetic: true,
      },
      { type: "item.started", data: { item: { ...item, status: "in_progress" } }, synthetic: true },
      { type: "item.completed", data: { item: { ...item, status: "completed" } }, synthetic: true },
    ]);
  }

  #settle(requestId: string | null): void {
    const question = this.#state.questions.find(({ question_id }) => question_id === requestId);
    if (question)
      this.#append([{ type: "question.resolved", data: { ...question, status: "answered" }, synthetic: true }]);
    const permission = this.#state.permissions.find(({ permission_id }) => permission_id === requestId);
    if (permission)
      this.#append([{ type: "permission.resolved", data: { ...permission, status: "approved" }, synthetic: true }]);
  }

  #accept(drafts: readonly Draft[]): void {
    this.drafts.push(...drafts);
    for (const draft of drafts) this.#append(normalize(this.#state, this.#memory, draft));
  }

  #append(bodies: readonly EventBody[]): void {
    for (const body of bodies) {
      const sequence = this.#state.sequence + 1;
      const event: UniversalEvent = {
        event_id: `evt_${sequence}`,
        sequence,
        time: "2026-01-01T00:00:00.000Z",
        session_id: "replay",
        native_session_id: this.threadId,
        source: body.synthetic ? "daemon" : "agent",
        ...body,
      };
      this.#state = foldEvent(this.#state, event);
      this.events.push(event);
    }
  }
}

function threadOf(params: unknown): string | null {
  const threadId = member(params, "threadId");
  return typeof threadId === "string" ? threadId : null;
}

const loaders = ["thread/start", "thread/resume", "thread/fork"];

function loadedThread(method: string | undefined, result: unknown): string | null {
  if (!method || !loaders.includes(method)) return null;
  const id = member(member(result, "thread"), "id");
  return typeof id === "string" ? id : null;
}

export function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
