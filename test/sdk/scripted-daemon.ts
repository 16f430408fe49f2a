/**
 * A fake daemon with one session, as a `fetch`. A test decides what it sends and where a connection breaks. Requests are recorded.
 */
import type { EventData, EventType, UniversalEvent } from "@sandbox-agent/schema";
import { SandboxAgent } from "sandbox-agent";
import { onTestFinished } from "vitest";

export interface Sent {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}

/** Answers a request, or breaks the connection by throwing. */
export type Script = (request: Sent, signal: AbortSignal | null) => Response | Promise<Response>;

export function scriptedClient(script: Script, options: { retries?: number } = {}) {
  const sent: Sent[] = [];
  const client = SandboxAgent.at({
    baseUrl: "http://127.0.0.1:1",
    retries: 0,
    ...options,
    async fetch(url, init) {
      const { pathname, searchParams } = new URL(url);
      const body = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
      const headers = new Headers(init.headers);
      const request = { method: init.method ?? "GET", path: pathname, query: searchParams, headers, body };
      sent.push(request);
      return linked(await script(request, init.signal ?? null), init.signal ?? null);
    },
  });
  onTestFinished(() => client.dispose());
  return { client, sent };
}

/** A log that can grow, with the requests that read it: the session, pages of events, the stream of events. */
export function growingLog(events: UniversalEvent[]) {
  const readers = new Set<() => void>();
  const answer: Script = ({ path, query }) => {
    const offset = Number(query.get("offset") ?? 0);
    if (path.endsWith("/events/sse")) return frames(offset);
    if (path.endsWith("/events")) {
      const page = events.slice(offset, offset + Number(query.get("limit")));
      return Response.json({ events: page, hasMore: offset + page.length < events.length });
    }
    return Response.json({ sessionId: "s", lastSequence: events.length });
  };

  function frames(offset: number): Response {
    let next = offset;
    let wake = () => {};
    const stream = new ReadableStream({
      async pull(controller) {
        while (next >= events.length) await new Promise<void>((resolve) => readers.add((wake = resolve)));
        controller.enqueue(frameOf(events[next++]));
      },
      cancel: () => void readers.delete(wake),
    });
    return new Response(stream);
  }

  return {
    answer,
    append(...added: UniversalEvent[]) {
      events.push(...added);
      for (const wake of readers) wake();
      readers.clear();
    },
  };
}

/** A stream of these events that is closed, or breaks. */
export function streamOf(events: UniversalEvent[], end: "closes" | "breaks" = "closes", headers = {}): Response {
  const left = [...events];
  const stream = new ReadableStream({
    pull(controller) {
      const event = left.shift();
      if (event) controller.enqueue(frameOf(event));
      else if (end === "closes") controller.close();
      else controller.error(new TypeError("the connection was reset"));
    },
  });
  return new Response(stream, { headers });
}

export type EventBody = { [T in EventType]: { type: T; data: EventData<T> } }[EventType];

/** Events with sequences starting at `first`. */
export function eventsFrom(first: number, ...bodies: EventBody[]): UniversalEvent[] {
  return bodies.map((body, index) => ({
    ...body,
    event_id: `evt_${first + index}`,
    sequence: first + index,
    time: "2026-01-01T00:00:00.000Z",
    session_id: "s",
    native_session_id: null,
    source: "daemon",
    synthetic: false,
  }));
}

function frameOf(event: UniversalEvent | undefined): Uint8Array {
  return new TextEncoder().encode(`id: ${event?.sequence}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** Like fetch: the body fails when the signal is aborted. */
function linked(response: Response, signal: AbortSignal | null): Response {
  if (!response.body || !signal) return response;
  const { readable, writable } = new TransformStream();
  void response.body.pipeTo(writable, { signal }).catch(() => {});
  return new Response(readable, response);
}
