/**
 * The ACP door as a pair of streams, which the official ACP SDK and other clients of the protocol take as their
 * connection. Over HTTP, so it runs wherever the client does, and goes on through broken connections.
 */
import type { SandboxAgent } from "./client.ts";
import type { AcpEnvelope } from "./generated/api.ts";
import { randomKey } from "./transport.ts";

export interface AcpOptions {
  agent: string;
  /** The name of the connection in the daemon; a random one unless given. */
  serverId?: string;
}

/** `Message` is the type your ACP library has for any message. */
export interface AcpStream<Message extends AcpEnvelope> {
  readonly serverId: string;
  readonly readable: ReadableStream<Message>;
  readonly writable: WritableStream<Message>;
  /** Ends the connection; sessions stay in the daemon's log. */
  close(): Promise<void>;
}

export function acpStream<Message extends AcpEnvelope = AcpEnvelope>(
  client: SandboxAgent,
  { agent, serverId = randomKey() }: AcpOptions,
): AcpStream<Message> {
  const closing = new AbortController();
  const { signal } = closing;
  const incoming = new TransformStream<Message, Message>();
  const told = incoming.writable.getWriter();
  let isOpen = false;

  /** Whoever waits for an answer must not wait for ever. */
  const fail = (cause: unknown) => void (signal.aborted ? told.close() : told.abort(cause)).catch(() => {});

  async function read(): Promise<void> {
    const path = { server_id: serverId };
    const messages = client.api.events<"streamAcpMessages", Message>("streamAcpMessages", { path, signal });
    for await (const message of messages) await told.write(message);
    await told.close();
  }

  const post = (body: AcpEnvelope) =>
    client.api.nothing("postAcpMessage", { path: { server_id: serverId }, query: { agent }, body, signal });

  async function send(body: AcpEnvelope): Promise<void> {
    // The first message makes the connection, and only then is there something to read.
    if (!isOpen) {
      await post(body);
      isOpen = true;
      void read().catch(fail);
      return;
    }
    // An answer may take a whole turn, and messages that follow must not wait for it.
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
