/** All sessions: creating, finding, listing, deleting, and what a start and a stop of the daemon mean for them. */
import { type Agent, type LiveAgentRegistry, reportTaskFailure } from "@sandbox-agent/agents";
import {
  type CreateSessionRequest,
  foldEvent,
  initialState,
  type PermissionMode,
  ProblemError,
  restoreState,
  type SessionInfo,
  type SessionState,
  type SessionStatus,
  type UniversalEvent,
  type UpdateSessionRequest,
} from "@sandbox-agent/schema";
import { secretsOfSession } from "../secrets/session-secrets.ts";
import { Slice } from "../slices.ts";
import type { SessionFilter, SessionRow } from "../store/session-table.ts";
import type { SessionAgent } from "./agent-link.ts";
import { forgetAttachments } from "./attachments.ts";
import type { SessionContext } from "./context.ts";
import { requireDirectory } from "./directory.ts";
import { forkTitle, retold } from "./fork.ts";
import { isUnfinished } from "./journal.ts";
import { OpenTexts } from "./open-texts.ts";
import { readTranscript } from "./read-transcript.ts";
import { type Heritage, Session } from "./session.ts";
import { requireSessionId } from "./session-id.ts";
import { sessionInfo } from "./session-info.ts";

/** How a fork differs from its origin. */
export interface ForkChange extends Partial<Pick<CreateSessionRequest, "title" | "directory" | "mcp">> {
  /** The last turn it takes over; all that have ended without it. */
  lastTurn?: number;
}

export interface ListOptions extends SessionFilter {
  statuses?: readonly SessionStatus[] | undefined;
  /** Only sessions with a smaller number. */
  before?: number | undefined;
}

export interface ListedSession {
  number: number;
  info: SessionInfo;
}

export class Sessions {
  /** Sessions that were used since the daemon started. All others are only in the log. */
  readonly #live = new Map<string, Session>();
  readonly #creating = new Set<string>();
  /** Numbers of sessions that are deleted but for their events. */
  readonly #unerased = new Set<number>();
  readonly #stop = new AbortController();

  constructor(
    private readonly agents: LiveAgentRegistry,
    private readonly context: SessionContext,
  ) {}

  /** Aborted when the daemon begins to stop. */
  get stopping(): AbortSignal {
    return this.#stop.signal;
  }

  agent(agentId: string): Agent {
    const agent = this.agents.get(agentId);
    if (agent) return agent;
    const known = this.agents.ids().join(", ");
    throw new ProblemError("unsupported_agent", `there is no agent "${agentId}"; known agents: ${known}`, {
      agent: agentId,
    });
  }

  async create(id: string, spec: CreateSessionRequest, heritage: Heritage | null = null): Promise<Session> {
    this.#requireRunning();
    requireSessionId(id);
    const agent = this.agent(spec.agent);
    this.context.secrets.add(secretsOfSession(spec, process.env));
    this.#reserve(id);
    try {
      const settings = await settingsFor(agent, spec);
      // As an absolute path: the daemon may be started elsewhere the next time.
      const directory = spec.directory && (await requireDirectory(spec.directory));
      return await this.#begin(id, { ...spec, directory }, settings, heritage);
    } finally {
      this.#creating.delete(id);
    }
  }

  /** A session like that one, which begins with what was said there. Files stay as they are. */
  async fork(id: string, newId: string, { lastTurn, ...change }: ForkChange = {}): Promise<Session> {
    const origin = this.get(id);
    const bodies = await readTranscript(this.context, origin, (transcript) => retold(transcript, lastTurn ?? null));
    const spec = origin.spec();
    const wished = { ...spec, title: forkTitle(spec.title ?? null), ...change };
    return this.create(newId, wished, { sessionId: id, bodies });
  }

  /** The session with that id, with everything it has said so far in the log, unless the disk refuses it. */
  get(id: string): Session {
    this.#requireRunning();
    this.context.log.tryFlush();
    const live = this.#live.get(id);
    if (live) return live;
    const row = this.context.table.find(id);
    if (row) return this.#revive(row);
    throw new ProblemError("session_not_found", `there is no session "${id}"`, { sessionId: id });
  }

