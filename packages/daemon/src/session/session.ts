/**
 * One session: takes commands of clients and drafts of the agent, and writes events to the log. Its state is the fold of
 * those events and nothing else; all other fields can be lost at any moment without harm.
 */
import { background, type Draft } from "@sandbox-agent/agents";
import {
  type CreateSessionRequest,
  type EventData,
  type MessageRequest,
  type PermissionReply,
  ProblemError,
  permissionKeys,
  type SessionInfo,
  type SessionRevert,
  type SessionState,
  type UpdateSessionRequest,
} from "@sandbox-agent/schema";
import { SessionChanges } from "../changes/session-changes.ts";
import type { SessionRow } from "../store/session-table.ts";
import { AgentLink, type SessionAgent } from "./agent-link.ts";
import { permissionResolved, questionResolved, queueCancelled } from "./client-events.ts";
import type { SessionContext } from "./context.ts";
import { Journal } from "./journal.ts";
import { Mailbox, type Posted } from "./mailbox.ts";
import { type EventBody, endTurn, normalize } from "./normalize.ts";
import type { OpenTexts } from "./open-texts.ts";
import { agentSettings, sessionInfo } from "./session-info.ts";
import { Turns } from "./turns.ts";

export type { Posted } from "./mailbox.ts";

interface SessionOrigin extends Omit<SessionRow, "updatedAt"> {
  /** The texts of its open items, as far as they were read. */
  texts?: OpenTexts;
}

/** What a fork starts with. */
export interface ForkSeed {
  /** The session it was forked from. */
  sessionId: string;
  events: EventBody[];
}

export class Session {
  readonly id: string;
  readonly number: number;
  readonly createdAt: number;
  firstSequence: number;
  /** The changes in its directory; null for a session without a directory. */
  readonly changes: SessionChanges | null;
  readonly #spec: CreateSessionRequest;
  readonly #context: SessionContext;
  readonly #journal: Journal;
  readonly #link: AgentLink;
  readonly #turns: Turns;
  readonly #mailbox: Mailbox;
  /** Drafts that arrived before the session was stored. */
  #early: Draft[] = [];
  /** False while the first events are recorded: those of a fork happened in another session, so nothing reacts to them. */
  #hasBegun: boolean;

  constructor(
    { id, number, spec, state, texts, open, firstSequence, createdAt }: SessionOrigin,
    agent: SessionAgent,
    context: SessionContext,
  ) {
    this.id = id;
    this.number = number;
    this.createdAt = createdAt;
    this.firstSequence = firstSequence;
    this.#hasBegun = state.sequence > 0;
    this.#spec = spec;
    this.#context = context;
    const journal = new Journal({
      id,
      number,
      state,
      ...(texts && { texts }),
      storedOpen: open,
      context,
      observe: (body) => this.#react(body),
    });
    const accept = (drafts: readonly Draft[]) => this.#accept(drafts);
    const link = new AgentLink({ sessionId: id, spec, agent, journal, context, accept });
    this.#journal = journal;
    this.#link = link;
    this.changes = spec.directory ? this.#changesIn(spec.directory) : null;
    this.#turns = new Turns({ agent, journal, link, changes: this.changes, context });
    this.#mailbox = new Mailbox({ sessionId: id, agent, journal, link, turns: this.#turns, context });
  }

  get state(): SessionState {
    return this.#journal.state;
  }

  info(): SessionInfo {
    const { id, state, firstSequence, createdAt } = this;
    return sessionInfo({
      id,
      spec: this.#spec,
      state,
      firstSequence,
      createdAt,
      changes: this.changes?.status ?? null,
    });
  }

