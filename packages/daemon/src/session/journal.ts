/**
 * Writes the events of a session. Each event gets its sequence, id and time, is folded into the state, appended to the log,
 * and then passed to the observer. The state is the fold of the events and nothing else.
 */
import { reportTaskFailure } from "@sandbox-agent/agents";
import {
  applyEvent,
  emptyTranscript,
  foldEvent,
  hasRequests,
  isQuiet,
  type OpenItem,
  ProblemError,
  type SessionState,
  type TranscriptItem,
  type TurnEndReason,
  type UniversalEvent,
} from "@sandbox-agent/schema";
import { RedactedEvents } from "../secrets/redacted-events.ts";
import { clock, type LogRecord, recordEncoder } from "../store/encode.ts";
import type { LogWriter, Snapshot } from "../store/transaction.ts";
import type { SessionContext } from "./context.ts";
import { type EventBody, endTurn, type ItemMemory } from "./normalize.ts";
import { OpenTexts } from "./open-texts.ts";

export interface JournalOptions {
  id: string;
  number: number;
  state: SessionState;
  /** The texts of the open items in `state`, as far as they were read. */
  texts?: OpenTexts;
  /** Whether the stored state is that of an unfinished session. It may then be older than `state`. */
  storedOpen: boolean;
  context: Pick<SessionContext, "log" | "history" | "secrets">;
  /** Called with each event in order. Its errors are reported and affect neither the log nor the agent. */
  observe(body: EventBody): void;
}

export interface RecordOptions {
  /** True: stored before `record` returns, which throws with nothing changed if that fails. False: stored with the next flush. */
  durable: boolean;
  /** Further writes in the transaction that stores the events. Durable events only. */
  inSameTransaction?: () => void;
}

const now = clock();

/** Whether recovery after a restart has to close a turn, items or requests. */
export function isUnfinished(state: SessionState): boolean {
  return !isQuiet(state) || hasRequests(state);
}

