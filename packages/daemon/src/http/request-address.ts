import type { SocketServer } from "./sockets.ts";

/** The address a request came from. Of a proxy, if there is one: what it says about its client cannot be relied on. */
export function addressOf(request: Request, server: SocketServer): string {
  return server.requestIP(request)?.address ?? "unknown";
}
