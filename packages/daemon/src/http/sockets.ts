/** WebSockets: who may open one, and what each of them is connected to. */
import { ProblemError } from "@sandbox-agent/schema/problem";
import type { CorsOptions } from "./cors.ts";

export type Socket = Bun.ServerWebSocket<SocketListener>;

/** What an open socket is connected to. */
export interface SocketListener {
  open(socket: Socket): void;
  message(socket: Socket, message: string | Buffer): void;
  /** What was sent has left; more may follow. */
  drain(socket: Socket): void;
  close(socket: Socket): void;
}

export type SocketServer = Bun.Server<SocketListener>;

export const socketHandler: Bun.WebSocketHandler<SocketListener> = {
  maxPayloadLength: 1024 * 1024,
  open: (socket) => socket.data.open(socket),
  message: (socket, message) => socket.data.message(socket, message),
  drain: (socket) => socket.data.drain(socket),
  close: (socket) => socket.data.close(socket),
};

/** Throws if a page of another origin asks. Browsers let any page open a WebSocket, CORS or not. */
export type OriginCheck = (request: Request) => void;

export function originCheck({ origins }: CorsOptions): OriginCheck {
  return (request) => {
    const origin = request.headers.get("origin");
    if (origin === null || origins.includes("*") || origins.includes(origin)) return;
    if (URL.parse(origin)?.host === request.headers.get("host")) return;
    throw new ProblemError(
      "permission_denied",
      `pages of ${origin} may not connect; allow them with --cors-allow-origin`,
    );
  };
}

export function openSocket(
  request: Request,
  server: SocketServer,
  checkOrigin: OriginCheck,
  listener: SocketListener,
): undefined {
  checkOrigin(request);
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket")
    throw new ProblemError("invalid_request", "this is a WebSocket: the request must ask for an upgrade");
  if (!server.upgrade(request, { data: listener }))
    throw new ProblemError("invalid_request", "the upgrade to a WebSocket failed; are its headers complete?");
}
