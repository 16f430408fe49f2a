/**
 * Every HTTP operation of the daemon, once. The router, the request checks, the OpenAPI document, the API reference and
 * the parity tests of the clients are all derived from this table.
 */
import * as z from "zod";
import type { Scope } from "./access.ts";
import { accessOperations } from "./access-operations.ts";
import { acpOperations } from "./acp-operations.ts";
import { AgentInfo, AgentList, AgentModels, AgentModes, InstallProgressEvent, InstallRequest } from "./agent.ts";
import { AgentDefinition, AgentRegistryInfo, AgentRegistryRefresh } from "./agent-definition.ts";
import { changesOperations } from "./changes-operations.ts";
import { configOperations } from "./config-operations.ts";
import { UniversalEvent } from "./event.ts";
import { fileOperations } from "./file-operations.ts";
import { type Infer, type Lazy, lazy } from "./lazy.ts";
import { MessageRequest, PermissionReplyRequest, QuestionReplyRequest } from "./message.ts";
import type { ProblemKind } from "./problem.ts";
import { processOperations } from "./process-operations.ts";
import { ProcessEvent } from "./processes.ts";
import { booleanQuery, integerQuery, listQuery, positiveQuery } from "./query.ts";
import {
  CreateSessionRequest,
  CreateSessionResponse,
  ForkSessionRequest,
  PendingRequests,
  SessionInfo,
  SessionList,
  SessionStatus,
  TranscriptResponse,
  UpdateSessionRequest,
  WaitCondition,
  WaitResponse,
} from "./session.ts";
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

/** Frames of the stream of all sessions. */
export const GlobalEvent = lazy(() =>
  z.union([UniversalEvent(), InstallProgressEvent(), ProcessEvent()]).meta({ id: "GlobalEvent" }),
);

export const EventPage = lazy(() =>
  z
    .object({
      events: z.array(UniversalEvent()),
      hasMore: z.boolean(),
      reset: z.literal(true).optional().meta({
        description: "Only when `offset` is beyond the end or belongs to another log: start again from 0",
      }),
    })
    .meta({ id: "EventPage" }),
);

const includeRaw = lazy(() => booleanQuery().optional().describe("Add the agent's own messages as `raw`"));
const offset = lazy(() => integerQuery().optional().describe("Last sequence already seen; 0 means from the beginning"));
const log = lazy(() =>
  z.string().optional().describe("The `Sandbox-Agent-Log` header of the response that the cursor was read from"),
);
const logDescription =
  "The `Sandbox-Agent-Log` response header is the id of the log: another data directory behind the same address has another one.";
const resetDescription =
  "A cursor that is beyond the end, or whose `log` is not the id of this log, is answered with a frame `event: reset` (`reason`: `beyond_end` or `other_log`, `log`: the id of this one) and then everything from the first event on.";
