/** A bidirectional JSON-RPC connection over lines. Unknown members are kept: messages are not validated here. */
import { parseJson, stringAt } from "../json.ts";

export type RpcId = string | number;

export interface RpcMessage {
  id?: RpcId | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** Its message includes the cause, which many agents put into `data`. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    readonly title: string,
    readonly data?: unknown,
  ) {
    super([title, detailOf(data)].filter(Boolean).join(": "));
    this.name = "RpcError";
  }
}

function detailOf(data: unknown): string | null {
  return typeof data === "string" ? data : (stringAt(data, "details") ?? stringAt(data, "message"));
}

export interface RpcOptions {
  write(line: string): void;
  /** Whether messages carry `"jsonrpc": "2.0"`. */
  withVersion: boolean;
  /** `line` is the message as it was received. */
  onNotification(message: RpcMessage, line: string): Promise<void> | void;
  /** A request of the peer; answer it with `respond` or `respondError`. */
  onRequest(id: RpcId, message: RpcMessage, line: string): Promise<void> | void;
  /** A line that is not a message, or a response to no request. */
  onInvalid(line: string, error: string): Promise<void> | void;
}

interface PendingRequest {
  method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class JsonRpc {
  readonly #options: RpcOptions;
  readonly #pending = new Map<RpcId, PendingRequest>();
  #nextId = 1;
  #closed: string | null = null;

  constructor(options: RpcOptions) {
    this.#options = options;
  }

  request(method: string, params: unknown): Promise<unknown> {
    if (this.#closed !== null) return Promise.reject(new Error(`${method}: ${this.#closed}`));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { method, resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params?: unknown): void {
    this.#send({ method, ...(params !== undefined && { params }) });
  }

  respond(id: RpcId, result: unknown): void {
    this.#send({ id, result });
  }

  respondError(id: RpcId, code: number, message: string): void {
    this.#send({ id, error: { code, message } });
  }

  /**
   * Handles lines in order. The handlers start one after the other but are awaited together, so that messages that arrived
   * together are stored together: a handler emits its drafts before its first await. The promise, if any, resolves when all
   * lines are handled.
   */
  receive(lines: readonly string[]): Promise<void> | void {
    // Drafts that are stored together share one promise, so the set stays small.
    let unfinished: Set<Promise<void>> | null = null;
    for (const line of lines) {
      const handled = this.#receiveLine(line);
      if (handled) (unfinished ??= new Set()).add(handled);
    }
    if (unfinished) return Promise.all(unfinished).then(() => {});
  }

  /** The peer has disconnected: pending requests are rejected. */
  close(reason: string): void {
    this.#closed = reason;
    for (const { method, reject } of this.#pending.values()) reject(new Error(`${method}: ${reason}`));
    this.#pending.clear();
  }

  #receiveLine(line: string): Promise<void> | void {
    const message = parseMessage(line);
    if (!message) return this.#options.onInvalid(line, "not a JSON-RPC message");
    const { id, method } = message;
    // An id may be 0, so only its absence counts.
    const hasId = id !== undefined && id !== null;
    if (method !== undefined && hasId) return this.#options.onRequest(id, message, line);
    if (method !== undefined) return this.#options.onNotification(message, line);
    const pending = hasId ? this.#pending.get(id) : undefined;
    if (!hasId || !pending) return this.#options.onInvalid(line, "a response to no request");
    this.#pending.delete(id);
    if (message.error) pending.reject(new RpcError(message.error.code, message.error.message, message.error.data));
    else pending.resolve(message.result);
  }

  #send(message: RpcMessage): void {
    if (this.#closed !== null) return;
    this.#options.write(JSON.stringify(this.#options.withVersion ? { jsonrpc: "2.0", ...message } : message));
  }
}

function parseMessage(line: string): RpcMessage | null {
  const value = parseJson(line);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}
