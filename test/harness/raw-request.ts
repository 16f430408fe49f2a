/** Sends a request as raw text, on a connection that a test can observe. */
import { connect, type Socket } from "node:net";

export interface RawConnection {
  readonly socket: Socket;
  /** Resolves with the head of the first response. */
  readonly head: Promise<string>;
  /** Resolves when the connection is closed by either side. */
  readonly closed: Promise<void>;
}

export function openConnection(url: string, text: string): RawConnection {
  const { hostname, port } = new URL(url);
  const head = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<void>();
  let received = "";
  const socket = connect(Number(port), hostname, () => socket.write(text));
  socket.on("data", (data) => {
    received += data.toString();
    const end = received.indexOf("\r\n\r\n");
    if (end !== -1) head.resolve(received.slice(0, end));
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    closed.resolve();
    head.reject(new Error(`the connection was closed; it had sent ${JSON.stringify(received)}`));
  });
  head.promise.catch(() => {});
  return { socket, head: head.promise, closed: closed.promise };
}

/** The status of the response to a request with these header lines. */
export async function statusOf(url: string, ...lines: string[]): Promise<number> {
  const { socket, head } = openConnection(url, `${lines.join("\r\n")}\r\n\r\n`);
  try {
    return Number((await head).split(" ", 2)[1]);
  } finally {
    socket.destroy();
  }
}
