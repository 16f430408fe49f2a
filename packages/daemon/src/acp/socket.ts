/** An ACP server over a WebSocket: one message per text frame. The server lives as long as the socket. */
import { AcpEnvelope, ProblemError } from "@sandbox-agent/schema";
import type { Socket, SocketListener } from "../http/sockets.ts";
import { type AcpServer, errorText } from "./server.ts";

export function acpSocket(server: AcpServer, close: () => void): SocketListener {
  let cursor = 0;
  let unsubscribe = () => {};

  /** Sends until the socket has enough; it says when it wants more. */
  function pump(socket: Socket): void {
    for (let frame = server.frames.next(cursor); frame; frame = server.frames.next(cursor)) {
      // Without ids a client cannot notice that something is missing, so it must not be.
      if (frame.id !== cursor + 1) return socket.close(1013, "the connection is too slow; load the session again");
      cursor = frame.id;
      if (socket.send(frame.text) <= 0) return;
    }
  }

  return {
    open(socket) {
      unsubscribe = server.frames.subscribe({
        deliver: () => pump(socket),
        end: () => socket.close(1000, "the ACP server was closed"),
        notice: () => {},
      });
      pump(socket);
    },
    message(socket, message) {
      const refusal = receive(server, message.toString());
      if (refusal !== null) socket.send(refusal);
    },
    drain: pump,
    close() {
      unsubscribe();
      close();
    },
  };
}

/** Hands a message over; returns what its sender must be told at once, if anything. */
function receive(server: AcpServer, text: string): string | null {
  const value = parse(text);
  if (value === undefined) return errorText(null, -32700, "the message is not JSON");
  const envelope = AcpEnvelope().safeParse(value);
  if (!envelope.success) return errorText(null, -32600, envelope.error.issues.map(({ message }) => message).join("; "));
  try {
    const received = server.receive(envelope.data);
    return received.kind === "late" ? received.error : null;
  } catch (error) {
    if (error instanceof ProblemError) return errorText(null, -32600, error.message);
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