const lastEventId = { "Last-Event-ID": "Same as `offset`; the larger of both wins" };
const idempotencyKey = { "Idempotency-Key": "A message repeated under the same key is not sent a second time" };
const session = "/v1/sessions/{session_id}";

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

  listAgents: {
    method: "GET",
    path: "/v1/agents",
    tag: "agents",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "All agents with their capabilities",
    success: { status: 200, json: AgentList },
  },
  getAgent: {
    method: "GET",
    path: "/v1/agents/{agent}",
    tag: "agents",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "One agent",
    query: lazy(() =>
      z.object({ config: booleanQuery().optional().describe("Add the settings of its sessions as `configOptions`") }),
    ),
    success: { status: 200, json: AgentInfo },
    problems: ["unsupported_agent", "agent_not_installed", "install_failed", "agent_process_exited", "timeout"],
  },
  defineAgent: {
    method: "PUT",
    path: "/v1/agents/{agent}",
    tag: "agents",
    scopes: ["admin"],
    summary: "Define an agent, or change its definition",
    description:
      "Any program that speaks ACP (the Agent Client Protocol) over stdio. Running sessions continue; the change applies when the agent is next started.",
    body: AgentDefinition,
    success: { status: 200, json: AgentInfo },
    problems: ["conflict"],
  },
  removeAgent: {
    method: "DELETE",
    path: "/v1/agents/{agent}",
    tag: "agents",
    scopes: ["admin"],
    summary: "Remove the definition of an agent; its sessions stay readable",
    success: { status: 204 },
    problems: ["unsupported_agent", "conflict"],
  },
  refreshAgentRegistry: {
    method: "POST",
    path: "/v1/agents/registry/refresh",
    tag: "agents",
    scopes: ["admin"],
    summary: "Refresh the public ACP registry",
    description:
      "The registry lists the agents that are available without a definition. If the document cannot be read, nothing changes.",
    body: AgentRegistryRefresh,
    bodyOptional: true,
    success: { status: 200, json: AgentRegistryInfo },
    problems: ["registry_refresh_failed"],
  },
  installAgent: {
    method: "POST",
    path: "/v1/agents/{agent}/install",
    tag: "agents",
    scopes: ["admin"],
    summary: "Install an agent",
    body: InstallRequest,
    bodyOptional: true,
    success: { status: 204 },
    problems: ["unsupported_agent", "agent_not_installed", "install_failed"],
  },
  getAgentModes: {
    method: "GET",
    path: "/v1/agents/{agent}/modes",
    tag: "agents",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "Modes of an agent",
    success: { status: 200, json: AgentModes },
    problems: ["unsupported_agent", "agent_not_installed", "install_failed", "agent_process_exited", "timeout"],
  },
  getAgentModels: {
    method: "GET",
    path: "/v1/agents/{agent}/models",
    tag: "agents",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "Models of an agent",
    success: { status: 200, json: AgentModels },
    problems: ["unsupported_agent", "agent_not_installed", "install_failed", "agent_process_exited", "timeout"],
  },

  listSessions: {
    method: "GET",
    path: "/v1/sessions",
    tag: "sessions",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "Sessions, newest first",
    description:
      "All sessions, or those that match every filter. With `limit`, one page: `nextCursor`, present only when more follow, is the `cursor` of the next page.",
    query: lazy(() =>
      z.object({
        limit: positiveQuery().optional().describe("At most this many; default: all"),
        cursor: z.string().optional().describe("`nextCursor` of the previous page"),
        agent: z.string().optional().describe("Only sessions of this agent"),
        status: listQuery(SessionStatus())
          .optional()
          .describe("Only sessions with this status: `idle`, `running`, `waiting`, `ended`, or a list of them"),
        directory: z.string().optional().describe("Only sessions that were created with this directory"),
      }),
    ),
    success: { status: 200, json: SessionList },
  },
  createSession: {
    method: "POST",
    path: session,
    tag: "sessions",
    scopes: ["prompt"],
    summary: "Create a session under an id of your choice",
    body: CreateSessionRequest,
    success: { status: 200, json: CreateSessionResponse },
    problems: [
      "unsupported_agent",
      "mode_not_supported",
      "agent_not_installed",
      "session_already_exists",
      "install_failed",
      "agent_process_exited",
      "stream_error",
      "timeout",
    ],
  },
  getSession: {
    method: "GET",
    path: session,
    tag: "sessions",
    scopes: ["read"],
    summary: "One session",
    success: { status: 200, json: SessionInfo },
    problems: ["session_not_found"],
  },
  updateSession: {
    method: "PATCH",
    path: session,
    tag: "sessions",
    scopes: ["prompt"],
    summary: "Change title, model, variant or modes",
    description: "The change applies from the next turn and is announced by a `session.updated` event.",
    body: UpdateSessionRequest,
    success: { status: 200, json: SessionInfo },
    problems: ["session_not_found", "mode_not_supported"],
  },
  forkSession: {
    method: "POST",
    path: `${session}/fork`,
    tag: "sessions",
    scopes: ["prompt"],
    summary: "Create a session that continues the conversation of this one",
    description:
      "A new session with the same agent and settings, whose history begins with the copied turns. The agent gets them as context with the first message. Files do not change; restore a checkpoint to go back to older ones.",
    body: ForkSessionRequest,
    bodyOptional: true,
    success: { status: 200, json: SessionInfo },
    problems: [
      "session_not_found",
      "unsupported_agent",
      "mode_not_supported",
      "agent_not_installed",
      "session_already_exists",
      "install_failed",
      "agent_process_exited",
      "stream_error",
      "timeout",
    ],
  },
  deleteSession: {
    method: "DELETE",
    path: session,
    tag: "sessions",
    scopes: ["admin"],
    summary: "End a session and erase its history",
    success: { status: 204 },
    problems: ["session_not_found"],
  },
  terminateSession: {
    method: "POST",
    path: `${session}/terminate`,
    tag: "sessions",
    scopes: ["prompt"],
    summary: "End a session; its history stays readable",
    success: { status: 204 },
    problems: ["session_not_found"],
  },
  getTranscript: {
    method: "GET",
    path: `${session}/transcript`,
    tag: "sessions",
    scopes: ["read"],
    summary: "The conversation so far: items, turns, errors, open requests",
    success: { status: 200, json: TranscriptResponse },
    problems: ["session_not_found"],
  },
  waitForSession: {
    method: "GET",
    path: `${session}/wait`,
    tag: "sessions",
    scopes: ["read"],
    summary: "Wait until a session reaches a condition",
    description:
      "For clients that cannot stream. `idle`: no turn is running, waiting or queued; `request`: a permission or question is open; `ended`: the session has ended. Separate several conditions with commas; the first one that holds ends the wait.",
    query: lazy(() =>
      z.object({
        until: listQuery(WaitCondition())
          .optional()
          .describe("`idle` (default), `request`, `ended`, or a list of them"),
        timeout_ms: integerQuery().optional().describe("Default 30000, at most 600000"),
      }),
    ),
    success: { status: 200, json: WaitResponse },
    problems: ["session_not_found"],
  },

  postMessage: {
    method: "POST",
    path: `${session}/messages`,
    tag: "messages",
    scopes: ["prompt"],
    summary: "Send a message; the turn runs in the background",
    description: "The id of the message is in the `X-Message-Id` response header.",
    headers: idempotencyKey,
    body: MessageRequest,
    success: { status: 204 },
    problems: ["session_not_found", "conflict", "agent_process_exited"],
  },
  postMessageStream: {
    method: "POST",
    path: `${session}/messages/stream`,
    tag: "messages",
    scopes: ["prompt"],
    summary: "Send a message and stream its turn",
    description:
      "Closes after the first `turn.ended`, `session.ended`, `error`, `agent.unparsed`, `permission.requested` or `question.requested`.",
    headers: idempotencyKey,
    query: lazy(() => z.object({ include_raw: includeRaw() })),
    body: MessageRequest,
    success: { status: 200, events: true },
    problems: ["session_not_found", "conflict", "agent_process_exited"],
  },
  cancelMessage: {
    method: "DELETE",
    path: `${session}/messages/{message_id}`,
    tag: "messages",
    scopes: ["prompt"],
    summary: "Cancel a queued message",
    success: { status: 204 },
    problems: ["session_not_found", "not_found"],
  },
  abortTurn: {
    method: "POST",
    path: `${session}/abort`,
    tag: "messages",
    scopes: ["prompt"],
    summary: "End the running turn and drop queued messages; the session stays",
    success: { status: 204 },
    problems: ["session_not_found"],
  },

  getEvents: {
    method: "GET",
    path: `${session}/events`,
    tag: "events",
    scopes: ["read"],
    summary: "A page of a session's events",
    description: `${logDescription} An \`offset\` beyond the end, or of another log than \`log\`, is answered with an empty page and \`reset\`.`,
    query: lazy(() =>
      z.object({
        offset: offset(),
        log: log(),
        limit: integerQuery().optional().describe("At most this many; default: all"),
        include_raw: includeRaw(),
      }),
    ),
    success: { status: 200, json: EventPage },
    problems: ["session_not_found"],
  },
  streamEvents: {
    method: "GET",
    path: `${session}/events/sse`,
    tag: "events",
    scopes: ["read"],
    summary: "A session's events, past and live",
    description: `${logDescription} ${resetDescription}`,
    headers: lastEventId,
    query: lazy(() => z.object({ offset: offset(), log: log(), include_raw: includeRaw() })),
    success: { status: 200, events: true },
    problems: ["session_not_found"],
  },
  streamAllEvents: {
    method: "GET",
    path: "/v1/events/sse",
    tag: "events",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "The events of all sessions on one stream",
    description:
      "Live from now on; the `Last-Event-ID` response header is the current position. With `Last-Event-ID` or `offset` (the `id` of a frame of this stream, or 0 for everything kept) it continues after that frame. Frames without an `id` are not stored: `install.progress` (InstallProgressEvent) and `process.started`, `process.exited`, `process.deleted` (ProcessEvent). " +
      `${logDescription} ${resetDescription}`,
    headers: { "Last-Event-ID": "The `id` of the last frame seen" },
    query: lazy(() =>
      z.object({
        offset: z
          .string()
          .regex(/^\d{1,15}(\.\d{1,15})?$/, "must be the id of a frame of this stream, or 0")
          .optional()
          .describe("The `id` of the last frame seen, or 0 for everything kept"),
        log: log(),
        include_raw: includeRaw(),
      }),
    ),
    success: { status: 200, events: GlobalEvent },
  },

  getRequests: {
    method: "GET",
    path: `${session}/requests`,
    tag: "requests",
    scopes: ["read"],
    summary: "Open permissions and questions",
    success: { status: 200, json: PendingRequests },
    problems: ["session_not_found"],
  },
  replyPermission: {
    method: "POST",
    path: `${session}/permissions/{permission_id}/reply`,
    tag: "requests",
    scopes: ["approve"],
    summary: "Answer a permission request",
    body: PermissionReplyRequest,
    success: { status: 204 },
    problems: ["session_not_found"],
  },
  replyQuestion: {
    method: "POST",
    path: `${session}/questions/{question_id}/reply`,
    tag: "requests",
    scopes: ["approve"],
    summary: "Answer a question",
    body: QuestionReplyRequest,
    success: { status: 204 },
    problems: ["session_not_found"],
  },
  rejectQuestion: {
    method: "POST",
    path: `${session}/questions/{question_id}/reject`,
    tag: "requests",
    scopes: ["approve"],
    summary: "Decline to answer a question",
    success: { status: 204 },
    problems: ["session_not_found"],
  },

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
