/** Performs any operation of the API by its id. Parameters and body are typed by the operations table. */
import {
  type Operation,
  type OperationId,
  type Operations,
  operations,
  type PathParameters,
} from "@sandbox-agent/schema";
import { urlOf } from "./daemon/address.ts";
import { runningDaemons } from "./daemon/state.ts";
import { Failure, Refusal, reasonOf, usageError } from "./failure.ts";
import { isLoopback } from "./loopback.ts";
import { withTokenHint } from "./token/token-hint.ts";

export interface Connection {
  /** Without a slash at the end. */
  endpoint: string;
  token: string | null;
}

type Value = string | number | boolean | undefined;

/** The input type of a schema. */
type Input<Schema> = Schema extends () => { _zod: { input: infer Accepted } } ? Accepted : never;

type ParamsOf<Id extends OperationId> = Record<PathParameters<Operations[Id]["path"]>, string>;
type QueryOf<Id extends OperationId> = Operations[Id] extends { query: infer Schema }
  ? { [Name in keyof Input<Schema>]?: Value }
  : Record<never, never>;
type HeadersOf<Id extends OperationId> = Operations[Id] extends { headers: infer Names }
  ? { [Name in keyof Names]?: Value }
  : Record<never, never>;
type BodyOf<Id extends OperationId> = Operations[Id] extends { body: infer Schema }
  ? { body: Input<Schema> }
  : Operations[Id] extends { binary: readonly string[] }
    ? { bytes: Blob }
    : unknown;

export type OperationRequest<Id extends OperationId> = {
  params: ParamsOf<Id>;
  query?: QueryOf<Id>;
  headers?: HeadersOf<Id>;
} & BodyOf<Id>;

/** Returns a successful response; throws otherwise. */
export async function call<Id extends OperationId>(
  connection: Connection,
  id: Id,
  request: OperationRequest<Id>,
): Promise<Response> {
  const operation: Operation = operations[id];
  const url = connection.endpoint + pathOf(operation.path, request.params) + queryOf(request.query ?? {});
  const body = bodyOf(operation, request);

  const headers = new Headers();
  if (connection.token !== null) headers.set("Authorization", `Bearer ${connection.token}`);
  if (body) headers.set("Content-Type", body.type);
  for (const [name, value] of presentEntries(request.headers ?? {})) headers.set(name, value);

  const response = await send(connection.endpoint, url, { method: operation.method, headers, body: body?.content });
  if (response.ok) return response;
  throw new Refusal(await describeRefusal(response));
}

function bodyOf({ binary }: Operation, request: object): { type: string; content: string | Blob } | null {
  if ("bytes" in request && request.bytes instanceof Blob) {
    const type = binary?.find((mediaType) => mediaType !== "*/*") ?? "application/octet-stream";
    return { type, content: request.bytes };
  }
  return "body" in request ? { type: "application/json", content: JSON.stringify(request.body) } : null;
}

/** The URL of an operation, for WebSockets. */
export function operationUrl(connection: Connection, id: OperationId, params: Record<string, string>): string {
  return connection.endpoint + pathOf(operations[id].path, params);
}

async function send(endpoint: string, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, ...fetchOptions(endpoint) });
  } catch (error) {
    throw new Failure(
      `cannot reach the daemon at ${endpoint}: ${isRefused(error) ? "connection refused" : reasonOf(error)}\n` +
        `Start one with \`sandbox-agent daemon start\`, or choose another one with --endpoint${runningHint()}.`,
    );
  }
}

/** Without a timeout, because installing an agent, waiting for a turn and idle streams may take long. */
export function fetchOptions(endpoint: string): BunFetchRequestInit {
  return { timeout: false, ...(isLoopback(new URL(endpoint).hostname) && { proxy: false }) };
}

/** The daemons that this user could mean. */
function runningHint(): string {
  const urls = runningDaemons().map(urlOf);
  return urls.length === 0 ? "" : `; running: ${urls.join(", ")}`;
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
}

function pathOf(template: string, params: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? "";
    // These would be normalized away and change the path.
    if (value === "" || value === "." || value === "..") throw usageError(`'${value}' cannot be a ${name}`);
    return encodeURIComponent(value);
  });
}

function queryOf(query: Record<string, Value>): string {
  const search = new URLSearchParams();
  for (const [name, value] of presentEntries(query)) search.set(name, value);
  return search.size === 0 ? "" : `?${search}`;
}

function presentEntries(record: Record<string, Value>): [string, string][] {
  return Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

async function describeRefusal(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return JSON.stringify(withTokenHint(JSON.parse(text)), null, 2);
  } catch {
    return `${response.status} ${response.statusText}\n${text}`.trim();
  }
}
