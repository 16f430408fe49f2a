/**
 * The HTTP server: health, and a way to the rest of the API, which is loaded when it is first asked for. Then everything that
 * holds for both: CORS, problems for every failure, the log.
 */
import { TooManyGuesses } from "../access/too-many-guesses.ts";
import type { Logger } from "../logging/logger.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { redactedProblem } from "../secrets/redacted-problem.ts";
import { maxBodyBytes } from "./body.ts";
import { type CorsOptions, createCors } from "./cors.ts";
import { health, healthPath } from "./health.ts";
import { asProblemError, MethodNotAllowed, problemResponse } from "./problems.ts";
import { pathOf } from "./request-url.ts";
import { type SocketServer, socketHandler } from "./sockets.ts";

/** Nothing is answered to a request that has become a WebSocket. */
export type Answer = (request: Request, server: SocketServer) => Promise<Response | undefined>;

export interface ServerOptions {
  host: string;
  port: number;
  cors: CorsOptions;
  logger: Logger;
  secrets: KnownSecrets;
}

export function createServer(api: Answer, options: ServerOptions): SocketServer {
  const wrap = wrapper(options);
  return Bun.serve({
    hostname: options.host,
    port: options.port,
    // Streams are silent for longer than any idle timeout, and the body limit is ours so that its problem is too.
    idleTimeout: 0,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes: { [healthPath]: wrap(health) },
    fetch: wrap(api),
    websocket: { ...socketHandler, maxPayloadLength: maxBodyBytes },
    error: (error) => problemResponse(asProblemError(error), "/"),
  });
}

/** What every request goes through. */
function wrapper({ cors, logger, secrets }: ServerOptions): (answer: Answer) => Answer {
  const { preflight, decorate } = createCors(cors);
  return (answer) => async (request, server) => {
    const started = performance.now();
    const answered = preflight(request) ?? (await answerOrProblem(answer, request, server, { logger, secrets }));
    if (!answered) return undefined;
    const response = decorate(request, answered);
    if (logger.http.requests) logRequest(logger, request, response, performance.now() - started);
    return response;
  };
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
