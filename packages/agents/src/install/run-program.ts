/** Runs a program with a time limit and returns its output. */
import { within } from "../tasks/within.ts";
import type { Environment } from "./variables.ts";

export interface ProgramRun {
  /** null if it was killed by a signal. */
  code: number | null;
  stdout: string;
  stderr: string;
  /** Why it failed; null if it succeeded. */
  failure: string | null;
  timedOut: boolean;
}

export interface RunOptions {
  cwd?: string;
  env: Environment;
  limitMs: number;
  /** Ends it. */
  signal?: AbortSignal;
}

/** How long to wait for output that is kept open by a child of the ended program. */
const lingerMs = 1000;

export async function runProgram(command: readonly string[], options: RunOptions): Promise<ProgramRun> {
  const { cwd, env, limitMs, signal } = options;
  try {
    const child = Bun.spawn([...command], {
      cwd,
      env: { ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: limitMs,
      signal,
      killSignal: "SIGKILL",
    });
    const started = performance.now();
    const read = async (stream: ReadableStream) => {
      const text = new Response(stream).text().catch(() => "");
      await child.exited;
      return within(lingerMs, text, () => "");
    };
    const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)]);
    const code = await child.exited;
    const timedOut = child.signalCode === "SIGKILL" && performance.now() - started >= limitMs;
    const { signalCode } = child;
    return { code: signalCode ? null : code, stdout, stderr, timedOut, failure: failureOf(code, signalCode, timedOut) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { code: null, stdout: "", stderr: reason, timedOut: false, failure: `cannot be started: ${reason}` };
  }
}

function failureOf(code: number, signal: Bun.Subprocess["signalCode"], timedOut: boolean): string | null {
  if (timedOut) return "timed out";
  if (signal) return `was killed by ${signal}`;
  return code === 0 ? null : `exited with code ${code}`;
}
