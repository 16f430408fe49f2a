/**
 * The HTTP server: health, and the rest of the API, which is loaded on the first request. Also what applies to both: which
 * requests are served at all, CORS, problem responses, common headers, and the request log.
 */
import type { AuditEntry } from "@sandbox-agent/schema";
import type { ProblemError } from "@sandbox-agent/schema/problem";
import { RefusalLog } from "../access/refusal-log.ts";
import { requestGuard } from "../access/request-guard.ts";
import { TooManyGuesses } from "../access/too-many-guesses.ts";
import type { DaemonOptions } from "../config/options.ts";
import type { Logger } from "../logging/logger.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { redactedProblem } from "../secrets/redacted-problem.ts";
import { maxBodyBytes } from "./body.ts";
import { createCors } from "./cors.ts";
import { health, healthPath } from "./health.ts";
import { idleSeconds } from "./idle-timeouts.ts";
import { asProblemError, MethodNotAllowed, problemResponse } from "./problems.ts";
import { addressOf } from "./request-address.ts";
import { pathOf } from "./request-url.ts";
import { type SocketServer, socketHandler } from "./sockets.ts";

/** Undefined for a request that was upgraded to a WebSocket. */
export type Answer = (request: Request, server: SocketServer) => Promise<Response | undefined>;

export type Refusal = Omit<AuditEntry, "id" | "time">;

export interface ServerOptions
  extends Pick<DaemonOptions, "host" | "port" | "cors" | "allowHosts" | "token" | "identity"> {
  logger: Logger;
  secrets: KnownSecrets;
  /** Called with some of the rejected requests, for the audit log. */
  onRefusal(refusal: Refusal): void;
}

export function createServer(api: Answer, options: ServerOptions): SocketServer {
  const wrap = wrapper(options);
  return Bun.serve({
    hostname: options.host,
    port: options.port,
    idleTimeout: idleSeconds,
    // No limit here: each operation has its own, with its own problem.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes: { [healthPath]: wrap(health) },
    fetch: wrap(api),
    websocket: { ...socketHandler, maxPayloadLength: maxBodyBytes },
    error: (error) => withSafeType(problemResponse(asProblemError(error), "/")),
  });
}

/** Handles every request. */
function wrapper(options: ServerOptions): (answer: Answer) => Answer {
  const { cors, logger, secrets, token, identity } = options;
  const { preflight, decorate } = createCors(cors);
  const guard = requestGuard({ ...options, isProtected: token !== null || identity !== null });
  const refuse = refuser(options);
  return (answer) => async (request, server) => {
    const refused = guard(request);
    if (refused) return decorate(request, refuse(refused, request, server));
    const started = performance.now();
    const answered = preflight(request) ?? (await answerOrProblem(answer, request, server, { logger, secrets }));
    if (!answered) return undefined;
    const response = withSafeType(decorate(request, answered));
    if (logger.http.requests) logRequest(logger, request, response, performance.now() - started);
    return response;
  };
}

function refuser({ logger, secrets, onRefusal }: ServerOptions) {
  const log = new RefusalLog();
  return (problem: ProblemError, request: Request, server: SocketServer): Response => {
    const path = secrets.redact(pathOf(request));
    const response = withSafeType(problemResponse(redactedProblem(problem, secrets), path));
    log.add((skipped) => {
      const address = addressOf(request, server);
      const { method } = request;
      logger.warn("request refused", {
        method,
        path,
        address,
        reason: problem.message,
        ...(skipped > 0 && { skipped }),
      });
      onRefusal({ principal: null, operation: null, session: null, method, path, address, status: response.status });
    });
    return response;
  };
}

/** A browser must not run a file that an agent has written as a page or script of the daemon. */
function withSafeType(response: Response): Response {
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

async function answerOrProblem(
  answer: Answer,
  request: Request,
  server: SocketServer,
  { logger, secrets }: Pick<ServerOptions, "logger" | "secrets">,
): Promise<Response | undefined> {
  try {
    return await answer(request, server);
  } catch (error) {
    const problem = asProblemError(error);
    if (problem !== error) logger.error("request failed", { path: pathOf(request), error });
    const headers: Record<string, string> = {};
    if (problem instanceof MethodNotAllowed) headers.allow = problem.allow;
    if (problem.kind === "token_invalid") headers["www-authenticate"] = "Bearer";
    if (problem instanceof TooManyGuesses) headers["retry-after"] = String(problem.retryAfterSeconds);
    return problemResponse(redactedProblem(problem, secrets), secrets.redact(pathOf(request)), headers);
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
