/** The newest requests of this page and their responses. Wraps the `fetch` of the client. */
import type { Fetch } from "sandbox-agent";

export interface Exchange {
  id: number;
  method: string;
  url: string;
  startedAt: number;
  /** Null while there is no response. */
  durationMs: number | null;
  status: number | null;
  /** Why there was no response. */
  failure: string | null;
  /** Whether a token was sent. The token itself is not stored. */
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

const maxExchanges = 500;
const maxAnswerBytes = 256 * 1024;

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
      replace([...exchanges.slice(1 - maxExchanges), newExchange(id, url, init, startedAt)]);
      try {
        const response = await send(url, init);
        update(id, { status: response.status, durationMs: Date.now() - startedAt });
        // Not awaited, so that the caller gets the response at once.
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

function newExchange(id: number, url: string, init: RequestInit, startedAt: number): Exchange {
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

/** Streams and files are not read. */
function isShort({ headers }: Response): boolean {
  const length = Number(headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  return /json/.test(headers.get("content-type") ?? "") && length <= maxAnswerBytes;
}

function readCopy(response: Response): Promise<string | null> {
  return response
    .clone()
    .text()
    .catch(() => null);
}

/** The log of this page. */
export const requestLog = createRequestLog();
