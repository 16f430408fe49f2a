/** The router of the OpenCode API: paths with parameters, JSON in and out, errors in the form of OpenCode. */
import { ProblemError, problemKinds } from "@sandbox-agent/schema";
import type * as z from "zod";
import { noteForAudit } from "../../access/audited.ts";
import { endingWith, signalOf } from "../../access/end-with-token.ts";
import type { Principal } from "../../access/principal.ts";
import { TooManyGuesses } from "../../access/too-many-guesses.ts";
import { jsonBody } from "../../http/body.ts";
import { Connection } from "../../http/idle-timeouts.ts";
import { pathFinder } from "../../http/paths.ts";
import { asProblemError } from "../../http/problems.ts";
import { addressOf } from "../../http/request-address.ts";
import { urlOf } from "../../http/request-url.ts";
import { openSocket, type SocketListener, type SocketServer } from "../../http/sockets.ts";
import type { KnownSecrets } from "../../secrets/known-secrets.ts";
import { redactedProblem } from "../../secrets/redacted-problem.ts";
import { fromOpenCodeId } from "./ids.ts";

export interface OpenCodeCall {
  request: Request;
  connection: Connection;
  principal: Principal;
  /** Aborted when the client leaves, and when its token ends. */
  signal: AbortSignal;
  /** A parameter of the path; `sessionID` is converted to the daemon's id. */
  param(name: string): string;
  query: URLSearchParams;
  /** The `limit` of the query. */
  limit(otherwise: number): number;
  /** The directory the client works in. */
  directory: string;
  /** The parsed body; a missing one counts as `{}`. */
  body<Shape>(schema: z.ZodType<Shape>): Promise<Shape>;
  /** Upgrades the request to a WebSocket; call it last in the handler. */
  upgrade(listener: SocketListener): undefined;
}

type OpenCodeHandler = (call: OpenCodeCall) => unknown;

/** Handlers by method and path, such as `GET /session/:sessionID`. */
export type OpenCodeRoutes = Record<string, OpenCodeHandler>;

/** Undefined for a request that was upgraded to a WebSocket. */
export type OpenCodeAnswer = Promise<Response | undefined>;

/** Throws unless the sender of the request may use the route. */
type OpenCodeAuthorization = (request: Request, address: string, path: string, route: string) => Promise<Principal>;

/** Answers a request to a path of this API, or returns null when there is no such path. */
type OpenCodeRouter = (request: Request, path: string, server: SocketServer) => OpenCodeAnswer | null;

interface PathRoutes {
  pattern: string;
  handlers: Record<string, OpenCodeHandler>;
}

export function createOpenCodeRouter(
  routes: OpenCodeRoutes,
  authorized: OpenCodeAuthorization,
  secrets: KnownSecrets,
): OpenCodeRouter {
  const byPath: Record<string, PathRoutes> = {};
  for (const [key, handler] of Object.entries(routes)) {
    const [method = "", pattern = ""] = key.split(" ");
    (byPath[pattern] ??= { pattern, handlers: {} }).handlers[method] = handler;
  }
  const find = pathFinder(byPath);

  return (request, path, server) => {
    const found = find(path);
    if (!found) return null;
    const handler = found.target.handlers[request.method];
    const { sessionID } = found.params;
    if (sessionID !== undefined) noteForAudit(request, { session: fromOpenCodeId(decodedOr(sessionID, sessionID)) });
    return answering(secrets, async () => {
      const principal = await authorized(
        request,
        addressOf(request, server),
        path,
        `${request.method} ${found.target.pattern}`,
      );
      if (!handler) throw new ProblemError("method_not_allowed", `${request.method} is not possible here`);
      const call = callOf(request, new Connection(request, server), found.params);
      const upgrade = (listener: SocketListener) => openSocket(request, server, endingWith(principal, listener));
      const signal = signalOf(request, principal);
      return call.connection.serve(async () => toResponse(await handler({ ...call, principal, signal, upgrade })));
    });
  };
}

/** Turns errors into responses in the form of OpenCode, without secrets. */
export async function answering(secrets: KnownSecrets, answer: () => OpenCodeAnswer): OpenCodeAnswer {
  try {
    return await answer();
  } catch (error) {
    return errorResponse(asProblemError(error), secrets);
  }
}

function toResponse(value: unknown): Response | undefined {
  if (value === undefined || value instanceof Response) return value;
  return Response.json(value);
}

const errorNames: Partial<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFoundError",
};

/** Clients of older versions read `errors`. */
function errorResponse(problem: ProblemError, secrets: KnownSecrets): Response {
  const { kind, message } = redactedProblem(problem, secrets);
  const { status } = problemKinds[kind];
  const name = errorNames[status] ?? "UnknownError";
  const headers: Record<string, string> = {};
  if (kind === "token_invalid") headers["www-authenticate"] = 'Basic realm="sandbox-agent"';
  if (problem instanceof TooManyGuesses) headers["retry-after"] = String(problem.retryAfterSeconds);
  return Response.json({ name, data: { message }, errors: [{ message }] }, { status, headers });
}

function callOf(
  request: Request,
  connection: Connection,
  params: Record<string, string>,
): Omit<OpenCodeCall, "principal" | "signal" | "upgrade"> {
  const query = urlOf(request).searchParams;
  return {
    request,
    connection,
    query,
    limit(otherwise) {
      const limit = query.get("limit");
      if (!limit) return otherwise;
      if (/^[1-9]\d{0,8}$/.test(limit)) return Number(limit);
      throw new ProblemError("invalid_request", `limit: "${limit}" is not a number above 0`);
    },
    param(name) {
      const value = decoded(params[name] ?? "");
      return name === "sessionID" ? fromOpenCodeId(value) : value;
    },
    directory: query.get("directory") || decoded(request.headers.get("x-opencode-directory") ?? "") || process.cwd(),
    body: (schema) => jsonBody(request, connection, schema, true),
  };
}

function decoded(text: string): string {
  const value = decodedOr(text, null);
  if (value !== null) return value;
  throw new ProblemError("invalid_request", `invalid percent-encoding: ${text}`);
}

function decodedOr<Otherwise>(text: string, otherwise: Otherwise): string | Otherwise {
  try {
    return decodeURIComponent(text);
  } catch {
    return otherwise;
  }
}
