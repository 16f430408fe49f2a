/**
 * One session: commands of clients and drafts of the agent go in, events go out to the log. Its state is the fold of
 * those events and nothing else; what is kept beside it here can be lost at any moment without harm.
 */
import type { Agent, Draft, Turn } from "@sandbox-agent/agents";
import {
  type CreateSessionRequest,
  type EventData,
  foldEvent,
  hasRequests,
  isQuiet,
  type MessageRequest,
  type OpenItem,
  type PermissionReply,
  ProblemError,
  permissionKeys,
  type QueuedMessage,
  type SessionInfo,
  type SessionState,
  type TurnEndReason,
  type UniversalEvent,
  type UpdateSessionRequest,
} from "@sandbox-agent/schema";
import { SessionChanges } from "../changes/session-changes.ts";
import { clock, type LogRecord, recordEncoder } from "../log/encode.ts";
import type { LogWriter, Snapshot } from "../log/event-log.ts";
import { AgentLink, type SessionAgent } from "./agent-link.ts";
import type { SessionContext } from "./context.ts";
import { historyText } from "./history-text.ts";
import { closeRequests, type EventBody, endTurn, type ItemMemory, normalize } from "./normalize.ts";
import { permissionResolved, questionResolved, queueCancelled, userItem } from "./said.ts";
import { agentSettings, sessionInfo } from "./session-info.ts";
import { fingerprintOf, setupOf } from "./setup.ts";
import { linkSkills } from "./skills.ts";
import { Watchdog } from "./watchdog.ts";

export interface SessionOrigin {
  id: string;
  number: number;
  spec: CreateSessionRequest;
  state: SessionState;
  firstSequence: number;
  createdAt: number;
}

/** Where a message went: its events come after this sequence. */
export interface Posted {
  messageId: string;
  afterSequence: number;
  /** Handed to the running turn, so no turn of its own follows. */
  steered: boolean;
}

const now = clock();
const abortGraceMs = 5000;
const closeGraceMs = 3000;
const retryMs = 250;

export class Session implements LogWriter {
  readonly id: string;
  readonly number: number;
  readonly createdAt: number;
  firstSequence: number;
  /** What it changes in its directory; null when it was given none of its own. */
  readonly changes: SessionChanges | null;
  readonly #spec: CreateSessionRequest;
  readonly #agent: SessionAgent;
  readonly #context: SessionContext;
  readonly #encode: (event: UniversalEvent) => LogRecord;
  readonly #link: AgentLink;
  readonly #watchdog: Watchdog;
  readonly #memory: ItemMemory;
  #state: SessionState;
  #nativeSessionId: string | null;
  #snapshotDue = false;
  #settingsChanged = false;
  /** The setup the agent was opened with. */
  #setup: string | null = null;
  #aborting = false;
  /** Whether the agent has been given the message of the running turn. */
  #handedOver = false;
  /** Settles when the turn has been given to the agent, or never will be. */
  #handingOver: Promise<void> = Promise.resolve();
  #closed = false;
  /** It was deleted: there is no log to write to any more. */
  #erased = false;
  /** What the agent said before its session was stored. */
  #early: Draft[] = [];

  constructor(origin: SessionOrigin, agent: SessionAgent, context: SessionContext) {
    this.id = origin.id;
    this.number = origin.number;
    this.createdAt = origin.createdAt;
    this.firstSequence = origin.firstSequence;
    this.#spec = origin.spec;
    this.#state = origin.state;
    this.#nativeSessionId = origin.state.nativeSessionId;
    this.#agent = agent;
    this.#context = context;
    this.#encode = recordEncoder(this.id);
    this.changes = origin.spec.directory ? this.#changesIn(origin.spec.directory) : null;
    this.#link = new AgentLink(agent, (drafts) => this.#accept(drafts));
    this.#watchdog = new Watchdog(context.turnStallMs, () => this.#onSilence());
    this.#memory = { itemIds: new Map(), deltasOf: (open) => this.#deltasOf(open) };
  }

  get state(): SessionState {
    return this.#state;
  }

  info(): SessionInfo {
    const { id, firstSequence, createdAt } = this;
    return sessionInfo({
      id,
      spec: this.#spec,
      state: this.#state,
      firstSequence,
      createdAt,
      trouble: this.changes?.status ?? null,
    });
  }

