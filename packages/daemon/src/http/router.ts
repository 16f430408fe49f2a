/** Turns the table of operations into routes: validates each request, calls the handler, builds the response. */
import {
  type Infer,
  type Lazy,
  type Operation,
  type OperationId,
  type Operations,
  operations,
  type PathParameters,
  ProblemError,
  type Success,
} from "@sandbox-agent/schema";
import { noteForAudit } from "../access/audited.ts";
import type { Authenticate } from "../access/authenticate.ts";
import { authorizeOperation } from "../access/authorize.ts";
import { endingWith, signalOf } from "../access/end-with-token.ts";
import { open, type Principal } from "../access/principal.ts";

import { isWritableId, maxIdLength } from "../session/session-id.ts";
import { jsonBody, parseWith, requireMediaType } from "./body.ts";
import { Connection } from "./idle-timeouts.ts";
import { methodNotAllowed } from "./problems.ts";
import { addressOf } from "./request-address.ts";
import { openSocket, type SocketListener, type SocketServer } from "./sockets.ts";

/** A validated request to an operation. */
export interface Call<Op extends Operation = Operation> {
  request: Request;
  connection: Connection;
  principal: Principal;
  /** Aborted when the client disconnects, and when its token ends. */
  signal: AbortSignal;
  params: Record<PathParameters<Op["path"]>, string>;
  query: Op extends { query: infer Query extends Lazy } ? Infer<Query> : unknown;
  body: Op extends { body: infer Body extends Lazy } ? Infer<Body> : unknown;
  /** Upgrades the request to a WebSocket; the last call of such an operation. */
  upgrade(listener: SocketListener): undefined;
}

type Answer<Result extends Success> = Result extends { json: infer Json extends Lazy }
  ? Infer<Json> | Response
  : Result extends { events: unknown } | { text: string } | { bytes: string }
    ? Response
    : // biome-ignore lint/suspicious/noConfusingVoidType: handlers of operations without content return nothing
      Response | void;

export type Handler<Op extends Operation> = (call: Call<Op>) => Answer<Op["success"]> | Promise<Answer<Op["success"]>>;

/** Health is served before this module is loaded. */
type RoutedId = Exclude<OperationId, "getHealth">;

/** One handler for each operation; the type makes none optional. */
export type Handlers = { [Id in RoutedId]: Handler<Operations[Id]> };

/** Gets the path parameters undecoded. Returns undefined for a request that was upgraded to a WebSocket. */
export type Route = (
  request: Request,
  server: SocketServer,
  params: Record<string, string>,
) => Promise<Response | undefined>;

/** Routes by path, with `:name` for a parameter. */
export function createRoutes(handlers: Handlers, authenticate: Authenticate): Record<string, Route> {
  const ids = (Object.keys(operations) as OperationId[]).filter((id) => id !== "getHealth");
  const byPath = Map.groupBy(ids, (id) => operations[id].path.replace(/\{(\w+)\}/g, ":$1"));
  const routes = [...byPath].map(([path, idsOfPath]) => [path, pathRoute(idsOfPath, handlers, authenticate)] as const);
  return Object.fromEntries(routes);
}

function pathRoute(ids: RoutedId[], handlers: Handlers, authenticate: Authenticate): Route {
  const byMethod = new Map(ids.map((id) => [operations[id].method as string, id]));
  const isProtected = ids.some((id) => operations[id].scopes !== null);
  const get = byMethod.get("GET");
  if (get && !streams(get)) byMethod.set("HEAD", get);
  return async (request, server, encoded) => {
    const id = byMethod.get(request.method);
    const allowQuery = request.method === "GET" && id !== undefined && streams(id);
    if (id) noteForAudit(request, { operation: id });
    const principal = isProtected
      ? await authenticate({ request, address: addressOf(request, server), allowQuery })
      : open;
    if (!id) throw methodNotAllowed(request, [...byMethod.keys()]);
    const operation: Operation = operations[id];
    const params = readParams(encoded);
    noteForAudit(request, { principal, session: params.session_id ?? sessionInQuery(request) });
    authorizeOperation(principal, id, operation, params.session_id);
    if (operation.binary) requireMediaType(request, operation.binary);
    const connection = new Connection(request, server);
    return connection.serve(async () => {
      const call: Call = {
        request,
        connection,
        principal,
        signal: signalOf(request, principal),
        params,
        query: readQuery(operation, request),
        body:
          operation.body && (await jsonBody(request, connection, operation.body(), operation.bodyOptional ?? false)),
        upgrade: (listener) => openSocket(request, server, endingWith(principal, listener)),
      };
      // The table pairs each operation with the handler of its own types; TypeScript cannot follow that through the id.
      const handle = handlers[id] as unknown as (call: Call) => unknown;
      return toResponse(await handle(call), operation.success);
    });
  };
}

/** File operations name the session whose directory they use there. */
function sessionInQuery(request: Request): string | undefined {
  return queryOf(request)?.session_id;
}

function streams(id: OperationId): boolean {
  const { success } = operations[id];
  return "events" in success || "socket" in success;
}

function toResponse(answer: unknown, success: Success): Response | undefined {
  if (answer instanceof Response) return answer;
  if ("socket" in success) return undefined;
  return "json" in success ? Response.json(answer) : new Response(null, { status: success.status });
}

/** The parsed empty query, which most requests have. */
const withoutQuery = new Map<Operation, unknown>();

function readQuery(operation: Operation, request: Request): unknown {
  if (!operation.query) return {};
  const query = queryOf(request);
  if (query) return parseWith(operation.query(), query, "query");
  if (!withoutQuery.has(operation)) withoutQuery.set(operation, parseWith(operation.query(), {}, "query"));
  return withoutQuery.get(operation);
}

/** Control characters and broken percent-encoding are rejected; everything else may be part of an id. */
function readParams(encoded: Record<string, string>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name in encoded) params[name] = readParam(name, encoded[name] ?? "");
  return params;
}

function readParam(name: string, text: string): string {
  const value = decoded(text);
  if (value === null || !isWritableId(value))
    throw new ProblemError(
      "invalid_request",
      `${name} must have 1 to ${maxIdLength} characters and no control characters or broken percent-encoding`,
    );
  return value;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Query values by their documented names; `includeRaw` is the same as `include_raw`. */
function queryOf(request: Request): Record<string, string> | null {
  const start = request.url.indexOf("?");
  if (start === -1) return null;
  const pairs = [...new URLSearchParams(request.url.slice(start))];
  return Object.fromEntries(
    pairs.map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}