  /** What is known of a session just now. Changes nothing, so it may be asked while events are being handed out. */
  peek(id: string): SessionInfo | null {
    const live = this.#live.get(id);
    if (live) return live.info();
    const row = this.context.table.find(id);
    return row && sessionInfo(row);
  }

  /** Those used since the daemon started. Whatever is running or waiting for an answer is among them. */
  live(): Session[] {
    return [...this.#live.values()];
  }

  /** Newest first, read in slices. */
  async *list({ statuses, before, ...filter }: ListOptions = {}): AsyncGenerator<ListedSession> {
    // What is not live is at rest.
    const includesResting = !statuses || statuses.includes("idle") || statuses.includes("ended");
    const slice = new Slice();
    for (let next: number | null = before ?? Number.MAX_SAFE_INTEGER; next !== null; ) {
      const part = this.context.table.listBefore(next, filter);
      next = part.next;
      for (const { number, id } of part.ids) {
        const info = includesResting || this.#live.has(id) ? this.peek(id) : null;
        if (info && (!statuses || statuses.includes(info.status))) yield { number, info };
        if (slice.isOver) await slice.next();
      }
    }
  }

  async update(id: string, change: UpdateSessionRequest): Promise<SessionInfo> {
    const session = this.get(id);
    // Only settings that depend on the agent need it: its definition may be gone, and a title can be given all the same.
    const agent = () => this.agent(session.info().agent);
    if (change.agentMode !== undefined) await requireMode(agent(), change.agentMode);
    const permissionMode = change.permissionMode && supportedPermissionMode(agent(), change.permissionMode);
    session.update({ ...change, ...(permissionMode && { permissionMode }) });
    return session.info();
  }

  /** Ends a session, erases it, and closes its streams. */
  async delete(id: string): Promise<void> {
    const session = this.get(id);
    // Its commits hold the position from which the next one counts.
    this.context.log.compact([session.number]);
    this.context.table.delete(session.number);
    this.#unerased.add(session.number);
    this.context.log.discard(session.number);
    this.#live.delete(id);
    this.context.log.feed.end(session.number, session.info());
    await Promise.all([session.erase(), session.changes?.forget()]);
    await forgetAttachments(this.context, session.number);
    await this.erase();
  }

  /** Erases the events of deleted sessions. What the disk refuses is tried again with the next call. */
  async erase(): Promise<void> {
    for (const number of this.#unerased) {
      if (!(await eraseEvents(this.context, number))) return;
      this.#unerased.delete(number);
    }
  }

  /** After a start: ends the turns that the last run of the daemon did not. On a full disk that comes later. */
  async recover(): Promise<number> {
    const { log, table } = this.context;
    const sessions: Session[] = [];
    for (const row of table.unfinished(log.recent.sessionNumbers)) {
      const { state, texts } = await this.#readState(row);
      sessions.push(this.#revive({ ...row, state }, texts));
    }
    const cutOff = sessions.filter(({ state }) => isUnfinished(state));
    for (const session of sessions) session.recover();
    // Deletions that a crash cut short.
    for (const number of table.orphanedEvents()) this.#unerased.add(number);
    return cutOff.length;
  }

  /** Before a stop: ends the running turns. Where the disk refuses their ends, the next start makes up for it. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#live.values()].map((session) => session.interrupt()));
    this.context.log.tryFlushAll();
    await this.erase();
  }

  /** The history of a session begins at this sequence from now on. */
  forgetBefore({ id, number }: { id: string; number: number }, sequence: number): void {
    this.context.table.setFirstSequence(number, sequence);
    const live = this.#live.get(id);
    if (live) live.firstSequence = sequence;
  }

  #requireRunning(): void {
    if (this.stopping.aborted)
      throw new ProblemError("shutting_down", "the daemon is stopping; try again when it is back");
  }

  /** Two requests may race for one id while the agent of the first is still starting. */
  #reserve(id: string): void {
    if (this.#creating.has(id) || this.context.table.find(id))
      throw new ProblemError(
        "session_already_exists",
        `there is already a session "${id}"; send it a message, or choose another id`,
        { sessionId: id },
      );
    this.#creating.add(id);
  }

  async #begin(
    id: string,
    spec: CreateSessionRequest,
    settings: SessionState["settings"],
    heritage: Heritage | null,
  ): Promise<Session> {
    const origin = { id, number: this.context.table.nextNumber(), spec, createdAt: Date.now() };
    const session = new Session(
      { ...origin, state: initialState, open: false, firstSequence: 1 },
      this.#attach(spec.agent),
      this.context,
    );
    // Secrets stay in memory: neither the database nor any answer has them.
    const { env: _env, credentials: _credentials, ...stored } = spec;
    try {
      await session.begin(settings, () => this.context.table.insert({ ...origin, spec: stored }), heritage);
    } catch (error) {
      await session.changes?.forget();
      throw error;
    }
    this.#live.set(id, session);
    return session;
  }

