/** HTTP requests to the daemon: URL, token, retries of requests that may be sent twice, errors. */
import { refused, SandboxAgentError, unreachable } from "./error.ts";
import { operationTable } from "./generated/operation-table.ts";
import type { Body, Operation, OperationId, Path, Query } from "./operation.ts";
import { pauseBefore, sleep } from "./wait.ts";

/** `fetch`, or something that behaves like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ConnectOptions {
  /** Where the daemon is, for example `http://127.0.0.1:2468`. */
  baseUrl: string;
  token?: string;
  /** Sent with every request. */
  headers?: Record<string, string>;
  fetch?: Fetch;
  /** How often a call that may be sent twice is retried after a connection failure (default: 4). */
  retries?: number;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Sent with this request. */
  headers?: Record<string, string>;
}

export interface CallRequest<Id extends OperationId> extends CallOptions {
  path?: Path<Id>;
  query?: Query<Id>;
  /** Overrides for a resumed stream; undefined removes a parameter. */
  queryChange?: Record<string, string | undefined>;
  body?: Body<Id>;
}

export interface Transport {
  baseUrl: string;
  token: string | undefined;
  /** Aborted when the client is disposed; ends all streams. */
  closed: AbortSignal;
  /** Performs an operation; anything but success is thrown as SandboxAgentError. */
  call<Id extends OperationId>(id: Id, request: CallRequest<Id>): Promise<Response>;
}

export function createTransport(options: ConnectOptions, closed: AbortSignal): Transport {
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const { token, retries = 4 } = options;
  // Wrapped, because browsers reject `fetch` with another receiver.
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));

  async function exchange(url: string, init: RequestInit): Promise<Response> {
    try {
      const response = await send(url, init);
      if (response.ok) return response;
      throw await refused(response);
    } catch (error) {
      if (init.signal?.aborted) throw init.signal.reason;
      throw error instanceof SandboxAgentError ? error : unreachable(baseUrl, error);
    }
  }

  return {
    baseUrl,
    token,
    closed,
    async call(id, request) {
      const operation: Operation = operationTable[id];
      const query = { ...request.query, ...request.queryChange };
      const url = baseUrl + addressOf(operation.path, { ...request, query });
      const headers = headersOf(operation, options, request);
      const init: RequestInit = { method: operation.method, headers, ...bodyOf(operation, request.body) };
      if (request.signal) init.signal = request.signal;
      for (let attempt = 1; ; attempt++) {
        try {
          return await exchange(url, init);
        } catch (error) {
          const mayRetry =
            error instanceof SandboxAgentError && error.transient && maySendTwice(operation, request.body);
          if (!mayRetry || attempt > retries) throw error;
          await sleep(pauseBefore(attempt), request.signal);
        }
      }
    },
  };
}

/**
 * DELETE is excluded: repeated after a lost response it would fail with "not found". Resumable streams have their own retries,
 * which are reported to the caller.
 */
function maySendTwice({ method, keyed, resumes }: Operation, body: unknown): boolean {
  if (body instanceof ReadableStream || resumes) return false;
  return method === "GET" || method === "PUT" || keyed === true;
}

/** Path and query of a request. */
export function addressOf(template: string, { path = {}, query = {} }: { path?: object; query?: object }): string {
  const params = new Map(Object.entries(path));
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params.get(name) ?? "");
    // These would be normalized away and change the path.
    if (value === "" || value === "." || value === "..") throw new TypeError(`"${value}" cannot be a ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}

function headersOf(
  operation: Operation,
  { token, headers }: ConnectOptions,
  request: CallOptions & { body?: unknown },
) {
  const all = new Headers(headers);
  if (token !== undefined) all.set("authorization", `Bearer ${token}`);
  if (operation.body !== undefined && request.body !== undefined) {
    const own = request.body instanceof Blob ? request.body.type : "";
    all.set("content-type", own || operation.body);
  }
  if (operation.keyed) all.set("idempotency-key", randomKey());
  for (const [name, value] of Object.entries(request.headers ?? {})) all.set(name, value);
  return all;
}

/**
 * Node requires `duplex` for a stream body; other runtimes ignore it. Without the other two options it buffers the whole stream in
 * memory for a possible redirect.
 */
const streamed = { duplex: "half", redirect: "error", window: null } as const;

function bodyOf(operation: Operation, body: unknown): RequestInit {
  if (body === undefined) return {};
  if (operation.body === "application/json") return { body: JSON.stringify(body) };
  if (body instanceof ReadableStream) return Object.assign({ body }, streamed);
  return isSendable(body) ? { body } : {};
}

function isSendable(body: unknown): body is string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob {
  return typeof body === "string" || body instanceof Uint8Array || body instanceof ArrayBuffer || body instanceof Blob;
}

/** 128 random bits. In browsers `crypto.randomUUID` needs a secure context. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
