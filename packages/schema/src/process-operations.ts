/** The operations on processes. Part of the table in operations.ts. */
import * as z from "zod";
import { lazy } from "./lazy.ts";
import type { Operation } from "./operations.ts";
import {
  CreateProcessRequest,
  InputWritten,
  LogStream,
  ProcessConfig,
  ProcessConfigChange,
  ProcessEvent,
  ProcessInfo,
  ProcessInput,
  ProcessList,
  ProcessLogEntry,
  ProcessLogs,
  ProcessOwner,
  ProcessTag,
  RunProcessFrame,
  RunProcessRequest,
  RunProcessResult,
  SignalRequest,
  TerminalSize,
} from "./processes.ts";
import { booleanQuery, integerQuery, listQuery } from "./query.ts";
import { terminalSocket } from "./terminal-operations.ts";

const one = "/v1/processes/{process_id}";
const waitQuery = lazy(() =>
  z.object({
    wait_ms: integerQuery()
      .optional()
      .describe("Answer when it has ended, at the latest after this long; at most 60000"),
  }),
);

export const processOperations = {
  listProcesses: {
    method: "GET",
    path: "/v1/processes",
    tag: "processes",
    summary: "Processes, oldest first",
    query: lazy(() =>
      z.object({
        owner: ProcessOwner().optional(),
        tag: listQuery(ProcessTag()).optional().describe("Only those with this tag, or with all of several"),
      }),
    ),
    success: { status: 200, json: ProcessList },
  },
  createProcess: {
    method: "POST",
    path: "/v1/processes",
    tag: "processes",
    summary: "Start a process in the background",
    body: CreateProcessRequest,
    success: { status: 200, json: ProcessInfo },
    problems: ["conflict", "process_not_started"],
  },
  runProcess: {
    method: "POST",
    path: "/v1/processes/run",
    tag: "processes",
    summary: "Run a program to its end and answer with its output",
    description: "It is killed when its time is over or the client leaves. Any exit code is a success of this call.",
    body: RunProcessRequest,
    success: { status: 200, json: RunProcessResult },
    problems: ["conflict", "process_not_started"],
  },
  runProcessStream: {
    method: "POST",
    path: "/v1/processes/run/stream",
    tag: "processes",
    summary: "Run a program to its end and stream its output",
    description:
      "Frames `event: log` (ProcessLogEntry), then one `event: exit` (RunProcessEnd). A client that reads slowly holds the program back; nothing is dropped.",
    body: lazy(() => RunProcessRequest().omit({ maxOutputBytes: true })),
    success: { status: 200, events: RunProcessFrame },
    problems: ["conflict", "process_not_started"],
  },
  streamProcessEvents: {
    method: "GET",
    path: "/v1/processes/events/sse",
    tag: "processes",
    summary: "Starts and ends of processes as they happen",
    description:
      "Live from now on; with `Last-Event-ID` it continues after that frame, as far back as the last 1000 events. The same events are on `GET /v1/events/sse`, without an id.",
    headers: { "Last-Event-ID": "The `id` of the last frame seen" },
    success: { status: 200, events: ProcessEvent },
  },
  getProcessConfig: {
    method: "GET",
    path: "/v1/processes/config",
    tag: "processes",
    summary: "Limits for processes",
    success: { status: 200, json: ProcessConfig },
  },
  setProcessConfig: {
    method: "POST",
    path: "/v1/processes/config",
    tag: "processes",
    summary: "Change limits for processes until the daemon stops",
    body: ProcessConfigChange,
    success: { status: 200, json: ProcessConfig },
  },
  getProcess: {
    method: "GET",
    path: one,
    tag: "processes",
    summary: "One process",
    success: { status: 200, json: ProcessInfo },
    problems: ["not_found"],
  },
  deleteProcess: {
    method: "DELETE",
    path: one,
    tag: "processes",
    summary: "Forget an ended process and its log",
    success: { status: 204 },
    problems: ["not_found", "conflict"],
  },
  stopProcess: {
    method: "POST",
    path: `${one}/stop`,
    tag: "processes",
    summary: "Ask a process and what it started to end (SIGTERM)",
    description: "A terminal is told that it is being closed as well (SIGHUP), since shells ignore SIGTERM.",
    query: waitQuery,
    success: { status: 200, json: ProcessInfo },
    problems: ["not_found"],
  },
  killProcess: {
    method: "POST",
    path: `${one}/kill`,
    tag: "processes",
    summary: "End a process and everything it started at once (SIGKILL)",
    query: waitQuery,
    success: { status: 200, json: ProcessInfo },
    problems: ["not_found"],
  },
  signalProcess: {
    method: "POST",
    path: `${one}/signal`,
    tag: "processes",
    summary: "Send a signal to a process alone",
    body: SignalRequest,
    success: { status: 200, json: ProcessInfo },
    problems: ["not_found", "conflict"],
  },
  writeProcessInput: {
    method: "POST",
    path: `${one}/input`,
    tag: "processes",
    summary: "Write to the standard input of a process",
    body: ProcessInput,
    success: { status: 200, json: InputWritten },
    problems: ["not_found", "conflict", "payload_too_large"],
  },
  getProcessLogs: {
    method: "GET",
    path: `${one}/logs`,
    tag: "processes",
    summary: "What a process has written",
    description:
      "With `follow=true` a stream of frames `event: log`, those that are kept first; it ends when the process has. A reader slower than the process skips what the log no longer keeps.",
    headers: { "Last-Event-ID": "Same as `since`; the larger of both wins" },
    query: lazy(() =>
      z.object({
        stream: LogStream().optional().describe("`combined` unless given; `pty` for a terminal"),
        tail: integerQuery().optional().describe("Only the last entries, this many"),
        since: integerQuery().optional().describe("Only entries after this sequence"),
        follow: booleanQuery().optional().describe("Stream new entries until the process ends"),
      }),
    ),
    success: { status: 200, json: ProcessLogs, events: ProcessLogEntry, ends: true },
    problems: ["not_found"],
  },
  resizeProcessTerminal: {
    method: "POST",
    path: `${one}/terminal/resize`,
    tag: "processes",
    summary: "Change the size of a process's terminal",
    body: TerminalSize,
    success: { status: 200, json: TerminalSize },
    problems: ["not_found", "conflict"],
  },
  attachProcessTerminal: {
    method: "GET",
    path: `${one}/terminal/ws`,
    tag: "processes",
    summary: "Attach to a process's terminal",
    description: "The same as `GET /v1/terminals/{terminal_id}/ws` with the id of the process.",
    success: terminalSocket,
    problems: ["not_found", "conflict", "permission_denied"],
  },
} as const satisfies Record<string, Operation>;