  /** How to create a session like this one. */
  spec(): CreateSessionRequest {
    return { ...this.#spec, ...agentSettings(this.state), title: this.state.settings.title };
  }

  // ── Lifecycle ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Opens the agent and stores the session with its first events. Nothing is stored when either fails. */
  async begin(settings: SessionState["settings"], store: () => void, seed: ForkSeed | null): Promise<void> {
    this.changes?.prepare();
    await this.#link.open(settings);
    const { agentMode, permissionMode, model, variant, title } = settings;
    const metadata = {
      agent: this.#spec.agent,
      agentMode,
      permissionMode,
      model,
      variant,
      ...(title && { title }),
      ...(seed && { forkedFrom: seed.sessionId }),
    };
    try {
      const started: EventBody = { type: "session.started", data: { metadata }, synthetic: true };
      this.#journal.record([started, ...(seed?.events ?? [])], { durable: true, inSameTransaction: store });
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#hasBegun = true;
    // Not awaited: requests can find the session from here on, and must get this object.
    this.#accept(this.#early.splice(0));
  }

  /** Closes what the last run of the daemon left open, then continues with the queue. */
  recover(): void {
    this.#journal.recover();
    this.#turns.startNext();
  }

  update(change: UpdateSessionRequest): void {
    const data = { metadata: { ...change } };
    this.#journal.record([{ type: "session.updated", data, synthetic: true }], { durable: true });
    this.#turns.settingsChanged();
  }

  /** Records that its files were reverted to before a message, or restored (null). */
  recordRevert(revert: SessionRevert | null): void {
    const data = { metadata: { revert } };
    this.#journal.record([{ type: "session.updated", data, synthetic: true }], { durable: true });
  }

  /** Ends the session permanently. Its history stays. */
  async terminate(): Promise<void> {
    if (this.state.ended?.reason === "terminated") return;
    const data = { reason: "terminated", terminated_by: "daemon" } as const;
    const bodies: EventBody[] = [
      ...queueCancelled(this.state),
      ...endTurn(this.state, this.#journal.memory, "terminated"),
      { type: "session.ended", data, synthetic: true },
    ];
    this.#journal.record(bodies, { durable: true });
    await this.close();
  }

  /** The daemon stops: ends the running turn. The queue continues after the next start. */
  async interrupt(): Promise<void> {
    this.#turns.stop();
    this.#journal.recordEnd("interrupted");
    await this.close();
  }

  /** The session was deleted: ends what is running without recording it. */
  async erase(): Promise<void> {
    this.#turns.stop();
    this.#journal.erase();
    await this.close();
  }

  /** Closes the agent and stops reporting file changes, so that no further events are logged. */
  async close(): Promise<void> {
    this.changes?.mute();
    await this.release();
  }

  /** Closes the agent of a session without a running turn. The next turn opens it again. */
  async release(): Promise<void> {
    await this.#link.disconnectWithin();
  }

  // ── Commands ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A client may choose the id of its message. */
  post(request: MessageRequest, key: string | null, messageId = `msg_${Bun.randomUUIDv7()}`): Promise<Posted> {
    return this.#mailbox.post(request, key, messageId);
  }

  cancelMessage(messageId: string): void {
    this.#mailbox.cancel(messageId);
  }

  /** Ends the running turn and drops the queue. Resolves when the end is in the log. */
  abort(): Promise<void> {
    return this.#turns.abort();
  }

  async replyPermission(permissionId: string, reply: PermissionReply): Promise<void> {
    const open = this.state.permissions.find(({ permission_id }) => permission_id === permissionId);
    if (!open)
      throw this.#problem("invalid_request", `no permission ${permissionId} is open; it may already be answered`);
    this.#journal.record([permissionResolved(open, reply)], { durable: true });
    await this.#link.sendReply((agentSession) => agentSession.replyPermission(permissionId, reply));
  }

  /** `null` rejects the question. */
  async replyQuestion(questionId: string, answers: string[][] | null): Promise<void> {
    const open = this.state.questions.find(({ question_id }) => question_id === questionId);
    if (!open) throw this.#problem("invalid_request", `no question ${questionId} is open; it may already be answered`);
    this.#journal.record([questionResolved(open, answers)], { durable: true });
    await this.#link.sendReply((agentSession) => agentSession.replyQuestion(questionId, answers));
  }

  requireChanges(): SessionChanges {
    if (this.changes) return this.changes;
    throw this.#problem(
      "checkpoints_unavailable",
      "the session has no directory, so it has no checkpoints; create a session with `directory`",
    );
  }

  // ── Drafts of the agent ─────────────────────────────────────────────────────────────────────────────────────────

  /** The promise, if any, resolves when the log can take more. */
  #accept(drafts: readonly Draft[]): Promise<void> | void {
    const journal = this.#journal;
    if (journal.state.sequence === 0) {
      this.#early.push(...drafts);
      return;
    }
    for (const draft of drafts) {
      if (draft.type === "session.identified") journal.nativeSessionId = draft.native_session_id;
      journal.record(normalize(journal.state, journal.memory, this.#turns.onDraft(draft)));
    }
    return this.#context.log.backlog;
  }

  /** Reacts to an event that was recorded. */
  #react(body: EventBody): void {
    if (!this.#hasBegun) return;
    switch (body.type) {
      case "permission.requested": {
        const remembered = permissionKeys(body.data).some((key) => this.state.always.includes(key));
        if (!remembered) return;
        this.#journal.record([permissionResolved(body.data, "always")]);
        background(
          "answer a permission that is always granted",
          this.#link.sendReply((agentSession) => agentSession.replyPermission(body.data.permission_id, "always")),
          this.id,
        );
        return;
      }
      case "item.started":
      case "item.completed":
        this.changes?.observe(body.data.item, body.type === "item.completed");
        return;
      case "turn.started":
        this.#turns.onStarted(body.data.metadata?.origin === "agent");
        return;
      case "turn.ended":
        this.#turns.onEnded();
        return;
      case "session.ended":
        background("close the agent", this.#link.disconnect(), this.id);
        if (body.data.reason === "error") this.#journal.record(queueCancelled(this.state));
        this.#turns.onEnded();
        return;
    }
  }

  #changesIn(directory: string): SessionChanges {
    const emit = (data: EventData<"file.changed">) =>
      this.#journal.record([{ type: "file.changed", data, synthetic: true }]);
    return new SessionChanges(
      { sessionId: this.id, sessionNumber: this.number, directory, emit },
      this.#context.workspaces,
    );
  }

  #problem(kind: ConstructorParameters<typeof ProblemError>[0], message: string): ProblemError {
    return new ProblemError(kind, message, { sessionId: this.id });
  }
}
