/** Runs a program to its end and returns its output, or streams it. */
import {
  type OutputStream,
  ProblemError,
  type RunProcessEnd,
  type RunProcessRequest,
  type RunProcessResult,
} from "@sandbox-agent/schema";
import { RedactedBytes } from "../secrets/redacted-output.ts";
import { requireDirectory } from "../session/directory.ts";
import { startChild } from "./child.ts";
import type { Processes } from "./processes.ts";

type TakeOutput = (stream: OutputStream, bytes: Uint8Array) => Promise<void> | void;

/** Starts the program; `end` resolves when it has ended. It is killed on timeout or when the signal aborts. */
export async function startRun(
  processes: Processes,
  request: Omit<RunProcessRequest, "maxOutputBytes">,
  signal: AbortSignal,
  onOutput: TakeOutput,
): Promise<{ end: Promise<RunProcessEnd> }> {
  const timeoutMs = timeoutOf(processes, request);
  const release = processes.reserve();
  try {
    const { command, args = [], env } = request;
    const cwd = await requireDirectory(request.cwd ?? null);
    const environment = processes.environmentWith(env);
    const redacted = { stdout: new RedactedBytes(processes.secrets), stderr: new RedactedBytes(processes.secrets) };
    const pass: TakeOutput = (stream, bytes) => (bytes.length > 0 ? onOutput(stream, bytes) : undefined);
    const child = startChild({
      command,
      args,
      cwd,
      env: environment,
      terminal: null,
      interactive: false,
      onOutput: (stream, bytes) => (stream === "pty" ? undefined : pass(stream, redacted[stream].push(bytes))),
    });
    const started = performance.now();
    let timedOut = false;
    const kill = () => child.kill();
    const timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, timeoutMs);
    signal.addEventListener("abort", kill);
    if (signal.aborted) kill();
    const end = child.ended
      .then(async ({ code }) => {
        const durationMs = Math.round(performance.now() - started);
        await pass("stdout", redacted.stdout.end());
        await pass("stderr", redacted.stderr.end());
        return { exitCode: timedOut ? null : code, timedOut, durationMs };
      })
      .finally(() => {
        clearTimeout(timer);
        signal.removeEventListener("abort", kill);
        release();
      });
    return { end };
  } catch (error) {
    release();
    throw error;
  }
}

export async function runToEnd(
  processes: Processes,
  request: RunProcessRequest,
  signal: AbortSignal,
): Promise<RunProcessResult> {
  const limit = request.maxOutputBytes ?? processes.config.maxOutputBytes;
  if (limit > processes.config.maxOutputBytes)
    throw new ProblemError("invalid_request", `maxOutputBytes: may be at most ${processes.config.maxOutputBytes}`);
  const kept = { stdout: new Beginning(limit), stderr: new Beginning(limit) };
  const { end } = await startRun(processes, request, signal, (stream, bytes) => {
    if (stream !== "pty") kept[stream].add(bytes);
  });
  return {
    ...(await end),
    stdout: kept.stdout.text(),
    stderr: kept.stderr.text(),
    stdoutTruncated: kept.stdout.truncated,
    stderrTruncated: kept.stderr.truncated,
  };
}

function timeoutOf({ config }: Processes, { timeoutMs }: Pick<RunProcessRequest, "timeoutMs">): number {
  const { defaultRunTimeoutMs, maxRunTimeoutMs } = config;
  if (timeoutMs === undefined) return Math.min(defaultRunTimeoutMs, maxRunTimeoutMs);
  if (timeoutMs <= maxRunTimeoutMs) return timeoutMs;
  throw new ProblemError(
    "invalid_request",
    `timeoutMs: may be at most ${maxRunTimeoutMs}; create a process for what takes longer`,
  );
}

/** The first bytes of a stream, up to a limit. */
class Beginning {
  truncated = false;
  readonly #chunks: Uint8Array[] = [];

  constructor(private room: number) {}

  add(bytes: Uint8Array): void {
    this.truncated ||= bytes.length > this.room;
    if (this.room > 0) this.#chunks.push(bytes.slice(0, this.room));
    this.room -= Math.min(this.room, bytes.length);
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
