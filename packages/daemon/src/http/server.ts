/** The HTTP server: routes, then everything that holds for all of them: CORS, problems for every failure, the log. */
import { ProblemError } from "@sandbox-agent/schema";
import { lazily } from "../lazily.ts";
import type { Logger } from "../logging/logger.ts";
import { acpHandlers } from "./acp.ts";
import { agentHandlers } from "./agents.ts";
import { tokenCheck } from "./auth.ts";
import { maxBodyBytes } from "./body.ts";
import { changeHandlers } from "./changes.ts";
import { configHandlers } from "./config.ts";
import type { HttpContext } from "./context.ts";
import { type CorsOptions, createCors } from "./cors.ts";
import { docsPage } from "./docs.ts";
import { eventHandlers } from "./events.ts";
import { fileHandlers } from "./files.ts";
import { inspectorPage } from "./inspector.ts";
import { messageHandlers } from "./messages.ts";
import { metaHandlers } from "./meta.ts";
import { asProblemError, problemResponse } from "./problems.ts";
import { processHandlers } from "./processes.ts";
import { pathOf } from "./request-url.ts";
import { requestHandlers } from "./requests.ts";
import { createRoutes, MethodNotAllowed, methodNotAllowed, type Route, type RouteRequest } from "./router.ts";
import { sessionHandlers } from "./sessions.ts";
import { originCheck, type SocketServer, socketHandler } from "./sockets.ts";
import { terminalHandlers } from "./terminals.ts";

export interface ServerOptions {
  host: string;
  port: number;
  token: string | null;
  cors: CorsOptions;
  logger: Logger;
}

export function createServer(context: HttpContext, options: ServerOptions): SocketServer {
  const handlers = {
    ...metaHandlers,
    ...agentHandlers(context),
    ...sessionHandlers(context),
    ...messageHandlers(context),
    ...eventHandlers(context),
    ...requestHandlers(context),
    ...fileHandlers(context),
    ...processHandlers(context),
    ...terminalHandlers(context),
    ...changeHandlers(context),
    ...configHandlers(context),
    ...acpHandlers(context),
  };
  const checkToken = tokenCheck(options.token);
  const checkOrigin = originCheck(options.cors);
  const openCode = lazily(async () => {
    const { createDoor } = await import("../opencode/door.ts");
    return createDoor(context, checkToken, checkOrigin);
  });
  const below: Route = async (request, server) => (await openCode.get()).below(request, server);
  const routes: Record<string, Route> = {
    ...createRoutes(handlers, checkToken, checkOrigin),
    "/docs": page(docsPage),
    "/ui": page(inspectorPage),
    "/ui/*": page(inspectorPage),
    "/opencode": below,
    "/opencode/*": below,
    "/*": async (request, server) => {
      const answered = (await openCode.get()).atRoot(request, server);
      if (answered) return answered;
      throw new ProblemError("not_found", `there is nothing at ${pathOf(request)}; see /docs`);
    },
  };
  const wrap = wrapper(options);
  return Bun.serve({
    hostname: options.host,
    port: options.port,
    // Streams are silent for longer than any idle timeout, and the body limit is ours so that its problem is too.
    idleTimeout: 0,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes: Object.fromEntries(Object.entries(routes).map(([path, route]) => [path, wrap(route)])),
    websocket: { ...socketHandler, maxPayloadLength: maxBodyBytes },
    error: (error) => problemResponse(asProblemError(error), "/"),
  });
}

function page(render: (request: Request) => Response): Route {
  return async (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(request, ["GET", "HEAD"]);
    return render(request);
  };
}

/** What every route goes through. */
function wrapper({ cors, logger }: ServerOptions): (route: Route) => Route {
  const { preflight, decorate } = createCors(cors);
  return (route) => async (request, server) => {
    const started = performance.now();
    const answered = preflight(request) ?? (await answer(route, request, server, logger));
    if (!answered) return undefined;
    const response = decorate(request, answered);
    if (logger.http.requests) logRequest(logger, request, response, performance.now() - started);
    return response;
  };
}

async function answer(
  route: Route,
  request: RouteRequest,
  server: SocketServer,
  logger: Logger,
): Promise<Response | undefined> {
  try {
    return await route(request, server);
  } catch (error) {
    const problem = asProblemError(error);
    if (problem !== error) logger.error("request failed", { path: pathOf(request), error });
    const headers: Record<string, string> = {};
    if (problem instanceof MethodNotAllowed) headers.allow = problem.allow;
    if (problem.kind === "token_invalid") headers["www-authenticate"] = "Bearer";
    return problemResponse(problem, pathOf(request), headers);
  }
}

function logRequest(logger: Logger, request: Request, response: Response, milliseconds: number): void {
  logger.info("request", {
    method: request.method,
    path: pathOf(request),
    status: response.status,
    milliseconds: Math.round(milliseconds * 10) / 10,
    ...(logger.http.headers && { headers: Object.fromEntries(request.headers) }),
  });
}
