/** Processes: programs that the daemon runs for its clients, their output and their limits. */
import * as z from "zod";
import { type Infer, lazy } from "./lazy.ts";

const command = lazy(() => z.string().trim().min(1, "must name a program"));
const args = lazy(() => z.array(z.string()));
const env = lazy(() => z.record(z.string().regex(/^[^=\0]+$/, "must be the name of a variable"), z.string()));
const cwd = lazy(() => z.string().min(1).describe("Working directory; default: that of the daemon"));
const milliseconds = lazy(() => z.int().min(1));
const count = lazy(() => z.int().min(1));

export const TerminalSize = lazy(() =>
  z.object({ cols: z.int().min(1).max(1000), rows: z.int().min(1).max(1000) }).meta({ id: "TerminalSize" }),
);
export type TerminalSize = Infer<typeof TerminalSize>;

export const ProcessOwner = lazy(() => z.enum(["user", "desktop", "system"]));
export const ProcessTag = lazy(() =>
  z.string().regex(/^[^,\s]{1,128}$/, "must have 1 to 128 characters, no commas or spaces"),
);

export const CreateProcessRequest = lazy(() =>
  z
    .object({
      command: command(),
      args: args().optional(),
      cwd: cwd().optional(),
      env: env().optional().describe("Environment variables, added to those of the daemon"),
      tty: z.boolean().optional().describe("Run it in a terminal"),
      interactive: z.boolean().optional().describe("Keep its standard input open; always the case with `tty`"),
      ...TerminalSize().partial().shape,
      tags: z.array(ProcessTag()).max(32).optional(),
    })
    .meta({ id: "CreateProcessRequest" }),
);
export type CreateProcessRequest = Infer<typeof CreateProcessRequest>;

export const ProcessInfo = lazy(() =>
  z
    .object({
      id: z.string(),
      command: z.string(),
      args: args(),
      cwd: z.string(),
      tty: z.boolean(),
      interactive: z.boolean(),
      owner: ProcessOwner(),
      tags: z.array(z.string()),
      status: z.enum(["running", "exited"]),
      pid: z.int().optional().describe("While it is running"),
      exitCode: z.int().optional().describe("Absent when a signal ended it"),
      signal: z.string().optional().describe("The signal that ended it"),
      createdAtMs: z.int(),
      exitedAtMs: z.int().optional(),
    })
    .meta({ id: "ProcessInfo" }),
);
export type ProcessInfo = Infer<typeof ProcessInfo>;

export const ProcessList = lazy(() => z.object({ processes: z.array(ProcessInfo()) }).meta({ id: "ProcessList" }));

export const ProcessEvent = lazy(() =>
  z
    .object({
      type: z.enum(["process.started", "process.exited", "process.deleted"]),
      time: z.iso.datetime(),
      data: ProcessInfo(),
    })
    .meta({ id: "ProcessEvent" }),
);
export type ProcessEvent = Infer<typeof ProcessEvent>;

export const RunProcessRequest = lazy(() =>
  z
    .object({
      command: command(),
      args: args().optional(),
      cwd: cwd().optional(),
      env: env().optional(),
      timeoutMs: milliseconds().optional().describe("Kill it after this time"),
      maxOutputBytes: count().optional().describe("How much to keep of each stream; the rest is dropped"),
    })
    .meta({ id: "RunProcessRequest" }),
);
export type RunProcessRequest = Infer<typeof RunProcessRequest>;

const runEnd = () => ({
  exitCode: z.int().nullable().describe("null when a signal or the time limit ended it"),
  timedOut: z.boolean(),
  durationMs: z.int(),
});

export const RunProcessResult = lazy(() =>
  z
    .object({
      ...runEnd(),
      stdout: z.string(),
      stderr: z.string(),
      stdoutTruncated: z.boolean(),
      stderrTruncated: z.boolean(),
    })
    .meta({ id: "RunProcessResult" }),
);
export type RunProcessResult = Infer<typeof RunProcessResult>;

export const RunProcessEnd = lazy(() => z.object(runEnd()).meta({ id: "RunProcessEnd" }));
export type RunProcessEnd = Infer<typeof RunProcessEnd>;

export const SignalName = lazy(() =>
  z
    .enum(["SIGHUP", "SIGINT", "SIGQUIT", "SIGKILL", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGSTOP", "SIGCONT", "SIGWINCH"])
    .meta({ id: "SignalName" }),
);
export type SignalName = Infer<typeof SignalName>;

export const SignalRequest = lazy(() => z.object({ signal: SignalName() }).meta({ id: "SignalRequest" }));

export const InputEncoding = lazy(() => z.enum(["base64", "utf8", "text"]));

export const ProcessInput = lazy(() =>
  z
    .object({
      data: z.string(),
      encoding: InputEncoding().optional().describe("Default `base64`; `utf8` and `text` are the same"),
      close: z.boolean().optional().describe("Close the standard input afterwards"),
    })
    .meta({ id: "ProcessInput" }),
);

export const InputWritten = lazy(() => z.object({ bytesWritten: z.int() }).meta({ id: "InputWritten" }));

export const OutputStream = lazy(() => z.enum(["stdout", "stderr", "pty"]));
export type OutputStream = Infer<typeof OutputStream>;

export const LogStream = lazy(() => z.enum(["stdout", "stderr", "combined", "pty"]));

export const ProcessLogEntry = lazy(() =>
  z
    .object({
      sequence: z.int().describe("Increases with each entry; there may be gaps"),
      stream: OutputStream(),
      timestampMs: z.int(),
      data: z.string(),
      encoding: z.literal("base64"),
    })
    .meta({ id: "ProcessLogEntry" }),
);
export type ProcessLogEntry = Infer<typeof ProcessLogEntry>;

/** A frame of a streamed run. */
export const RunProcessFrame = lazy(() =>
  z.union([ProcessLogEntry(), RunProcessEnd()]).meta({ id: "RunProcessFrame" }),
);

export const ProcessLogs = lazy(() =>
  z
    .object({ processId: z.string(), stream: LogStream(), entries: z.array(ProcessLogEntry()) })
    .meta({ id: "ProcessLogs" }),
);

export const ProcessConfig = lazy(() =>
  z
    .object({
      maxConcurrentProcesses: count(),
      maxExitedProcesses: count().describe(
        "Ended processes that are kept with their logs; the oldest are removed first",
      ),
      defaultRunTimeoutMs: milliseconds(),
      maxRunTimeoutMs: milliseconds(),
      maxOutputBytes: count().describe("Limit for each stream of a run"),
      maxLogBytesPerProcess: count().describe("On disk; older output is dropped. Applies to new processes"),
      maxInputBytesPerRequest: count(),
    })
    .meta({ id: "ProcessConfig" }),
);
export type ProcessConfig = Infer<typeof ProcessConfig>;

export const ProcessConfigChange = lazy(() => ProcessConfig().partial().meta({ id: "ProcessConfigChange" }));
