/**
 * The ACP compatibility API as a pair of streams, which the official ACP SDK and other ACP clients accept as a connection. It uses
 * HTTP, so it runs wherever the client runs, and survives broken connections.
 */
import type { SandboxAgent } from "./client.ts";
import type { AcpEnvelope } from "./generated/api.ts";
import { randomKey } from "./transport.ts";

export interface AcpOptions {
  agent: string;
  /** The name of the connection in the daemon (default: random). */
  serverId?: string;
}

/** `Message` is the message type of your ACP library. */
export interface AcpStream<Message extends AcpEnvelope> {
  readonly serverId: string;
  readonly readable: ReadableStream<Message>;
  readonly writable: WritableStream<Message>;
  /** Closes the connection. Sessions stay in the daemon's log. */
  close(): Promise<void>;
}

export function acpStream<Message extends AcpEnvelope = AcpEnvelope>(
  client: SandboxAgent,
  { agent, serverId = randomKey() }: AcpOptions,
): AcpStream<Message> {
  const closing = new AbortController();
  const { signal } = closing;
  const incoming = new TransformStream<Message, Message>();
  const received = incoming.writable.getWriter();
  let isOpen = false;

  /** Ends the readable side, so that pending requests do not wait forever. */
  const fail = (cause: unknown) => void (signal.aborted ? received.close() : received.abort(cause)).catch(() => {});

  async function read(): Promise<void> {
    const path = { server_id: serverId };
    const messages = client.api.events<"streamAcpMessages", Message>("streamAcpMessages", { path, signal });
    for await (const message of messages) await received.write(message);
    await received.close();
  }

  const post = (body: AcpEnvelope) =>
    client.api.nothing("postAcpMessage", { path: { server_id: serverId }, query: { agent }, body, signal });

  async function send(body: AcpEnvelope): Promise<void> {
    // The first message opens the connection; there is nothing to read before.
    if (!isOpen) {
      await post(body);
      isOpen = true;
      void read().catch(fail);
      return;
    }
    // A response may take a whole turn. Later messages must not wait for it.
    const isRequest = body.method !== undefined && body.id !== undefined;
    if (isRequest) void post(body).catch(fail);
    else await post(body);
  }

  async function close(): Promise<void> {
    closing.abort();
    if (isOpen) await client.closeAcpServer(serverId);
    else fail(null);
  }

  return {
    serverId,
    readable: incoming.readable,
    writable: new WritableStream<Message>({ write: send, close, abort: close }),
    close,
  };
}
