/**
 * How long a connection may be silent before it is closed, so that nobody can keep all of the daemon's descriptors busy by
 * opening connections. The runtime closes a connection that has not sent a complete head after ten seconds, and one that is
 * idle for `idleSeconds`. The rest is here: a request that is permitted may take as long as it needs, a body that is being read
 * must make progress, and after the answer the connection is idle again.
 */
import { ProblemError } from "@sandbox-agent/schema/problem";
import type { SocketServer } from "./sockets.ts";

/** For connections on which no request was permitted yet. */
export const idleSeconds = 30;
/** Proxies keep connections for a minute and send the next request on one that the server must not close at that moment. */
const idleSecondsOfKnown = 75;

/** A body may pause for this long, also before it begins. */
const bodySeconds = 60;
/** Slower than this, one client could keep a connection busy for ever by sending a byte now and then. */
const minBytesPerSecond = 500;
/** A body up to this size arrives within `bodySeconds` or is too slow. */
const smallBodyBytes = bodySeconds * minBytesPerSecond;

export class Connection {
  #waitedMs = 0;
  #received = 0;

  constructor(
    private readonly request: Request,
    private readonly server: Pick<SocketServer, "timeout">,
  ) {}

  /** Serves a permitted request, which may take as long as it needs. An event stream calls `release` itself when it ends. */
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

  /** The answer is complete or on its way: from here on the connection must not be silent for long. */
  release(): void {
    this.server.timeout(this.request, idleSecondsOfKnown);
  }

  /** The whole body, whose size is known and below `smallBodyBytes`. */
  async smallBody(): Promise<Uint8Array> {
    this.server.timeout(this.request, bodySeconds);
    const bytes = await this.request.bytes();
    this.#hold();
    return bytes;
  }

  /** The body piece by piece, as it arrives. Time is counted while the daemon waits for the client, not while it works. */
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