export class Journal implements LogWriter {
  readonly number: number;
  readonly sessionId: string;
  readonly memory: ItemMemory = { itemIds: new Map(), deltasOf: (open) => [this.#textOf(open)] };
  readonly #redaction: RedactedEvents;
  /** The agent's own id of the session, which every event carries. */
  nativeSessionId: string | null;
  readonly #options: JournalOptions;
  readonly #encode: (event: UniversalEvent) => LogRecord;
  readonly #texts: OpenTexts;
  #state: SessionState;
  #snapshotDue: boolean;
  #storedOpen: boolean;
  #erased = false;

  constructor(options: JournalOptions) {
    this.number = options.number;
    this.sessionId = options.id;
    this.nativeSessionId = options.state.nativeSessionId;
    this.#options = options;
    this.#encode = recordEncoder(options.id);
    this.#redaction = new RedactedEvents(options.context.secrets);
    this.#texts = options.texts ?? new OpenTexts();
    this.#state = options.state;
    this.#snapshotDue = options.storedOpen;
    this.#storedOpen = options.storedOpen;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Does nothing for a deleted session; durable events throw. */
  record(bodies: readonly EventBody[], { durable, inSameTransaction }: RecordOptions = { durable: false }): void {
    const { sessionId } = this;
    if (this.#erased && durable)
      throw new ProblemError("session_not_found", "the session was deleted in the meantime", { sessionId });
    if (this.#erased) return;
    if (durable) this.#commit(bodies, inSameTransaction);
    else this.#options.context.log.append(this, this.#sequenced(bodies));
    for (const body of bodies) this.#notify(body);
  }

  /** Ends the turn, if one is running, and whatever else is open. */
  recordEnd(reason: TurnEndReason): void {
    this.record(endTurn(this.#state, this.memory, reason));
  }

  /** After a crash: ends the interrupted turn and schedules the state to be stored. */
  recover(): void {
    this.recordEnd("interrupted");
    this.#snapshotDue = true;
    this.#options.context.log.deferState(this);
  }

  /** Does nothing once the session has ended. */
  recordError(error: unknown, code: string = error instanceof ProblemError ? error.kind : "internal_error"): void {
    if (this.#state.ended) return;
    const message = error instanceof Error ? error.message : String(error);
    this.record([{ type: "error", data: { message, code }, synthetic: true }]);
  }

  /** The session was deleted: from here on nothing is recorded. */
  erase(): void {
    this.#erased = true;
  }

  /** The items before the running turn. */
  async earlierItems(): Promise<TranscriptItem[]> {
    const { log, history } = this.#options.context;
    log.flush();
    const end = this.#state.turn?.firstSequence ?? Number.POSITIVE_INFINITY;
    const transcript = emptyTranscript();
    for await (const records of history.pages(this.number, 0)) {
      for (const { sequence, text } of records) if (sequence < end) applyEvent(transcript, JSON.parse(text));
      if ((records.at(-1)?.sequence ?? end) >= end) break;
    }
    return transcript.items;
  }

  /** A state that is stored as open is folded forward after a crash, so newer open states are stored only with a deferred write. */
  snapshot(deferred: boolean): Snapshot | null {
    if (!this.#snapshotDue || (this.#storedOpen && !deferred)) return null;
    const state = this.#state;
    return { state: JSON.stringify(state), updatedAt: Date.parse(state.time), open: isUnfinished(state) };
  }

  snapshotStored({ open }: Snapshot): void {
    this.#storedOpen = open;
    this.#snapshotDue = false;
  }

  get hasNewState(): boolean {
    return this.#snapshotDue;
  }

  #commit(bodies: readonly EventBody[], inSameTransaction?: () => void): void {
    const { log } = this.#options.context;
    log.flush();
    const [state, snapshotDue] = [this.#state, this.#snapshotDue];
    const undoRedaction = this.#redaction.checkpoint();
    try {
      log.commit(this, this.#sequenced(bodies), inSameTransaction);
    } catch (error) {
      this.#state = state;
      this.#snapshotDue = snapshotDue;
      undoRedaction();
      throw error;
    }
  }

  #notify(body: EventBody): void {
    try {
      this.#options.observe(body);
    } catch (error) {
      reportTaskFailure({ task: `react to ${body.type}`, sessionId: this.sessionId, error });
    }
  }

  #sequenced(bodies: readonly EventBody[]): LogRecord[] {
    const records: LogRecord[] = [];
    for (const body of this.#redaction.joined(bodies)) records.push(this.#sequence(body));
    return records;
  }

  #sequence(body: EventBody): LogRecord {
    const sequence = this.#state.sequence + 1;
    const emitted: UniversalEvent = {
      ...body,
      event_id: `evt_${this.number}_${sequence}`,
      sequence,
      time: now(),
      session_id: this.sessionId,
      native_session_id: this.nativeSessionId,
      source: body.synthetic ? "daemon" : "agent",
    };
    const encoded = this.#encode(emitted);
    const redacted = this.#redaction.redacted(emitted, encoded);
    const event = redacted ?? emitted;
    this.#state = foldEvent(this.#state, event);
    this.#texts.observe(event);
    // Items inside a turn need no new snapshot: a restart reads them from the log.
    this.#snapshotDue ||= !this.#state.turn || !body.type.startsWith("item.");
    return redacted ? this.#encode(redacted) : encoded;
  }

  #textOf({ item, sequence }: OpenItem): string {
    const held = this.#redaction.heldOf(item.item_id);
    const known = this.#texts.of(item.item_id);
    if (known !== null) return known + held;
    const { log, history } = this.#options.context;
    const deltas: string[] = [];
    const mark = `"${item.item_id}"`;
    for (const source of [history.records(this.number, sequence), log.pendingRecords(this.number)]) {
      for (const { text } of source) {
        if (!text.includes(mark)) continue;
        const event: UniversalEvent = JSON.parse(text);
        if (event.type === "item.delta" && event.data.item_id === item.item_id) deltas.push(event.data.delta);
      }
    }
    return deltas.join("") + held;
  }
}
