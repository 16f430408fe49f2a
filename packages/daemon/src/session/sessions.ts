/** All sessions: creates, finds, lists and deletes them, recovers them after a start and interrupts them before a stop. */
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
import { forkEvents, forkTitle } from "./fork.ts";
import { isUnfinished } from "./journal.ts";
import { OpenTexts } from "./open-texts.ts";
import { readTranscript } from "./read-transcript.ts";
import { type ForkSeed, Session } from "./session.ts";
import { requireSessionId } from "./session-id.ts";
import { sessionInfo } from "./session-info.ts";

/** How a fork differs from its origin. */
export interface ForkChange extends Partial<Pick<CreateSessionRequest, "title" | "directory" | "mcp">> {
  /** The last turn that is copied; by default all turns that have ended. */
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
  /** Sessions that were used since the daemon started. All others are only in the database. */
  readonly #live = new Map<string, Session>();
  readonly #creating = new Set<string>();
  /** Numbers of deleted sessions whose events are not erased yet. */
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
    throw new ProblemError("unsupported_agent", `unknown agent "${agentId}"; known agents: ${known}`, {
      agent: agentId,
    });
  }

  async create(id: string, spec: CreateSessionRequest, seed: ForkSeed | null = null): Promise<Session> {
    this.#requireRunning();
    requireSessionId(id);
    const agent = this.agent(spec.agent);
    this.context.secrets.add(secretsOfSession(spec, process.env));
    this.#reserve(id);
    try {
      const settings = await settingsFor(agent, spec);
      // Stored as an absolute path, because the daemon may be started in another directory next time.
      const directory = spec.directory && (await requireDirectory(spec.directory));
      return await this.#begin(id, { ...spec, directory }, settings, seed);
    } finally {
      this.#creating.delete(id);
    }
  }

  /** Creates a session with the settings and the conversation of another one. Files are not changed. */
  async fork(id: string, newId: string, { lastTurn, ...change }: ForkChange = {}): Promise<Session> {
    const origin = this.get(id);
    const events = await readTranscript(this.context, origin, (transcript) => forkEvents(transcript, lastTurn ?? null));
    const spec = origin.spec();
    const forkSpec = { ...spec, title: forkTitle(spec.title ?? null), ...change };
    return this.create(newId, forkSpec, { sessionId: id, events });
  }

  /** The session with that id. Its pending events are flushed first, unless writing fails. */
  get(id: string): Session {
    this.#requireRunning();
    this.context.log.tryFlush();
    const live = this.#live.get(id);
    if (live) return live;
    const row = this.context.table.find(id);
    if (row) return this.#revive(row);
    throw new ProblemError("session_not_found", `there is no session "${id}"`, { sessionId: id });
  }

  /** The current description of a session. Has no side effects, so it can be called while events are delivered. */
  peek(id: string): SessionInfo | null {
    const live = this.#live.get(id);
    if (live) return live.info();
    const row = this.context.table.find(id);
    return row && sessionInfo(row);
  }

  /** Sessions used since the daemon started. They include every session that is running or waiting for an answer. */
  live(): Session[] {
    return [...this.#live.values()];
  }

  /** Newest first, read in slices. */
  async *list({ statuses, before, ...filter }: ListOptions = {}): AsyncGenerator<ListedSession> {
    // A session that is not live is idle or ended.
    const includesStored = !statuses || statuses.includes("idle") || statuses.includes("ended");
    const slice = new Slice();
    for (let next: number | null = before ?? Number.MAX_SAFE_INTEGER; next !== null; ) {
      const part = this.context.table.listBefore(next, filter);
      next = part.next;
      for (const { number, id } of part.ids) {
        const info = includesStored || this.#live.has(id) ? this.peek(id) : null;
        if (info && (!statuses || statuses.includes(info.status))) yield { number, info };
        if (slice.isOver) await slice.next();
      }
    }
  }

  async update(id: string, change: UpdateSessionRequest): Promise<SessionInfo> {
    const session = this.get(id);
    // The agent is looked up only for settings that depend on it: a title can be set although the agent was removed.
    const agent = () => this.agent(session.info().agent);
    if (change.agentMode !== undefined) await requireMode(agent(), change.agentMode);
    const permissionMode = change.permissionMode && supportedPermissionMode(agent(), change.permissionMode);
    session.update({ ...change, ...(permissionMode && { permissionMode }) });
    return session.info();
  }

  /** Ends a session, erases it and closes its streams. */
  async delete(id: string): Promise<void> {
    const session = this.get(id);
    // Its commits contain the position that the next commit continues from.
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

  /** Erases the events of deleted sessions. What fails is retried with the next call. */
  async erase(): Promise<void> {
    for (const number of this.#unerased) {
      if (!(await eraseEvents(this.context, number))) return;
      this.#unerased.delete(number);
    }
  }

  /** After a start: ends the turns that the last run of the daemon left open. On a full disk this is deferred. */
  async recover(): Promise<number> {
    const { log, table } = this.context;
    const sessions: Session[] = [];
    for (const row of table.unfinished(log.recent.sessionNumbers)) {
      const { state, texts } = await this.#readState(row);
      sessions.push(this.#revive({ ...row, state }, texts));
    }
    const interrupted = sessions.filter(({ state }) => isUnfinished(state));
    for (const session of sessions) session.recover();
    // Deletions that a crash interrupted.
    for (const number of table.orphanedEvents()) this.#unerased.add(number);
    return interrupted.length;
  }

  /** Before a stop: ends the running turns. If the ends cannot be written, the next start records them. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#live.values()].map((session) => session.interrupt()));
    this.context.log.tryFlushAll();
    await this.erase();
  }

  /** Sets the first sequence of a session's history. */
  forgetBefore({ id, number }: { id: string; number: number }, sequence: number): void {
    this.context.table.setFirstSequence(number, sequence);
    const live = this.#live.get(id);
    if (live) live.firstSequence = sequence;
  }

  #requireRunning(): void {
    if (this.stopping.aborted)
      throw new ProblemError("shutting_down", "the daemon is shutting down; try again after it has restarted");
  }

  /** Reserves an id while its agent starts, because two requests may race for it. */
  #reserve(id: string): void {
    if (this.#creating.has(id) || this.context.table.find(id))
      throw new ProblemError(
        "session_already_exists",
        `session "${id}" already exists; send it a message, or choose another id`,
        { sessionId: id },
      );
    this.#creating.add(id);
  }

  async #begin(
    id: string,
    spec: CreateSessionRequest,
    settings: SessionState["settings"],
    seed: ForkSeed | null,
  ): Promise<Session> {
    const origin = { id, number: this.context.table.nextNumber(), spec, createdAt: Date.now() };
    const session = new Session(
      { ...origin, state: initialState, open: false, firstSequence: 1 },
      this.#attach(spec.agent),
      this.context,
    );
    // Secrets stay in memory: they are neither stored nor returned.
    const { env: _env, credentials: _credentials, ...stored } = spec;
    try {
      await session.begin(settings, () => this.context.table.insert({ ...origin, spec: stored }), seed);
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

  /** The agent is looked up at each use, because it may be redefined or removed while its sessions stay. */
  #attach(agentId: string): SessionAgent {
    return {
      id: agentId,
      userItemId: (turnNumber) => this.agents.get(agentId)?.userItemId?.(turnNumber) ?? null,
      open: async (spec, sink) => this.agent(agentId).open(spec, sink),
    };
  }

  /** Like `#stateOf`, for an interrupted session and in slices: many events may follow the stored state. Also reads open texts. */
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

/** Works in steps, so that requests are served in between. Returns false when writing fails. */
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
  // An agent without acceptEdits asks before each edit instead, which is always safe.
  if (mode === "acceptEdits") return "default";
  throw notSupported(agent, "permission mode", mode, agent.permissionModes);
}

function notSupported({ id: agent }: Agent, what: string, mode: string, known: readonly string[]): ProblemError {
  const message = `${agent} has no ${what} "${mode}"; it has: ${known.join(", ")}`;
  return new ProblemError("mode_not_supported", message, { agent, details: { mode } });
}