  // ── Life ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Opens the agent and stores the session with its first event. Nothing is stored when either fails. */
  async begin(settings: SessionState["settings"], store: () => void): Promise<void> {
    this.#state = { ...this.#state, settings };
    this.changes?.prepare();
    await this.#openAgent();
    const { agentMode, permissionMode, model, variant, title } = settings;
    const metadata = { agent: this.#spec.agent, agentMode, permissionMode, model, variant, ...(title && { title }) };
    try {
      this.#commit([{ type: "session.started", data: { metadata }, synthetic: true }], store);
    } catch (error) {
      await this.close();
      throw error;
    }
    // Not waited for: from here on others can find the session, and must find this object.
    void this.#accept(this.#early.splice(0));
  }

  /** Closes in the log what the last run of the daemon left open, then goes on with the queue. */
  recover(): void {
    this.#append(endTurn(this.#state, this.#memory, "interrupted"));
    this.#startNext();
  }

  update(change: UpdateSessionRequest): void {
    this.#commit([{ type: "session.updated", data: { metadata: { ...change } }, synthetic: true }]);
    this.#settingsChanged = true;
  }

  /** Ends the session for good. Its history stays. */
  async terminate(): Promise<void> {
    if (this.#state.ended?.reason === "terminated") return;
    const data = { reason: "terminated", terminated_by: "daemon" } as const;
    const bodies: EventBody[] = [
      ...queueCancelled(this.#state),
      ...endTurn(this.#state, this.#memory, "terminated"),
      { type: "session.ended", data, synthetic: true },
    ];
    this.#commit(bodies);
    for (const body of bodies) this.#react(body);
    await this.close();
  }

  /** The daemon stops: the running turn is over, the queue waits for the next start. */
  async interrupt(): Promise<void> {
    this.#closed = true;
    this.#append(endTurn(this.#state, this.#memory, "interrupted"));
    await this.close();
  }

  /** The session was deleted: whatever still goes on in it ends, and is not told. */
  async erase(): Promise<void> {
    this.#closed = true;
    this.#erased = true;
    await this.close();
  }

  /** Lets go of the agent without a word in the log. */
  async close(): Promise<void> {
    this.#watchdog.stop();
    this.changes?.mute();
    await Promise.race([this.#link.cut(), Bun.sleep(closeGraceMs)]);
  }

  // ── Messages ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A client may choose the id of its message. */
  async post(request: MessageRequest, key: string | null, messageId = `msg_${Bun.randomUUIDv7()}`): Promise<Posted> {
    const repeated = this.#findRepeated(key, request);
    if (repeated) return repeated;
    this.#requireOpen();

    const { message, attachments = [], delivery = "queue" } = request;
    if (delivery === "steer" && this.#state.turn) return this.#steer(messageId, request, key);
    const posted = { messageId, afterSequence: this.#state.sequence, steered: false };
    const keep = () => this.#keepKey(key, request, posted);
    if (isQuiet(this.#state)) {
      this.#startTurn({ messageId, message, attachments }, keep);
      return posted;
    }
    if (delivery === "reject") throw this.#problem("conflict", "a turn is running; wait for it or use delivery queue");
    const data = { message_id: messageId, message, ...(attachments.length > 0 && { attachments }) };
    this.#commit([{ type: "message.queued", data, synthetic: true }], keep);
    return posted;
  }

  cancelMessage(messageId: string): void {
    if (!this.#state.queue.some((queued) => queued.messageId === messageId))
      throw this.#problem("not_found", `no message ${messageId} is queued; it may have been started already`);
    this.#commit([{ type: "message.cancelled", data: { message_id: messageId }, synthetic: true }]);
  }

  /** Ends the running turn and drops the queue. Resolves when the end is in the log. */
  async abort(): Promise<void> {
    const { log } = this.#context;
    log.flush();
    this.#append(queueCancelled(this.#state));
    const turn = this.#state.turn;
    if (turn && !this.#handedOver) this.#append(endTurn(this.#state, this.#memory, "aborted"));
    else if (turn) {
      this.#aborting = true;
      const ended = this.#turnOver(turn.turnId);
      const asked = this.#link.current?.then((agentSession) => agentSession.abort());
      asked?.catch(() => {});
      await Promise.race([asked && ended, Bun.sleep(asked ? abortGraceMs : 0)]);
      this.#aborting = false;
      if (this.#state.turn?.turnId === turn.turnId) await this.#forceEnd("aborted");
    }
    log.flush();
  }

  // ── Requests ────────────────────────────────────────────────────────────────────────────────────────────────────

  async replyPermission(permissionId: string, reply: PermissionReply): Promise<void> {
    const open = this.#state.permissions.find(({ permission_id }) => permission_id === permissionId);
    if (!open)
      throw this.#problem("invalid_request", `no permission ${permissionId} is open; it may be answered already`);
    this.#commit([permissionResolved(open, reply)]);
    await this.#tellAgent((agentSession) => agentSession.replyPermission(permissionId, reply));
  }

  /** `null` rejects the question. */
  async replyQuestion(questionId: string, answers: string[][] | null): Promise<void> {
    const open = this.#state.questions.find(({ question_id }) => question_id === questionId);
    if (!open) throw this.#problem("invalid_request", `no question ${questionId} is open; it may be answered already`);
    this.#commit([questionResolved(open, answers)]);
    await this.#tellAgent((agentSession) => agentSession.replyQuestion(questionId, answers));
  }

  // ── LogWriter ───────────────────────────────────────────────────────────────────────────────────────────────────

  snapshot(): Snapshot | null {
    if (!this.#snapshotDue) return null;
    const open = !isQuiet(this.#state) || hasRequests(this.#state);
    return { state: JSON.stringify(this.#state), updatedAt: Date.parse(this.#state.time), open };
  }

  snapshotStored(): void {
    this.#snapshotDue = false;
  }

  // ── Turns ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #startTurn(message: Omit<QueuedMessage, "queuedAt">, alongside?: () => void): void {
    const number = this.#state.turnCount + 1;
    const turn: Turn = { number, text: message.message, attachments: message.attachments ?? [] };
    const turnId = `turn_${number}`;
    this.#memory.itemIds.clear();
    this.#commit(
      [
        // What an earlier turn asked and did not wait for has nobody to answer to any more.
        ...closeRequests(this.#state, "superseded"),
        {
          type: "turn.started",
          data: { phase: "started", turn_id: turnId, metadata: { message_id: message.messageId } },
          synthetic: true,
        },
        ...userItem(this.#state, turn, this.#agent.userItemId(number)),
      ],
      alongside,
    );
    this.#watchdog.start();
    this.#handedOver = false;
    const given = Promise.withResolvers<void>();
    this.#handingOver = given.promise;
    void this.#handOver(turn, turnId, given.resolve).finally(given.resolve);
  }

  async #handOver(turn: Turn, turnId: string, given: () => void): Promise<void> {
    try {
      const filesKept = this.changes?.turnStarted(turn.number);
      const agentSession = await this.#openAgent();
      await filesKept;
      if (this.#state.turn?.turnId !== turnId) return;
      if (this.#settingsChanged) await agentSession.configure(agentSettings(this.#state));
      if (this.#state.turn?.turnId !== turnId) return;
      this.#settingsChanged = false;
      this.#handedOver = true;
      const sent = agentSession.send(turn);
      given();
      await sent;
    } catch (error) {
      if (this.#state.turn?.turnId !== turnId) return;
      const { kind: code, message } = asProblem(error);
      this.#append([{ type: "error", data: { message, code }, synthetic: true }]);
      await this.#forceEnd("failed");
    }
  }

  async #steer(messageId: string, request: MessageRequest, key: string | null): Promise<Posted> {
    await this.#handingOver;
    const agentSession = await this.#link.current;
    if (!agentSession?.steer)
      throw this.#problem("conflict", `${this.#agent.id} cannot be steered; use delivery queue or abort first`);
    // The same message may have come a second time while the agent was starting, or the turn may be over.
    const repeated = this.#findRepeated(key, request);
    if (repeated) return repeated;
    if (!this.#state.turn) return this.post(request, key, messageId);
    const { message: text, attachments = [] } = request;
    const turn: Turn = { number: this.#state.turnCount, text, attachments };
    const posted = { messageId, afterSequence: this.#state.sequence, steered: true };
    this.#commit(userItem(this.#state, turn, null), () => this.#keepKey(key, request, posted));
    // It is said and cannot be refused any more: that the agent did not hear it is an event.
    await agentSession.steer(turn).catch((error) => this.#failed(error, "steer_failed"));
    return posted;
  }

  /** Starts the next queued message. Without a disk to write to, it stays in the queue and is tried again. */
  #startNext(): void {
    const [next] = this.#state.queue;
    if (this.#closed || this.#state.turn || !next) return;
    try {
      this.#startTurn(next);
    } catch {
      setTimeout(() => this.#startNext(), retryMs).unref();
    }
  }

  /** Ends the turn without the agent, which is cut off so that nothing of that turn can follow. */
  async #forceEnd(reason: TurnEndReason): Promise<void> {
    this.#watchdog.stop();
    const cut = this.#link.cut();
    this.#append(endTurn(this.#state, this.#memory, reason));
    await Promise.race([cut, Bun.sleep(closeGraceMs)]);
    this.#startNext();
  }

  #onSilence(): void {
    if (hasRequests(this.#state)) return this.#watchdog.start();
    const message = `the agent sent nothing for ${this.#context.turnStallMs} ms, so the turn was ended; see --turn-stall-ms`;
    this.#append([{ type: "error", data: { message, code: "agent_stalled" }, synthetic: true }]);
    void this.#forceEnd("stalled");
  }

  /** Resolves when the turn is no longer running. */
  #turnOver(turnId: string | null): Promise<void> {
    return new Promise((resolve) => {
      const deliver = () => {
        if (this.#state.turn?.turnId === turnId) return;
        stop();
        resolve();
      };
      const stop = this.#context.log.feed.subscribe(this.number, { deliver });
    });
  }

  // ── The agent ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** An agent whose setup has changed meanwhile is opened again: that is how all of them take in a new one. */
  async #openAgent() {
    const { config, skillsDir } = this.#context;
    const setup = setupOf(this.#spec, config);
    const fingerprint = fingerprintOf(setup);
    if (this.#setup !== fingerprint) {
      await this.#link.cut();
      await linkSkills(setup, skillsDir).catch((error) => this.#withoutSkills(error));
    }
    const agentSession = await this.#link.open({
      sessionId: this.id,
      nativeSessionId: this.#nativeSessionId,
      directory: setup.directory,
      mcp: setup.mcp,
      skills: setup.skills,
      agentVersion: this.#spec.agentVersion ?? null,
      env: this.#spec.env ?? {},
      credentials: this.#spec.credentials ?? {},
      endpoints: this.#spec.endpoints ?? {},
      history: async () => historyText(this.#earlierEvents()),
      ...agentSettings(this.#state),
    });
    this.#setup = fingerprint;
    this.#nativeSessionId = agentSession.nativeSessionId ?? this.#nativeSessionId;
    return agentSession;
  }

  /** A session cannot begin without its skills, but one that has goes on. */
  #withoutSkills(error: unknown): void {
    if (this.#state.sequence === 0) throw error;
    this.#failed(error, "skills_unavailable");
  }

  async #accept(drafts: readonly Draft[]): Promise<void> {
    if (this.#state.sequence === 0) {
      this.#early.push(...drafts);
      return;
    }
    this.#watchdog.feed();
    let stored = Promise.resolve();
    for (const draft of drafts) {
      if (draft.type === "session.identified") this.#nativeSessionId = draft.native_session_id;
      stored = this.#append(normalize(this.#state, this.#memory, this.#withReason(draft)));
    }
    await stored;
  }

  /** An agent that was asked to stop need not say why it did. */
  #withReason(draft: Draft): Draft {
    if (draft.type !== "turn.ended" || !this.#aborting) return draft;
    return { ...draft, reason: draft.reason ?? "aborted" };
  }

  /** Tells the agent of a reply that is already in the log; a failure to do so is an event, not a lost reply. */
  async #tellAgent(tell: (agentSession: Awaited<ReturnType<Agent["open"]>>) => Promise<void>): Promise<void> {
    try {
      const agentSession = await this.#link.current;
      if (agentSession) await tell(agentSession);
    } catch (error) {
      this.#failed(error, "reply_failed");
    }
  }

  /** Told as an event, unless the session has ended meanwhile, which says it all. */
  #failed(error: unknown, code: string): void {
    if (this.#state.ended) return;
    const { message } = asProblem(error);
    void this.#append([{ type: "error", data: { message, code }, synthetic: true }]);
  }

  #changesIn(directory: string): SessionChanges {
    const tell = (data: EventData<"file.changed">) =>
      void this.#append([{ type: "file.changed", data, synthetic: true }]);
    return new SessionChanges(
      { sessionId: this.id, sessionNumber: this.number, directory, tell },
      this.#context.workspaces,
    );
  }

  // ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Adds events to the coming commit. */
  #append(bodies: readonly EventBody[]): Promise<void> {
    if (this.#erased) return Promise.resolve();
    const stored = this.#context.log.append(
      this,
      bodies.map((body) => this.#sequence(body)),
    );
    for (const body of bodies) this.#react(body);
    return stored;
  }

  /** Stores events at once, or throws with nothing changed. */
  #commit(bodies: readonly EventBody[], alongside?: () => void): void {
    if (this.#erased) throw this.#problem("session_not_found", "the session was deleted meanwhile");
    const { log } = this.#context;
    log.flush();
    const [state, snapshotDue] = [this.#state, this.#snapshotDue];
    const records = bodies.map((body) => this.#sequence(body));
    try {
      log.commit(this, records, alongside);
    } catch (error) {
      this.#state = state;
      this.#snapshotDue = snapshotDue;
      throw error;
    }
  }

  #sequence(body: EventBody): LogRecord {
    const sequence = this.#state.sequence + 1;
    const event: UniversalEvent = {
      event_id: `evt_${this.number}_${sequence}`,
      sequence,
      time: now(),
      session_id: this.id,
      native_session_id: this.#nativeSessionId,
      source: body.synthetic ? "daemon" : "agent",
      ...body,
    };
    this.#state = foldEvent(this.#state, event);
    // Inside a turn, items alone do not change what a restart needs to know: it reads them again from the log.
    this.#snapshotDue ||= !this.#state.turn || !body.type.startsWith("item.");
    return this.#encode(event);
  }

  /** What follows from an event of the agent. */
  #react(body: EventBody): void {
    switch (body.type) {
      case "permission.requested": {
        const remembered = permissionKeys(body.data).some((key) => this.#state.always.includes(key));
        if (!remembered) return;
        void this.#append([permissionResolved(body.data, "always")]);
        void this.#tellAgent((agentSession) => agentSession.replyPermission(body.data.permission_id, "always"));
        return;
      }
      case "item.delta":
        this.#context.commands.output(body.data.item_id, body.data.delta);
        return;
      case "item.started":
      case "item.completed":
        this.#context.commands.item(this.id, body.data.item, body.type === "item.completed");
        this.changes?.observe(body.data.item, body.type === "item.completed");
        return;
      case "turn.started":
        this.#handedOver = true;
        this.#watchdog.start();
        void this.changes?.turnStarted(this.#state.turnCount);
        return;
      case "turn.ended":
        this.changes?.turnEnded();
        this.#watchdog.stop();
        setImmediate(() => this.#startNext());
        return;
      case "session.ended":
        this.changes?.turnEnded();
        this.#watchdog.stop();
        void this.#link.cut();
        if (body.data.reason === "error") void this.#append(queueCancelled(this.#state));
        else setImmediate(() => this.#startNext());
        return;
    }
  }

  /** Everything before the running turn. */
  *#earlierEvents(): Generator<UniversalEvent> {
    const { log, history } = this.#context;
    log.flush();
    const end = this.#state.turn?.firstSequence ?? Number.POSITIVE_INFINITY;
    for (const { sequence, text } of history.records(this.number, 0)) {
      if (sequence >= end) return;
      const event: UniversalEvent = JSON.parse(text);
      yield event;
    }
  }

  *#deltasOf({ item, sequence }: OpenItem): Generator<string> {
    const { log, history } = this.#context;
    const mark = `"${item.item_id}"`;
    for (const source of [history.records(this.number, sequence), log.pendingRecords(this.number)]) {
      for (const { text } of source) {
        if (!text.includes(mark)) continue;
        const event: UniversalEvent = JSON.parse(text);
        if (event.type === "item.delta" && event.data.item_id === item.item_id) yield event.data.delta;
      }
    }
  }

  // ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────

  requireChanges(): SessionChanges {
    if (this.changes) return this.changes;
    throw this.#problem(
      "checkpoints_unavailable",
      "the session was created without a directory, so its files are not kept; create one with `directory`",
    );
  }

  #requireOpen(): void {
    const { ended } = this.#state;
    if (ended?.reason === "terminated")
      throw this.#problem("invalid_request", "the session was terminated; create a new one");
    if (ended?.reason === "error") {
      const details = { exitCode: ended.exit_code ?? null, stderr: ended.stderr ?? null };
      const message = `${ended.message ?? "the agent is gone"}; create a new session`;
      throw new ProblemError("agent_process_exited", message, {
        agent: this.#spec.agent,
        sessionId: this.id,
        details,
      });
    }
  }

  /** The message that was sent under this key before. */
  #findRepeated(key: string | null, request: MessageRequest): Posted | null {
    const found = key === null ? null : this.#context.table.findMessage(this.number, key);
    if (found && found.fingerprint !== fingerprint(request))
      throw this.#problem("conflict", "this Idempotency-Key was used for another message");
    return found;
  }

  #keepKey(key: string | null, request: MessageRequest, posted: Posted): void {
    if (key === null) return;
    this.#context.table.insertMessage(this.number, { ...posted, key, fingerprint: fingerprint(request) });
  }

  #problem(kind: ConstructorParameters<typeof ProblemError>[0], message: string): ProblemError {
    return new ProblemError(kind, message, { sessionId: this.id });
  }
}

function fingerprint(request: MessageRequest): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(request)).digest("base64");
}

function asProblem(error: unknown): { kind: string; message: string } {
  if (error instanceof ProblemError) return error;
  return { kind: "internal_error", message: error instanceof Error ? error.message : String(error) };
}
