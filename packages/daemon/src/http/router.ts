/** Turns the table of operations into routes: checks each request against it, calls the handler, shapes the answer. */
import {
  needsToken,
  type Operation,
  type OperationId,
  type Operations,
  operations,
  type PathParameters,
  ProblemError,
  type Success,
} from "@sandbox-agent/schema";
import type * as z from "zod";
import type { TokenCheck } from "./auth.ts";
import { jsonBody, parseWith } from "./body.ts";
import { type OriginCheck, openSocket, type SocketListener, type SocketServer } from "./sockets.ts";

/** A checked request to an operation. */
export interface Call<Op extends Operation = Operation> {
  request: Request;
  params: Record<PathParameters<Op["path"]>, string>;
  query: Op extends { query: infer Query extends z.ZodType } ? z.output<Query> : unknown;
  body: Op extends { body: infer Body extends z.ZodType } ? z.output<Body> : unknown;
  /** Turns the request into a WebSocket; operations that are one end with it. */
  upgrade(listener: SocketListener): undefined;
}

type Answer<Result extends Success> = Result extends { json: infer Json extends z.ZodType }
  ? z.output<Json> | Response
  : Result extends { events: unknown } | { text: string }
    ? Response
    : Response | undefined;

export type Handler<Op extends Operation> = (call: Call<Op>) => Answer<Op["success"]> | Promise<Answer<Op["success"]>>;

/** One handler for each operation, so that none is forgotten. */
export type Handlers = { [Id in OperationId]: Handler<Operations[Id]> };

export type RouteRequest = Request & { params: Record<string, string> };
/** Nothing is answered to a request that has become a WebSocket. */
export type Route = (request: RouteRequest, server: SocketServer) => Promise<Response | undefined>;

/** Routes by path, in the form the server takes. */
export function createRoutes(
  handlers: Handlers,
  checkToken: TokenCheck,
  checkOrigin: OriginCheck,
): Record<string, Route> {
  const ids = Object.keys(operations) as OperationId[];
  const byPath = Map.groupBy(ids, (id) => operations[id].path.replace(/\{(\w+)\}/g, ":$1"));
  const checks = { checkToken, checkOrigin };
  const routes = [...byPath].map(([path, idsOfPath]) => [path, pathRoute(idsOfPath, handlers, checks)] as const);
  return Object.fromEntries(routes);
}

interface Checks {
  checkToken: TokenCheck;
  checkOrigin: OriginCheck;
}

function pathRoute(ids: OperationId[], handlers: Handlers, { checkToken, checkOrigin }: Checks): Route {
  const byMethod = new Map(ids.map((id) => [operations[id].method as string, id]));
  const isProtected = ids.some((id) => needsToken(operations[id]));
  const get = byMethod.get("GET");
  if (get && !streams(get)) byMethod.set("HEAD", get);
  return async (request, server) => {
    const id = byMethod.get(request.method);
    if (isProtected) checkToken(request, { allowQuery: request.method === "GET" && id !== undefined && streams(id) });
    if (!id) throw methodNotAllowed(request, [...byMethod.keys()]);
    const operation: Operation = operations[id];
    const call: Call = {
      request,
      params: checkParams(request.params),
      query: operation.query ? parseWith(operation.query, queryOf(request), "query") : {},
      body: operation.body && (await jsonBody(request, operation.body, operation.bodyOptional ?? false)),
      upgrade: (listener) => openSocket(request, server, checkOrigin, listener),
    };
    // The table pairs each operation with the handler of its own types; TypeScript cannot follow that through the id.
    const handle = handlers[id] as unknown as (call: Call) => unknown;
    return toResponse(await handle(call), operation.success);
  };
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

/** Control characters and broken percent-encoding are refused; everything else may be part of an id. */
function checkParams(params: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(params)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    if (/[\u0000-\u001f\u007f\ufffd]/.test(value) || value.length > maxIdLength || value.trim() === "")
      throw new ProblemError(
        "invalid_request",
        `${name} must have 1 to ${maxIdLength} characters and no control characters or broken percent-encoding`,
      );
  }
  return params;
}

const maxIdLength = 1024;

/** Query values by their documented names; `includeRaw` is the same as `include_raw`. */
function queryOf(request: Request): Record<string, string> {
  const start = request.url.indexOf("?");
  if (start === -1) return {};
  const pairs = [...new URLSearchParams(request.url.slice(start))];
  return Object.fromEntries(
    pairs.map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}

export class MethodNotAllowed extends ProblemError {
  constructor(
    message: string,
    readonly allow: string,
  ) {
    super("method_not_allowed", message);
  }
}

export function methodNotAllowed(request: Request, allowed: string[]): MethodNotAllowed {
  const allow = allowed.join(", ");
  return new MethodNotAllowed(`${request.method} is not possible here; use ${allow}`, allow);
}
