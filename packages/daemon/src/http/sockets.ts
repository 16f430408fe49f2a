/** WebSockets and their listeners. */
import { ProblemError } from "@sandbox-agent/schema/problem";

export type Socket = Bun.ServerWebSocket<SocketListener>;

/** Receives the events of an open socket. */
export interface SocketListener {
  open(socket: Socket): void;
  message(socket: Socket, message: string | Buffer): void;
  /** The send buffer is empty again. */
  drain(socket: Socket): void;
  close(socket: Socket): void;
}

export type SocketServer = Bun.Server<SocketListener>;

export const socketHandler: Bun.WebSocketHandler<SocketListener> = {
  open: (socket) => socket.data.open(socket),
  message: (socket, message) => socket.data.message(socket, message),
  drain: (socket) => socket.data.drain(socket),
  close: (socket) => socket.data.close(socket),
};

export function openSocket(request: Request, server: SocketServer, listener: SocketListener): undefined {
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket")
    throw new ProblemError("invalid_request", "this path is a WebSocket: send an upgrade request");
  if (!server.upgrade(request, { data: listener }))
    throw new ProblemError("invalid_request", "the upgrade to a WebSocket failed; check the Sec-WebSocket headers");
}
