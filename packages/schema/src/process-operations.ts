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
      .describe("Wait up to this long for the process to end before answering; at most 60000"),
  }),
);

export const processOperations = {
  listProcesses: {
    method: "GET",
    path: "/v1/processes",
    tag: "processes",
    scopes: ["processes"],
    summary: "Processes, oldest first",
    query: lazy(() =>
      z.object({
        owner: ProcessOwner().optional(),
        tag: listQuery(ProcessTag())
          .optional()
          .describe("Only processes with this tag, or with all tags of a comma-separated list"),
      }),
    ),
    success: { status: 200, json: ProcessList },
  },
  createProcess: {
    method: "POST",
    path: "/v1/processes",
    tag: "processes",
    scopes: ["processes"],
    summary: "Start a process in the background",
    body: CreateProcessRequest,
    success: { status: 200, json: ProcessInfo },
    problems: ["conflict", "process_not_started"],
  },
  runProcess: {
    method: "POST",
    path: "/v1/processes/run",
    tag: "processes",
    scopes: ["processes"],
    summary: "Run a program and return its output",
    description:
      "The program is killed when its time limit is reached or the client disconnects. Any exit code is a success of this call.",
    body: RunProcessRequest,
    success: { status: 200, json: RunProcessResult },
    problems: ["conflict", "process_not_started"],
  },
  runProcessStream: {
    method: "POST",
    path: "/v1/processes/run/stream",
    tag: "processes",
    scopes: ["processes"],
    summary: "Run a program and stream its output",
    description:
      "Frames `event: log` (ProcessLogEntry), then one `event: exit` (RunProcessEnd). A slow client slows the program down; nothing is dropped.",
    body: lazy(() => RunProcessRequest().omit({ maxOutputBytes: true })),
    success: { status: 200, events: RunProcessFrame },
    problems: ["conflict", "process_not_started"],
  },
  streamProcessEvents: {
    method: "GET",
    path: "/v1/processes/events/sse",
    tag: "processes",
    scopes: ["processes"],
    summary: "Stream of started, exited and deleted processes",
    description:
      "Live from now on; with `Last-Event-ID` it continues after that frame, as far back as the last 1000 events. The same events are on `GET /v1/events/sse`, without an id.",
    headers: { "Last-Event-ID": "The `id` of the last frame seen" },
    success: { status: 200, events: ProcessEvent },
  },
  getProcessConfig: {
    method: "GET",
    path: "/v1/processes/config",
    tag: "processes",
    scopes: ["processes"],
    summary: "Limits for processes",
    success: { status: 200, json: ProcessConfig },
  },
  setProcessConfig: {
    method: "POST",
    path: "/v1/processes/config",
    tag: "processes",
    scopes: ["admin"],
    summary: "Change limits for processes until the daemon stops",
    body: ProcessConfigChange,
    success: { status: 200, json: ProcessConfig },
  },
  getProcess: {
    method: "GET",
    path: one,
    tag: "processes",
    scopes: ["processes"],
    summary: "One process",
    success: { status: 200, json: ProcessInfo },
    problems: ["not_found"],
  },
  deleteProcess: {
    method: "DELETE",
    path: one,
    tag: "processes",
    scopes: ["processes"],
    summary: "Delete an ended process and its log",
    success: { status: 204 },
    problems: ["not_found", "conflict"],
  },
  stopProcess: {
    method: "POST",
    path: `${one}/stop`,
    tag: "processes",
    scopes: ["processes"],
    summary: "Stop a process and its descendants (SIGTERM)",
    description: "A terminal also gets SIGHUP, because interactive shells ignore SIGTERM.",
    query: waitQuery,
    success: { status: 200, json: ProcessInfo },
    problems: ["not_found"],
  },
  killProcess: {
    method: "POST",
    path: `${one}/kill`,
    tag: "processes",
    scopes: ["processes"],
    summary: "Kill a process and its descendants (SIGKILL)",
    query: waitQuery,
    success: { status: 200, json: ProcessInfo },
    problems: ["not_found"],
  },
  signalProcess: {
    method: "POST",
    path: `${one}/signal`,
    tag: "processes",
    scopes: ["processes"],
    summary: "Send a signal to a process, not to its descendants",
    body: SignalRequest,
    success: { status: 200, json: ProcessInfo },
    problems: ["not_found", "conflict"],
  },
  writeProcessInput: {
    method: "POST",
    path: `${one}/input`,
    tag: "processes",
    scopes: ["processes"],
    summary: "Write to the standard input of a process",
    body: ProcessInput,
    success: { status: 200, json: InputWritten },
    problems: ["not_found", "conflict", "payload_too_large"],
  },
  getProcessLogs: {
    method: "GET",
    path: `${one}/logs`,
    tag: "processes",
    scopes: ["processes"],
    summary: "Output of a process",
    description:
      "With `follow=true`, a stream of frames `event: log`, beginning with the stored ones; it ends with the process. A reader slower than the process misses what the log no longer holds.",
    headers: { "Last-Event-ID": "Same as `since`; the larger of both wins" },
    query: lazy(() =>
      z.object({
        stream: LogStream().optional().describe("Default `combined`; `pty` for a terminal"),
        tail: integerQuery().optional().describe("Only this many of the last entries"),
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
    scopes: ["processes"],
    summary: "Change the size of a process's terminal",
    body: TerminalSize,
    success: { status: 200, json: TerminalSize },
    problems: ["not_found", "conflict"],
  },
  attachProcessTerminal: {
    method: "GET",
    path: `${one}/terminal/ws`,
    tag: "processes",
    scopes: ["processes"],
    summary: "Attach to a process's terminal",
    description: "The same as `GET /v1/terminals/{terminal_id}/ws` with the id of the process.",
    success: terminalSocket,
    problems: ["not_found", "conflict"],
  },
} as const satisfies Record<string, Operation>;
