/** The page's exchanges with the daemon, the newest kept, for the request log. It wraps the `fetch` of the client. */
import type { Fetch } from "sandbox-agent";

export interface Exchange {
  id: number;
  method: string;
  url: string;
  startedAt: number;
  /** null while there is no answer. */
  durationMs: number | null;
  status: number | null;
  /** Why there was no answer. */
  failure: string | null;
  /** Whether a token was sent; the token itself is not kept. */
  authorized: boolean;
  headers: readonly (readonly [string, string])[];
  /** Text bodies only. */
  body: string | null;
  answer: string | null;
}

export interface RequestLog {
  fetch: Fetch;
  exchanges(): readonly Exchange[];
  subscribe(listener: () => void): () => void;
  clear(): void;
}

const kept = 500;
const longestAnswer = 256 * 1024;

export function createRequestLog(send: Fetch = (url, init) => fetch(url, init)): RequestLog {
  let exchanges: readonly Exchange[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();

  function replace(next: readonly Exchange[]): void {
    exchanges = next;
    for (const listener of listeners) listener();
  }

  function update(id: number, change: Partial<Exchange>): void {
    replace(exchanges.map((exchange) => (exchange.id === id ? { ...exchange, ...change } : exchange)));
  }

  return {
    async fetch(url, init) {
      const id = ++lastId;
      const startedAt = Date.now();
      replace([...exchanges.slice(1 - kept), begin(id, url, init, startedAt)]);
      try {
        const response = await send(url, init);
        update(id, { status: response.status, durationMs: Date.now() - startedAt });
        // A clone that nobody awaits here: the caller gets its answer at once.
        if (isShort(response)) void readCopy(response).then((answer) => update(id, { answer }));
        return response;
      } catch (error) {
        const failure = init.signal?.aborted ? "cancelled" : String(error);
        update(id, { failure, durationMs: Date.now() - startedAt });
        throw error;
      }
    },
    exchanges: () => exchanges,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    clear: () => replace([]),
  };
}

function begin(id: number, url: string, init: RequestInit, startedAt: number): Exchange {
  const headers = [...new Headers(init.headers)];
  return {
    id,
    method: init.method ?? "GET",
    url,
    startedAt,
    durationMs: null,
    status: null,
    failure: null,
    authorized: headers.some(([name]) => name === "authorization"),
    headers: headers.filter(([name]) => name !== "authorization"),
    body: typeof init.body === "string" ? init.body : null,
    answer: null,
  };
}

/** Streams and files are not for reading twice. */
function isShort({ headers }: Response): boolean {
  const length = Number(headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  return /json/.test(headers.get("content-type") ?? "") && length <= longestAnswer;
}

function readCopy(response: Response): Promise<string | null> {
  return response
    .clone()
    .text()
    .catch(() => null);
}

/** One page, one log. */
export const requestLog = createRequestLog();
