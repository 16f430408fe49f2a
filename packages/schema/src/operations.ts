/**
 * Every HTTP operation of the daemon, once. The router, the request checks, the OpenAPI document, the API reference and
 * the parity tests of the clients are all derived from this table.
 */
import * as z from "zod";
import type { Scope } from "./access.ts";
import { accessOperations } from "./access-operations.ts";
import { acpOperations } from "./acp-operations.ts";
import { agentOperations } from "./agent-operations.ts";
import { changesOperations } from "./changes-operations.ts";
import { configOperations } from "./config-operations.ts";
import { eventOperations } from "./event-operations.ts";
import { fileOperations } from "./file-operations.ts";
import { type Infer, type Lazy, lazy } from "./lazy.ts";
import type { ProblemKind } from "./problem.ts";
import { processOperations } from "./process-operations.ts";
import { sessionOperations } from "./session-operations.ts";
import { terminalOperations } from "./terminal-operations.ts";

export type Success =
  | { status: 200; json: Lazy }
  | { status: 200; text: string }
  /** Bytes of this media type; `partial`: also 206 for a range and 304 if not modified. */
  | { status: 200; bytes: string; partial?: true }
  /** Server-sent events; `true` = universal events. */
  | { status: 200; events: true | Lazy }
  /** JSON or a stream, depending on the query; `ends`: a stream that closes normally is complete and must not be resumed. */
  | { status: 200; json: Lazy; events: Lazy; ends: true }
  /** Or 202 without a body, if there is no response message. */
  | { status: 200; json: Lazy; accepted: true }
  /** A WebSocket whose text frames are these. */
  | { status: 101; socket: { server: Lazy; client: Lazy } }
  | { status: 204 };

export interface Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Parameters are written as `{name}`. */
  path: string;
  tag:
    | "meta"
    | "agents"
    | "sessions"
    | "messages"
    | "events"
    | "requests"
    | "changes"
    | "files"
    | "processes"
    | "terminals"
    | "config"
    | "acp"
    | "access";
  /** Scopes the token must have; empty = any valid token, null = no token needed. */
  scopes: readonly Scope[] | null;
  /** The path names no session, but tokens limited to some sessions may use it and see only their own part. */
  forSomeSessions?: true;
  summary: string;
  description?: string;
  /** Request headers with a meaning, name → description. */
  headers?: Record<string, string>;
  query?: Lazy<z.ZodObject>;
  body?: Lazy;
  /** An absent body counts as `{}`. */
  bodyOptional?: boolean;
  /** Media types of a body that is not JSON: of any size, and read by the handler. */
  binary?: readonly string[];
  success: Success;
  /** Problems besides those of every operation. */
  problems?: readonly ProblemKind[];
}

export const Health = lazy(() => z.object({ status: z.literal("ok") }).meta({ id: "Health" }));
export type Health = Infer<typeof Health>;

export const VersionInfo = lazy(() =>
  z
    .object({ name: z.literal("sandbox-agent"), version: z.string(), runtime: z.string(), platform: z.string() })
    .meta({ id: "VersionInfo" }),
);

export const operations = {
  getServerInfo: {
    method: "GET",
    path: "/",
    tag: "meta",
    scopes: null,
    summary: "Name of the server and links to API and docs",
    success: { status: 200, text: "text/plain" },
  },
  getHealth: {
    method: "GET",
    path: "/v1/health",
    tag: "meta",
    scopes: null,
    summary: "Liveness; needs no token",
    success: { status: 200, json: Health },
  },
  getVersion: {
    method: "GET",
    path: "/v1/version",
    tag: "meta",
    scopes: [],
    summary: "Version of the daemon",
    success: { status: 200, json: VersionInfo },
  },
  getOpenApi: {
    method: "GET",
    path: "/v1/openapi.json",
    tag: "meta",
    scopes: [],
    summary: "This API as an OpenAPI 3.1 document",
    success: { status: 200, json: lazy(() => z.looseObject({ openapi: z.string() })) },
  },

  ...agentOperations,
  ...sessionOperations,
  ...eventOperations,
  ...fileOperations,
  ...processOperations,
  ...terminalOperations,
  ...changesOperations,
  ...configOperations,
  ...acpOperations,
  ...accessOperations,
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationId = keyof Operations;

/** Names of the `{parameters}` in a path. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;
