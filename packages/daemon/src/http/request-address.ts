import type { SocketServer } from "./sockets.ts";

/** The address of a request's peer. Behind a proxy, it is the proxy's: forwarding headers are not trusted. */
export function addressOf(request: Request, server: SocketServer): string {
  return server.requestIP(request)?.address ?? "unknown";
}