  #revive(row: SessionRow, texts?: OpenTexts): Session {
    const session = new Session(
      { ...row, state: this.#stateOf(row), ...(texts && { texts }) },
      this.#attach(row.spec.agent),
      this.context,
    );
    this.#live.set(row.id, session);
    return session;
  }

  /** Looked up whenever it is needed: an agent may be defined anew or removed while its sessions stay. */
  #attach(agentId: string): SessionAgent {
    return {
      id: agentId,
      userItemId: (turnNumber) => this.agents.get(agentId)?.userItemId?.(turnNumber) ?? null,
      open: async (spec, sink) => this.agent(agentId).open(spec, sink),
    };
  }

  /** The same for a session that was cut off, in slices: it may have said much since, and in the items that are still open. */
  async #readState({ number, state }: SessionRow): Promise<{ state: SessionState; texts: OpenTexts }> {
    const texts = new OpenTexts();
    let current = restoreState(state);
    const begins = Object.values(current.openItems).map(({ sequence }) => sequence - 1);
    for await (const records of this.context.history.pages(number, Math.min(current.sequence, ...begins))) {
      for (const { text } of records) {
        const event: UniversalEvent = JSON.parse(text);
        texts.observe(event);
        if (event.sequence > current.sequence) current = foldEvent(current, event);
      }
    }
    return { state: current, texts };
  }

  /** The stored state, brought up to date with the events that were stored after it. */
  #stateOf({ number, state }: SessionRow): SessionState {
    let current = restoreState(state);
    for (const { text } of this.context.history.records(number, state.sequence)) {
      const event: UniversalEvent = JSON.parse(text);
      current = foldEvent(current, event);
    }
    return current;
  }
}

/** In steps, letting requests through between them. False when the disk refuses. */
async function eraseEvents({ table }: SessionContext, sessionNumber: number): Promise<boolean> {
  try {
    while (table.deleteEventsBefore(sessionNumber, 2 ** 32)) await Bun.sleep(0);
    table.deleteCommitsBefore(sessionNumber, 2 ** 32);
    return true;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    reportTaskFailure({ task: `erase the events of deleted session ${sessionNumber}`, error });
    return false;
  }
}

async function settingsFor(agent: Agent, spec: CreateSessionRequest): Promise<SessionState["settings"]> {
  const agentMode = spec.agentMode ?? "build";
  await requireMode(agent, agentMode);
  const permissionMode = supportedPermissionMode(agent, spec.permissionMode ?? "default");
  const model = spec.model ?? (await agent.models()).defaultModel ?? null;
  return { agentMode, permissionMode, model, variant: spec.variant ?? null, title: spec.title ?? null };
}

async function requireMode(agent: Agent, mode: string): Promise<void> {
  const modes = await agent.modes();
  if (modes.some(({ id }) => id === mode)) return;
  throw notSupported(
    agent,
    "mode",
    mode,
    modes.map(({ id }) => id),
  );
}

function supportedPermissionMode(agent: Agent, mode: PermissionMode): PermissionMode {
  if (agent.permissionModes.includes(mode)) return mode;
  // Asking before each edit is always allowed, so this one is a wish that may go unfulfilled.
  if (mode === "acceptEdits") return "default";
  throw notSupported(agent, "permission mode", mode, agent.permissionModes);
}

function notSupported({ id: agent }: Agent, what: string, mode: string, known: readonly string[]): ProblemError {
  const message = `${agent} has no ${what} "${mode}"; it has: ${known.join(", ")}`;
  return new ProblemError("mode_not_supported", message, { agent, details: { mode } });
}
