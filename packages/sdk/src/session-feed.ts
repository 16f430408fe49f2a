/**
 * What a session object knows: the fold of its events, and who wants to hear of them. Events come from any stream that
 * this session reads; each counts once, in order.
 */
import { applyEvent, emptyTranscript, type Transcript } from "@sandbox-agent/schema/transcript";
import type { Caller } from "./caller.ts";
import { createEmitter, type Emitter } from "./emitter.ts";
import type { EventPage, UniversalEvent } from "./generated/api.ts";
import type { Methods } from "./generated/methods.ts";
import { type OpenRequest, permissionRequest, questionRequest } from "./requests.ts";
import { logHeader, type Reset } from "./resume.ts";
import type { Signals } from "./session-types.ts";
import type { CallOptions } from "./transport.ts";

export interface SessionFeed {
  readonly transcript: Transcript;
  /** Takes in an event that follows those taken in before, or was among them. */
  take(event: UniversalEvent): void;
  /** A response was opened: with the header of another log, everything taken in so far is dropped. */
  opened(response: Response): void;
  /** Drops everything taken in so far. */
  reset(reset: Reset): void;
  /** Reads history until this sequence has been taken in. */
  reach(sequence: number, options?: CallOptions): Promise<void>;
  /** Reads history up to its end. */
  refresh(options?: CallOptions): Promise<void>;
  on: Emitter<Signals>["on"];
  close(): void;
}

const pageSize = 1000;

export function followSession(id: string, api: Caller, methods: Methods): SessionFeed {
  const { closed } = api;
  const transcript = emptyTranscript();
  const { emit, on, hears } = createEmitter<Signals>();
  let following: AbortController | null = null;
  /** Up to here the history was there when we began to listen: its requests may be answered long since. */
  let liveFrom = Number.POSITIVE_INFINITY;
  let announced = new Set<string>();
  let log: string | undefined;

  function opened(response: Response): void {
    const next = response.headers.get(logHeader) ?? log;
    const isOther = log !== undefined && next !== log;
    log = next;
    if (isOther && log !== undefined) reset({ reason: "other_log", log });
  }

  /** Two streams may notice it, and the response is there before its first frame: what is empty need not be dropped. */
  function reset(reset: Reset): void {
    if (transcript.state.sequence === 0) return;
    Object.assign(transcript, emptyTranscript());
    announced = new Set();
    emit("reset", reset);
    if (following) void findPresent(following.signal);
  }

  /** Up to where events tell of the past. */
  async function findPresent(signal: AbortSignal): Promise<void> {
    liveFrom = Number.POSITIVE_INFINITY;
    liveFrom = (await methods.getSession(id, { signal })).lastSequence;
    announceSoon();
  }

  function take(event: UniversalEvent): void {
    if (event.sequence <= transcript.state.sequence) return;
    applyEvent(transcript, event);
    emit("event", event);
    // Listeners of a type get events of that type; TypeScript cannot follow that through the union.
    emit(event.type, event as never);
    if (event.sequence >= liveFrom && event.type.endsWith(".requested")) announceSoon();
  }

  /** Later than the events that came together with the request: one of them may have answered it already. */
  function announceSoon(): void {
    setTimeout(announce, 0);
  }

  function announce(): void {
    if (transcript.state.sequence < liveFrom) return;
    const open = openRequests();
    const fresh = open.filter(({ key }) => !announced.has(key));
    const heard = fresh.filter(({ name }) => hears(name));
    const stillOpen = new Set(open.map(({ key }) => key));
    announced = new Set([...announced, ...heard.map(({ key }) => key)].filter((key) => stillOpen.has(key)));
    for (const { tell } of heard) tell();
  }

  function openRequests(): OpenRequest[] {
    const { permissions, questions } = transcript.state;
    return [
      ...permissions.map(
        (data): OpenRequest => ({
          name: "permission",
          key: `permission ${data.permission_id}`,
          tell: () => emit("permission", permissionRequest(id, methods, data)),
        }),
      ),
      ...questions.map(
        (data): OpenRequest => ({
          name: "question",
          key: `question ${data.question_id}`,
          tell: () => emit("question", questionRequest(id, methods, data)),
        }),
      ),
    ];
  }

  /** Takes in a page of history. False when there is no more. */
  async function readPage(options?: CallOptions): Promise<boolean> {
    const query = { offset: transcript.state.sequence, limit: pageSize, ...(log && { log }) };
    const response = await api.response("getEvents", { path: { session_id: id }, query, ...options });
    opened(response);
    const page: EventPage = JSON.parse(await response.text());
    if (page.reset) reset({ reason: "beyond_end", log: log ?? "" });
    for (const event of page.events) take(event);
    return page.hasMore || page.reset === true;
  }

  async function reach(sequence: number, options?: CallOptions): Promise<void> {
    while (transcript.state.sequence < sequence && (await readPage(options)));
  }

  async function refresh(options?: CallOptions): Promise<void> {
    while (await readPage(options));
  }

  async function follow({ signal }: AbortController): Promise<void> {
    try {
      await findPresent(signal);
      const query = { offset: transcript.state.sequence, ...(log && { log }) };
      const request = { path: { session_id: id }, query, signal, onOpen: opened, onReset: reset };
      for await (const event of api.events<"streamEvents", UniversalEvent>("streamEvents", request)) {
        take(event);
        if (event.sequence === liveFrom) announceSoon();
      }
    } catch (error) {
      if (signal.aborted || closed.aborted) return;
      following = null;
      emit("close", error);
    }
  }

  return {
    transcript,
    take,
    opened,
    reset,
    reach,
    refresh,
    on(name, listener) {
      const off = on(name, listener);
      if (!following) {
        following = new AbortController();
        void follow(following);
      }
      announceSoon();
      return off;
    },
    close() {
      following?.abort();
      following = null;
    },
  };
}
