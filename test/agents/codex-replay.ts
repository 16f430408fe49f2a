/**
 * Replays recorded traffic of a Codex app-server through the translator and the daemon's own normalizing, one event list
 * per session: what clients would have seen.
 */
import type { Draft } from "@sandbox-agent/agents";
import type { UniversalEvent } from "@sandbox-agent/schema";
import { createTranslator, type Translator } from "../../packages/agents/src/codex/translate/translator.ts";
import type { RpcId, RpcMessage } from "../../packages/agents/src/process/json-rpc.ts";
import { type ReplayedLog, replayedLog } from "./replayed-log.ts";

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
  readonly drafts: Draft[] = [];
  readonly #log: ReplayedLog;
  #translator: Translator;
  #serverId: string;

  constructor(
    readonly threadId: string,
    serverId: string,
  ) {
    this.#serverId = serverId;
    this.#translator = this.#newTranslator();
    this.#log = replayedLog(() => threadId);
  }

  get events(): UniversalEvent[] {
    return this.#log.events;
  }

  /** The client asked for something. */
  sent(method: string): void {
    if (method === "turn/interrupt" && this.#translator.openPlan) this.#accept(this.#translator.endPlan("aborted"));
    if (method !== "turn/start" && method !== "turn/steer") return;
    this.#log.answer(this.#translator.openPlan ?? "");
    this.#accept(this.#translator.endPlan());
    this.#translator.expectUserMessage();
    if (!this.#log.state.turn) this.#log.send("");
  }

  /** The client answered a request of the server. */
  answered(id: RpcId): void {
    const requestId = `${this.#serverId}-${id}`;
    if (this.#translator.takeAnswer(requestId)) this.#log.answer(requestId);
  }

  received(message: RpcMessage): void {
    const { id } = message;
    const isRequest = id !== undefined && id !== null;
    const { drafts } = isRequest ? this.#translator.request(id, message) : this.#translator.notification(message);
    this.#accept(drafts);
  }

  /** The server was killed and another one started. */
  restarted(serverId: string): void {
    this.#log.end("failed");
    this.#serverId = serverId;
    this.#translator = this.#newTranslator();
  }

  finish(): void {
    this.#log.end("interrupted");
  }

  #newTranslator(): Translator {
    return createTranslator({ threadId: this.threadId, serverId: this.#serverId, hasKey: true });
  }

  #accept(drafts: readonly Draft[]): void {
    this.drafts.push(...drafts);
    this.#log.accept(drafts);
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
