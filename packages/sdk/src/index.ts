/** The client of sandbox-agent. Needs only `fetch`; `SandboxAgent.start` also needs processes. */
export type { Caller, StreamOptions, StreamRequest } from "./caller.ts";
export { type NewSession, SandboxAgent, type StartOptions } from "./client.ts";
export type { EmbeddedOptions } from "./embedded/options.ts";
export { SandboxAgentError } from "./error.ts";
export type * from "./generated/api.ts";
export type { Methods } from "./generated/methods.ts";
export { operationTable } from "./generated/operation-table.ts";
export { buildInspectorUrl } from "./inspector-url.ts";
export type { Answer, Body, Bytes, Operation, OperationId, Path, Query } from "./operation.ts";
export type { Reset, Retry } from "./resume.ts";
export type * from "./session-types.ts";
export { type Frame, readFrames } from "./sse.ts";
export type { CallOptions, CallRequest, ConnectOptions, Fetch } from "./transport.ts";
