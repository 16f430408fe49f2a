/**
 * The turns of a session. A turn is in the log before the agent is given it, queued messages follow one after the other,
 * and a turn that the agent does not end is ended without it.
 */
import { background, type Draft, reportTaskFailure, type Turn, within } from "@sandbox-agent/agents";
import { hasRequests, ProblemError, type QueuedMessage, type TurnEndReason } from "@sandbox-agent/schema";
import type { SessionChanges } from "../changes/session-changes.ts";
import { Watchdog } from "../watchdog.ts";
import type { AgentLink, SessionAgent } from "./agent-link.ts";
import type { SessionContext } from "./context.ts";
import { historyText, withHistory } from "./history-text.ts";
import type { Journal } from "./journal.ts";
import { closeRequests } from "./normalize.ts";
import { queueCancelled, userItem } from "./said.ts";
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
  /** Whether the agent has been given the message of the running turn. */
  #handedOver = false;
  #handingOver: Promise<void> = Promise.resolve();
  /** Resolves when the files are kept as they are before the running turn. */
  #filesKept: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(private readonly options: TurnsOptions) {
    this.#watchdog = new Watchdog(options.context.turnStallMs, () => this.#onSilence());
  }

  /** Settles when the turn has been given to the agent, or never will be. */
  get handingOver(): Promise<void> {
    return this.#handingOver;
  }

  /** Throws with nothing changed when the turn cannot be stored, and `inSameTransaction` with it. */
  start(message: Omit<QueuedMessage, "queuedAt">, inSameTransaction?: () => void): void {
    const { agent, journal } = this.options;
    const number = journal.state.turnCount + 1;
    const turn: Turn = { number, text: message.message, attachments: message.attachments ?? [] };
    const turnId = `turn_${number}`;
    journal.memory.itemIds.clear();
    journal.record(
      [
        // What an earlier turn asked and did not wait for has nobody to answer to any more.
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
    const given = Promise.withResolvers<void>();
    this.#handingOver = given.promise;
    background(
      "hand over the turn",
      this.#handOver(turn, turnId, given.resolve).finally(given.resolve),
      journal.sessionId,
    );
  }

  /** Starts the next queued message. Without a disk to write to, it stays in the queue and is tried again. */
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
    if (turn && this.#handedOver) await this.#abortRunning(turn.turnId);
    else if (turn) journal.recordEnd("aborted");
    context.log.flush();
  }

  /** The agent is told before the next turn. */
  settingsChanged(): void {
    this.#settingsChanged = true;
  }

  /** The agent says something; one that was asked to stop need not say why it did. */
  heard(draft: Draft): Draft {
    this.#watchdog.feed();
    if (draft.type !== "turn.ended" || !this.#aborting) return draft;
    return { ...draft, reason: draft.reason ?? "aborted" };
  }

  /** A turn is in the log. One that the agent has begun by itself need not be handed over. */
  begun(isByAgent: boolean): void {
    const { journal, changes } = this.options;
    this.#handedOver = isByAgent;
    this.#watchdog.start();
    this.#filesKept = changes?.turnStarted(journal.state.turnCount) ?? Promise.resolve();
  }

  /** The running turn is over, so the next can begin. */
  ended(): void {
    this.options.changes?.turnEnded();
    this.#watchdog.stop();
    setImmediate(() => this.startNext());
  }

  /** No turn begins any more, and nothing is expected of the agent. */
  stop(): void {
    this.#stopped = true;
    this.#watchdog.stop();
  }

  async #handOver(turn: Turn, turnId: string, given: () => void): Promise<void> {
    const { journal, link } = this.options;
    const isOver = () => this.#stopped || journal.state.turn?.turnId !== turnId;
    try {
      const agentSession = await link.open();
      await this.#filesKept;
      if (this.#settingsChanged) await link.configure(agentSession, agentSettings(journal.state));
      const told = await this.#withHeritage(turn);
      if (isOver()) return;
      this.#settingsChanged = false;
      this.#handedOver = true;
      const sent = agentSession.send(told);
      given();
      await sent;
    } catch (error) {
      if (isOver()) return;
      journal.recordError(error);
      const ended = this.#forceEnd("failed");
      link.endIfUnstartable({ message: error instanceof Error ? error.message : String(error) });
      await ended;
    }
  }

  /** The agent of a fork knows nothing of it, so its first message tells it what was said. */
  async #withHeritage(turn: Turn): Promise<Turn> {
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

  /** Ends the turn without the agent, which is cut off so that nothing of that turn can follow. */
  async #forceEnd(reason: TurnEndReason): Promise<void> {
    const { journal, link } = this.options;
    const letGo = link.letGo();
    journal.recordEnd(reason);
    await letGo;
  }

  #onSilence(): void {
    const { journal, context } = this.options;
    if (hasRequests(journal.state)) return this.#watchdog.start();
    const message = `the agent sent nothing for ${context.turnStallMs} ms, so the turn was ended; see --turn-stall-ms`;
    journal.recordError(message, "agent_stalled");
    background("end a stalled turn", this.#forceEnd("stalled"), journal.sessionId);
  }
}
