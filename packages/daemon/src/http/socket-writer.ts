/** Sends on a WebSocket with back-pressure. */
import type { Socket } from "./sockets.ts";

export class SocketWriter {
  #drained: PromiseWithResolvers<void> | null = null;
  #closed = false;

  constructor(private readonly socket: Pick<Socket, "send">) {}

  /** Sends messages in order. Null if more may follow immediately, else a promise that resolves when it may. */
  send(messages: readonly (string | Uint8Array<ArrayBuffer>)[]): Promise<void> | null {
    for (const [index, message] of messages.entries()) {
      if (this.#closed) return null;
      const status = this.socket.send(message);
      if (status > 0) continue;
      // -1: buffered, but the peer must read before more is sent; 0: the buffer is full, and this message is not in it.
      const rest = messages.slice(status < 0 ? index + 1 : index);
      this.#drained ??= Promise.withResolvers();
      return this.#drained.promise.then(() => this.send(rest) ?? undefined);
    }
    return null;
  }

  /** The peer has read its buffer. */
  drain(): void {
    const drained = this.#drained;
    this.#drained = null;
    drained?.resolve();
  }

  /** The socket is closed. */
  close(): void {
    this.#closed = true;
    this.drain();
  }
}
