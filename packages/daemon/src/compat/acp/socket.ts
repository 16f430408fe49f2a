/** An ACP server over a WebSocket: one message per text frame. The server lives as long as the socket. */
import { AcpEnvelope, ProblemError } from "@sandbox-agent/schema";
import { parseMessageJson } from "../../bounded-json.ts";
import { type Follower, follow } from "../../follow/follow.ts";
import type { RecentEntry } from "../../follow/recent-log.ts";
import { firstIssues } from "../../http/body.ts";
import { SocketWriter } from "../../http/socket-writer.ts";
import type { Socket, SocketListener } from "../../http/sockets.ts";
import { type AcpServer, errorText } from "./server.ts";

export function acpSocket(server: AcpServer, close: () => void): SocketListener {
  let writer: SocketWriter | null = null;
  let follower: Follower<number, readonly RecentEntry[]> | null = null;

  function open(socket: Socket): void {
    const sink = new SocketWriter(socket);
    writer = sink;
    let last = 0;
    follower = follow(
      server.frames.source((frames) => frames),
      last,
      {
        write(frames) {
          // Frames have no ids, so a client cannot detect a gap; there must be none.
          if (frames[0]?.id !== last + 1) {
            socket.close(1013, "the connection is too slow; load the session again");
            return Promise.reject();
          }
          last = frames.at(-1)?.id ?? last;
          return sink.send(frames.map(({ text }) => text));
        },
        end: () => socket.close(1000, "the ACP server was closed"),
      },
    );
  }

  return {
    open,
    message(_, message) {
      const refusal = receive(server, message.toString());
      if (refusal !== null) server.frames.push(refusal);
    },
    drain: () => writer?.drain(),
    close() {
      writer?.close();
      follower?.stop();
      close();
    },
  };
}

/** Passes a message to the server; returns an immediate error response, if there is one. */
function receive(server: AcpServer, text: string): string | null {
  let value: unknown;
  try {
    value = parseMessageJson(text);
  } catch (error) {
    if (error instanceof ProblemError) return errorText(null, -32700, error.message);
    throw error;
  }
  const envelope = AcpEnvelope().safeParse(value);
  if (!envelope.success) {
    const messages = firstIssues(envelope.error).map(({ message }) => message);
    return errorText(null, -32600, messages.join("; "));
  }
  try {
    const received = server.receive(envelope.data);
    return received.kind === "late" ? received.error : null;
  } catch (error) {
    if (error instanceof ProblemError) return errorText(null, -32600, error.message);
    throw error;
  }
}
