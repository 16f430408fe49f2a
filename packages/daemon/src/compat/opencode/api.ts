/**
 * The OpenCode compatibility API: the API of OpenCode's server for our sessions, under `/opencode` and at the root. It
 * stores no sessions of its own; what its clients see is derived from the log.
 */
import { ProblemError } from "@sandbox-agent/schema";
import { noteForAudit } from "../../access/audited.ts";
import type { Authenticate } from "../../access/authenticate.ts";
import { authorizeOperation } from "../../access/authorize.ts";
import { open as anonymous, type Principal } from "../../access/principal.ts";
import type { HttpContext } from "../../http/context.ts";
import { pathOf } from "../../http/request-url.ts";
import type { SocketServer } from "../../http/sockets.ts";
import { changeRoutes } from "./change-routes.ts";
import { openCodeContext } from "./context.ts";
import { fileRoutes } from "./file-routes.ts";
import { promptRoutes } from "./prompt-routes.ts";
import { ptyRoutes } from "./pty-routes.ts";
import { PtyTickets } from "./pty-tickets.ts";
import { answering, createOpenCodeRouter, type OpenCodeAnswer } from "./router.ts";
import { scopesOfRoute } from "./scopes.ts";
import { serverRoutes } from "./server-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { unsupportedRoutes } from "./unsupported.ts";

/** Browsers cannot set headers on event streams, so these accept the token in the query. */
const streams = new Set(["/event", "/global/event"]);
const isSocket = (path: string) => /^\/pty\/[^/]+\/connect$/.test(path);
/** Clients request it before they have a token. */
const open = new Set(["/global/health"]);

export function createOpenCodeApi(http: HttpContext, authenticate: Authenticate) {
  const context = openCodeContext(http);
  const tickets = new PtyTickets();
  const routes = {
    ...unsupportedRoutes(context),
    ...serverRoutes(context),
    ...sessionRoutes(context),
    ...promptRoutes(context),
    ...changeRoutes(context),
    ...fileRoutes(context),
    ...ptyRoutes(context, tickets),
  };
  async function authorized(request: Request, address: string, path: string, route: string): Promise<Principal> {
    if (open.has(path)) return anonymous;
    noteForAudit(request, { operation: route });
    const ticket = tickets.use(request, path);
    if (ticket) {
      noteForAudit(request, { principal: ticket.principal });
      return ticket.principal;
    }
    const principal = await authenticate({ request, address, allowQuery: streams.has(path) || isSocket(path) });
    noteForAudit(request, { principal });
    authorizeOperation(principal, route, { scopes: scopesOfRoute(route) }, undefined);
    return principal;
  }
  const route = createOpenCodeRouter(routes, authorized, http.secrets);
  return {
    /** For everything under `/opencode`. */
    below(request: Request, server: SocketServer): OpenCodeAnswer {
      const path = pathOf(request)
        .replace(/^\/opencode/, "")
        .replace(/\/$/, "");
      return (
        route(request, path, server) ??
        answering(http.secrets, async () => {
          throw new ProblemError("not_found", `the OpenCode API of sandbox-agent has no ${path || "/"}`);
        })
      );
    },
    /** For any other path; null when it is not a path of this API. */
    atRoot: (request: Request, server: SocketServer): OpenCodeAnswer | null => route(request, pathOf(request), server),
  };
}
