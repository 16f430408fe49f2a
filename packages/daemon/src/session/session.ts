/**
 * One session: commands of clients and drafts of the agent go in, events go out to the log. Its state is the fold of
 * those events and nothing else; what is kept beside it here can be lost at any moment without harm.
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
import type { SessionContext } from "./context.ts";
import { Journal } from "./journal.ts";
import { Mailbox, type Posted } from "./mailbox.ts";
import { type EventBody, endTurn, normalize } from "./normalize.ts";
import type { OpenTexts } from "./open-texts.ts";
import { permissionResolved, questionResolved, queueCancelled } from "./said.ts";
import { agentSettings, sessionInfo } from "./session-info.ts";
import { Turns } from "./turns.ts";

export type { Posted } from "./mailbox.ts";

interface SessionOrigin extends Omit<SessionRow, "updatedAt"> {
  /** The text of its open items, as far as it was read. */
  texts?: OpenTexts;
}

/** What a fork begins with. */
export interface Heritage {
  /** The session it was forked from. */
  sessionId: string;
  bodies: EventBody[];
}

export class Session {
  readonly id: string;
  readonly number: number;
  readonly createdAt: number;
  firstSequence: number;
  /** What it changes in its directory; null when it was given none of its own. */
  readonly changes: SessionChanges | null;
  readonly #spec: CreateSessionRequest;
  readonly #context: SessionContext;
  readonly #journal: Journal;
  readonly #link: AgentLink;
  readonly #turns: Turns;
  readonly #mailbox: Mailbox;
  /** What the agent said before its session was stored. */
  #early: Draft[] = [];
  /** The events that a fork begins with happened elsewhere: nothing reacts to them. */
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
      trouble: this.changes?.status ?? null,
    });
  }

  /** How to create a session like this one. */
  spec(): CreateSessionRequest {
    return { ...this.#spec, ...agentSettings(this.state), title: this.state.settings.title };
  }

  // ── Life ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Opens the agent and stores the session with its first events. Nothing is stored when either fails. */
  async begin(settings: SessionState["settings"], store: () => void, heritage: Heritage | null): Promise<void> {
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
      ...(heritage && { forkedFrom: heritage.sessionId }),
    };
    try {
      const said = heritage?.bodies ?? [];
      const started: EventBody = { type: "session.started", data: { metadata }, synthetic: true };
      this.#journal.record([started, ...said], { durable: true, inSameTransaction: store });
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#hasBegun = true;
    // Its backlog is not waited for: from here on others can find the session, and must find this object.
    this.#accept(this.#early.splice(0));
  }

  /** Closes in the log what the last run of the daemon left open, then goes on with the queue. */
  recover(): void {
    this.#journal.recover();
    this.#turns.startNext();
  }

  update(change: UpdateSessionRequest): void {
    const data = { metadata: { ...change } };
    this.#journal.record([{ type: "session.updated", data, synthetic: true }], { durable: true });
    this.#turns.settingsChanged();
  }

  /** Its files were taken back to before a message, or forth again (null). */
  noteRevert(revert: SessionRevert | null): void {
    const data = { metadata: { revert } };
    this.#journal.record([{ type: "session.updated", data, synthetic: true }], { durable: true });
  }

  /** Ends the session for good. Its history stays. */
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

  /** The daemon stops: the running turn is over, the queue waits for the next start. */
  async interrupt(): Promise<void> {
    this.#turns.stop();
    this.#journal.recordEnd("interrupted");
    await this.close();
  }

  /** The session was deleted: whatever still goes on in it ends, and is not told. */
  async erase(): Promise<void> {
    this.#turns.stop();
    this.#journal.erase();
    await this.close();
  }

  /** Closes the agent and reports no further changes of files: nothing follows in the log. */
  async close(): Promise<void> {
    this.changes?.mute();
    await this.release();
  }

  /** Closes the agent of a session without a running turn. The next turn opens it again. */
  async release(): Promise<void> {
    await this.#link.letGo();
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
      throw this.#problem("invalid_request", `no permission ${permissionId} is open; it may be answered already`);
    this.#journal.record([permissionResolved(open, reply)], { durable: true });
    await this.#link.tell((agentSession) => agentSession.replyPermission(permissionId, reply));
  }

  /** `null` rejects the question. */
  async replyQuestion(questionId: string, answers: string[][] | null): Promise<void> {
    const open = this.state.questions.find(({ question_id }) => question_id === questionId);
    if (!open) throw this.#problem("invalid_request", `no question ${questionId} is open; it may be answered already`);
    this.#journal.record([questionResolved(open, answers)], { durable: true });
    await this.#link.tell((agentSession) => agentSession.replyQuestion(questionId, answers));
  }

  requireChanges(): SessionChanges {
    if (this.changes) return this.changes;
    throw this.#problem(
      "checkpoints_unavailable",
      "the session was created without a directory, so its files are not kept; create one with `directory`",
    );
  }

  // ── What the agent says ─────────────────────────────────────────────────────────────────────────────────────────

  /** The promise, if any, resolves when there is room for more. */
  #accept(drafts: readonly Draft[]): Promise<void> | void {
    const journal = this.#journal;
    if (journal.state.sequence === 0) {
      this.#early.push(...drafts);
      return;
    }
    for (const draft of drafts) {
      if (draft.type === "session.identified") journal.nativeSessionId = draft.native_session_id;
      journal.record(normalize(journal.state, journal.memory, this.#turns.heard(draft)));
    }
    return this.#context.log.backlog;
  }

  /** What follows from an event. */
  #react(body: EventBody): void {
    if (!this.#hasBegun) return;
    switch (body.type) {
      case "permission.requested": {
        const remembered = permissionKeys(body.data).some((key) => this.state.always.includes(key));
        if (!remembered) return;
        this.#journal.record([permissionResolved(body.data, "always")]);
        background(
          "answer a permission that is always granted",
          this.#link.tell((agentSession) => agentSession.replyPermission(body.data.permission_id, "always")),
          this.id,
        );
        return;
      }
      case "item.started":
      case "item.completed":
        this.changes?.observe(body.data.item, body.type === "item.completed");
        return;
      case "turn.started":
        this.#turns.begun(body.data.metadata?.origin === "agent");
        return;
      case "turn.ended":
        this.#turns.ended();
        return;
      case "session.ended":
        background("close the agent", this.#link.cut(), this.id);
        if (body.data.reason === "error") this.#journal.record(queueCancelled(this.state));
        this.#turns.ended();
        return;
    }
  }

  #changesIn(directory: string): SessionChanges {
    const tell = (data: EventData<"file.changed">) =>
      this.#journal.record([{ type: "file.changed", data, synthetic: true }]);
    return new SessionChanges(
      { sessionId: this.id, sessionNumber: this.number, directory, tell },
      this.#context.workspaces,
    );
  }

  #problem(kind: ConstructorParameters<typeof ProblemError>[0], message: string): ProblemError {
    return new ProblemError(kind, message, { sessionId: this.id });
  }
}
