/**
 * The turns of a session. A turn is in the log before it is sent to the agent, queued messages run one after the other,
 * and a turn that the agent does not end is ended by the daemon.
 */
import { background, type Draft, reportTaskFailure, type Turn, within } from "@sandbox-agent/agents";
import { hasRequests, ProblemError, type QueuedMessage, type TurnEndReason } from "@sandbox-agent/schema";
import type { SessionChanges } from "../changes/session-changes.ts";
import { Watchdog } from "../watchdog.ts";
import type { AgentLink, SessionAgent } from "./agent-link.ts";
import { queueCancelled, userItem } from "./client-events.ts";
import type { SessionContext } from "./context.ts";
import { historyText, withHistory } from "./history-text.ts";
import type { Journal } from "./journal.ts";
import { closeRequests } from "./normalize.ts";
import { agentSettings } from "./session-info.ts";
import { untilFound } from "./wait.ts";

export interface TurnsOptions {
  agent: SessionAgent;
  journal: Journal;
  link: AgentLink;
  changes: SessionChanges | null;
  context: SessionContext;
}

const abortGraceMs = 5000;
const retryMs = 250;

export class Turns {
  readonly #watchdog: Watchdog;
  #settingsChanged = false;
  #aborting = false;
  /** Whether the message of the running turn was sent to the agent. */
  #isSent = false;
  #delivered: Promise<void> = Promise.resolve();
  /** Resolves when the checkpoint before the running turn is stored. */
  #checkpointStored: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(private readonly options: TurnsOptions) {
    this.#watchdog = new Watchdog(options.context.turnStallMs, () => this.#onSilence());
  }

  /** Resolves when the turn was sent to the agent, or failed before that. */
  get delivered(): Promise<void> {
    return this.#delivered;
  }

  /** Stores the turn and the writes of `inSameTransaction`. Throws with nothing changed when that fails. */
  start(message: Omit<QueuedMessage, "queuedAt">, inSameTransaction?: () => void): void {
    const { agent, journal } = this.options;
    const number = journal.state.turnCount + 1;
    const turn: Turn = { number, text: message.message, attachments: message.attachments ?? [] };
    const turnId = `turn_${number}`;
    journal.memory.itemIds.clear();
    journal.record(
      [
        // Requests that an earlier turn left open are not waited for any more.
        ...closeRequests(journal.state, "superseded"),
        {
          type: "turn.started",
          data: { phase: "started", turn_id: turnId, metadata: { message_id: message.messageId } },
          synthetic: true,
        },
        ...userItem(journal.state, turn, agent.userItemId(number)),
      ],
      { durable: true, inSameTransaction },
    );
    const sent = Promise.withResolvers<void>();
    this.#delivered = sent.promise;
    background("send the turn", this.#send(turn, turnId, sent.resolve).finally(sent.resolve), journal.sessionId);
  }

  /** Starts the next queued message. If it cannot be stored, it stays in the queue and is retried. */
  startNext(): void {
    const { journal } = this.options;
    const { queue, turn } = journal.state;
    const [next] = queue;
    if (this.#stopped || turn || !next) return;
    try {
      this.start(next);
    } catch (error) {
      if (!(error instanceof ProblemError))
        return reportTaskFailure({ task: "start a queued message", sessionId: journal.sessionId, error });
      setTimeout(() => this.startNext(), retryMs).unref();
    }
  }

  /** Ends the running turn and drops the queue. Resolves when the end is in the log. */
  async abort(): Promise<void> {
    const { journal, context } = this.options;
    context.log.flush();
    journal.record(queueCancelled(journal.state));
    const { turn } = journal.state;
    if (turn && this.#isSent) await this.#abortRunning(turn.turnId);
    else if (turn) journal.recordEnd("aborted");
    context.log.flush();
  }

  /** The agent gets the new settings before the next turn. */
  settingsChanged(): void {
    this.#settingsChanged = true;
  }

  /** Resets the watchdog. A turn that ends without a reason during an abort is aborted. */
  onDraft(draft: Draft): Draft {
    this.#watchdog.feed();
    if (draft.type !== "turn.ended" || !this.#aborting) return draft;
    return { ...draft, reason: draft.reason ?? "aborted" };
  }

  /** A turn has started. One that the agent has started itself is not sent to it. */
  onStarted(isByAgent: boolean): void {
    const { journal, changes } = this.options;
    this.#isSent = isByAgent;
    this.#watchdog.start();
    this.#checkpointStored = changes?.turnStarted(journal.state.turnCount) ?? Promise.resolve();
  }

  /** The running turn has ended, so the next one can start. */
  onEnded(): void {
    this.options.changes?.turnEnded();
    this.#watchdog.stop();
    setImmediate(() => this.startNext());
  }

  /** No further turn starts, and the watchdog is off. */
  stop(): void {
    this.#stopped = true;
    this.#watchdog.stop();
  }

  async #send(turn: Turn, turnId: string, onSent: () => void): Promise<void> {
    const { journal, link } = this.options;
    const isOver = () => this.#stopped || journal.state.turn?.turnId !== turnId;
    try {
      const agentSession = await link.open();
      await this.#checkpointStored;
      if (this.#settingsChanged) await link.configure(agentSession, agentSettings(journal.state));
      const withContext = await this.#withForkContext(turn);
      if (isOver()) return;
      this.#settingsChanged = false;
      this.#isSent = true;
      const accepted = agentSession.send(withContext);
      onSent();
      await accepted;
    } catch (error) {
      if (isOver()) return;
      journal.recordError(error);
      const ended = this.#forceEnd("failed");
      link.endIfUnstartable({ message: error instanceof Error ? error.message : String(error) });
      await ended;
    }
  }

  /** The agent of a fork does not know the copied conversation, so its first message contains it. */
  async #withForkContext(turn: Turn): Promise<Turn> {
    const { journal } = this.options;
    if (journal.state.pendingForkContext === null) return turn;
    return { ...turn, text: withHistory(historyText(await journal.earlierItems()), turn.text) };
  }

  async #abortRunning(turnId: string | null): Promise<void> {
    const { journal, link, context } = this.options;
    this.#aborting = true;
    const isOver = () => journal.state.turn?.turnId !== turnId || null;
    const ended = untilFound(context.log, journal.number, isOver);
    link.current?.then((agentSession) => agentSession.abort()).catch(() => {});
    await within(abortGraceMs, ended);
    this.#aborting = false;
    if (journal.state.turn?.turnId === turnId) await this.#forceEnd("aborted");
  }

  /** Ends the turn without the agent. The agent is disconnected first, so that it cannot add events to that turn. */
  async #forceEnd(reason: TurnEndReason): Promise<void> {
    const { journal, link } = this.options;
    const disconnected = link.disconnectWithin();
    journal.recordEnd(reason);
    await disconnected;
  }

  #onSilence(): void {
    const { journal, context } = this.options;
    if (hasRequests(journal.state)) return this.#watchdog.start();
    const message = `the agent sent nothing for ${context.turnStallMs} ms, so the turn was ended; change the limit with --turn-stall-ms`;
    journal.recordError(message, "agent_stalled");
    background("end a stalled turn", this.#forceEnd("stalled"), journal.sessionId);
  }
}
