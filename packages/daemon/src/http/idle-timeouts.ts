/**
 * How long a connection may be silent before it is closed, so that clients cannot use up all file descriptors by opening
 * connections. The runtime closes a connection that has not sent a complete head after ten seconds, and one that is idle
 * for `idleSeconds`. This module does the rest: an authorized request may take as long as it needs, a request body must
 * make progress, and after the response the connection is idle again.
 */
import { ProblemError } from "@sandbox-agent/schema/problem";
import type { SocketServer } from "./sockets.ts";

/** For connections without an authorized request so far. */
export const idleSeconds = 30;
/** Longer than the minute for which proxies reuse a connection, so that the daemon does not close it under a request. */
const idleSecondsOfKnown = 75;

/** A body may pause for this long, also before its first byte. */
const bodySeconds = 60;
/** A minimum rate, so that a client cannot occupy a connection for ever by sending a byte now and then. */
const minBytesPerSecond = 500;
/** A body up to this size must arrive within `bodySeconds`. */
const smallBodyBytes = bodySeconds * minBytesPerSecond;

export class Connection {
  #waitedMs = 0;
  #received = 0;

  constructor(
    private readonly request: Request,
    private readonly server: Pick<SocketServer, "timeout">,
  ) {}

  /** Serves an authorized request without a timeout. An event stream calls `release` itself when it ends. */
  async serve(answer: () => Promise<Response | undefined>): Promise<Response | undefined> {
    this.#hold();
    try {
      const response = await answer();
      if (response && !isEventStream(response)) this.release();
      return response;
    } catch (error) {
      this.release();
      throw error;
    }
  }

  #hold(): void {
    this.server.timeout(this.request, 0);
  }

  /** The response is complete or being sent: from here on the idle timeout applies. */
  release(): void {
    this.server.timeout(this.request, idleSecondsOfKnown);
  }

  /** The whole body; its size is known and below `smallBodyBytes`. */
  async smallBody(): Promise<Uint8Array> {
    this.server.timeout(this.request, bodySeconds);
    const bytes = await this.request.bytes();
    this.#hold();
    return bytes;
  }

  /** The body in pieces, as they arrive. Only the time that the daemon waits for the client counts. */
  body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const pieces = this.request.body?.[Symbol.asyncIterator]();
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: async (controller) => {
          const piece = pieces ? await this.#next(pieces) : null;
          if (piece) controller.enqueue(piece);
          else controller.close();
        },
        cancel: async () => {
          await pieces?.return?.();
        },
      },
      { highWaterMark: 0 },
    );
  }

  async #next(pieces: AsyncIterator<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer> | null> {
    const began = performance.now();
    this.server.timeout(this.request, bodySeconds);
    const { value, done } = await pieces.next();
    this.#hold();
    if (done) return null;
    this.#waitedMs += performance.now() - began;
    this.#received += value.byteLength;
    if (this.#waitedMs / 1000 <= bodySeconds + this.#received / minBytesPerSecond) return value;
    throw new ProblemError("invalid_request", `the body arrives at less than ${minBytesPerSecond} bytes per second`);
  }
}

function isEventStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

export function isSmallBody(length: number): boolean {
  return length <= smallBodyBytes;
}
