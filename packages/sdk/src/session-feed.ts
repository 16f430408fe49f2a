/**
 * The state of a session object: the fold of its events, and its listeners. Events may come from any stream of this session; each
 * is applied once, in order.
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
  /** Applies the next event; one that was applied before is ignored. */
  apply(event: UniversalEvent): void;
  /** Called with each response. If it is from another log, all events so far are dropped. */
  onResponse(response: Response): void;
  /** Drops all events so far. */
  reset(reset: Reset): void;
  /** Reads history until this sequence has been applied. */
  readUntil(sequence: number, options?: CallOptions): Promise<void>;
  /** Reads history to its end. */
  refresh(options?: CallOptions): Promise<void>;
  on: Emitter<Signals>["on"];
  close(): void;
}

const pageSize = 1000;

export function followSession(id: string, api: Caller, methods: Methods): SessionFeed {
  const { closed } = api;
  const transcript = emptyTranscript();
  const { emit, on, hasListeners } = createEmitter<Signals>();
  let following: AbortController | null = null;
  /** The last sequence when listening started. Requests before it may be answered already. */
  let liveFrom = Number.POSITIVE_INFINITY;
  let announced = new Set<string>();
  let log: string | undefined;

  function onResponse(response: Response): void {
    const next = response.headers.get(logHeader) ?? log;
    const isOther = log !== undefined && next !== log;
    log = next;
    if (isOther && log !== undefined) reset({ reason: "other_log", log });
  }

  /** May be called by two streams, and before the first frame. An empty transcript is not reset again. */
  function reset(reset: Reset): void {
    if (transcript.state.sequence === 0) return;
    Object.assign(transcript, emptyTranscript());
    announced = new Set();
    emit("reset", reset);
    if (following) void findLiveFrom(following.signal);
  }

  /** Events up to `liveFrom` are history. */
  async function findLiveFrom(signal: AbortSignal): Promise<void> {
    liveFrom = Number.POSITIVE_INFINITY;
    liveFrom = (await methods.getSession(id, { signal })).lastSequence;
    announceSoon();
  }

  function apply(event: UniversalEvent): void {
    if (event.sequence <= transcript.state.sequence) return;
    applyEvent(transcript, event);
    emit("event", event);
    // Listeners of a type get events of that type; TypeScript cannot infer that for the union.
    emit(event.type, event as never);
    if (event.sequence >= liveFrom && event.type.endsWith(".requested")) announceSoon();
  }

  /** After the events that arrived with the request, because one of them may have answered it. */
  function announceSoon(): void {
    setTimeout(announce, 0);
  }

  function announce(): void {
    if (transcript.state.sequence < liveFrom) return;
    const open = openRequests();
    const fresh = open.filter(({ key }) => !announced.has(key));
    const listened = fresh.filter(({ name }) => hasListeners(name));
    const stillOpen = new Set(open.map(({ key }) => key));
    announced = new Set([...announced, ...listened.map(({ key }) => key)].filter((key) => stillOpen.has(key)));
    for (const request of listened) request.emit();
  }

  function openRequests(): OpenRequest[] {
    const { permissions, questions } = transcript.state;
    return [
      ...permissions.map(
        (data): OpenRequest => ({
          name: "permission",
          key: `permission ${data.permission_id}`,
          emit: () => emit("permission", permissionRequest(id, methods, data)),
        }),
      ),
      ...questions.map(
        (data): OpenRequest => ({
          name: "question",
          key: `question ${data.question_id}`,
          emit: () => emit("question", questionRequest(id, methods, data)),
        }),
      ),
    ];
  }

  /** Reads and applies a page of history. False when there is no more. */
  async function readPage(options?: CallOptions): Promise<boolean> {
    const query = { offset: transcript.state.sequence, limit: pageSize, ...(log && { log }) };
    const response = await api.response("getEvents", { path: { session_id: id }, query, ...options });
    onResponse(response);
    const page: EventPage = JSON.parse(await response.text());
    if (page.reset) reset({ reason: "beyond_end", log: log ?? "" });
    for (const event of page.events) apply(event);
    return page.hasMore || page.reset === true;
  }

  async function readUntil(sequence: number, options?: CallOptions): Promise<void> {
    while (transcript.state.sequence < sequence && (await readPage(options)));
  }

  async function refresh(options?: CallOptions): Promise<void> {
    while (await readPage(options));
  }

  async function follow({ signal }: AbortController): Promise<void> {
    try {
      await findLiveFrom(signal);
      const query = { offset: transcript.state.sequence, ...(log && { log }) };
      const request = { path: { session_id: id }, query, signal, onOpen: onResponse, onReset: reset };
      for await (const event of api.events<"streamEvents", UniversalEvent>("streamEvents", request)) {
        apply(event);
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
    apply,
    onResponse,
    reset,
    readUntil,
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
