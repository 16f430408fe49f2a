/**
 * What a session object knows: the fold of its events, and who wants to hear of them. Events come from any stream that
 * this session reads; each counts once, in order.
 */
import { applyEvent, emptyTranscript, type Transcript } from "@sandbox-agent/schema/transcript";
import { createEmitter, type Emitter } from "./emitter.ts";
import type { UniversalEvent } from "./generated/api.ts";
import type { Methods } from "./generated/methods.ts";
import { type OpenRequest, permissionRequest, questionRequest } from "./requests.ts";
import type { Signals } from "./session-types.ts";
import type { CallOptions } from "./transport.ts";

export interface SessionFeed {
  readonly transcript: Transcript;
  /** Takes in an event that follows those taken in before, or was among them. */
  take(event: UniversalEvent): void;
  /** Reads history until this sequence has been taken in. */
  reach(sequence: number, options?: CallOptions): Promise<void>;
  on: Emitter<Signals>["on"];
  close(): void;
}

const pageSize = 1000;

export function followSession(id: string, methods: Methods, closed: AbortSignal): SessionFeed {
  const transcript = emptyTranscript();
  const { emit, on, hears } = createEmitter<Signals>();
  let following: AbortController | null = null;
  /** Up to here the history was there when we began to listen: its requests may be answered long since. */
  let liveFrom = Number.POSITIVE_INFINITY;
  let announced = new Set<string>();

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

  async function reach(sequence: number, options?: CallOptions): Promise<void> {
    while (transcript.state.sequence < sequence) {
      const query = { offset: transcript.state.sequence, limit: pageSize };
      const { events } = await methods.getEvents(id, query, options);
      if (events.length === 0) return;
      for (const event of events) take(event);
    }
  }

  async function follow({ signal }: AbortController): Promise<void> {
    try {
      liveFrom = (await methods.getSession(id, { signal })).lastSequence;
      announceSoon();
      for await (const event of methods.streamEvents(id, { offset: transcript.state.sequence }, { signal })) {
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
    reach,
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
