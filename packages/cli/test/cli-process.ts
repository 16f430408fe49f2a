/** Runs the program as people do: as a process. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
export const launcher = fileURLToPath(new URL("../bin/sandbox-agent", import.meta.url));

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** Standard input, empty unless given. */
  input?: string;
}

export interface RunningCli {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Resolves with the match as soon as standard output matches, rejects if the process ends without. */
  output(pattern: RegExp): Promise<RegExpExecArray>;
}

export function startCli(args: string[], options: RunOptions = {}): RunningCli {
  return startProcess([process.execPath, main, ...args], options);
}

export function startProcess(command: string[], { env, input = "" }: RunOptions = {}): RunningCli {
  const [program = "", ...args] = command;
  const { SANDBOX_AGENT_TOKEN: _, SANDBOX_AGENT_ENDPOINT: __, ...inherited } = process.env;
  const child = spawn(program, args, { env: { ...inherited, ...env }, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(input);

  let stdout = "";
  let stderr = "";
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));

  const output = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(stdout);
        if (match) resolve(match);
      };
      child.stdout.on("data", look);
      ended.then(() => reject(new Error(`ended without ${pattern}: ${stdout}${stderr}`)), reject);
      look();
    });
  return { child, ended, output };
}

export function cli(args: string[], options?: RunOptions): Promise<Ended> {
  return startCli(args, options).ended;
}

/** Removed when the tests of the file have run. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-cli-"));
  temporary.push(directory);
  return directory;
}

const temporary: string[] = [];
afterAll(() => {
  for (const directory of temporary) rmSync(directory, { recursive: true, force: true });
});

export interface Server extends RunningCli {
  url: string;
  port: number;
  dataDir: string;
  stop(): Promise<Ended>;
}

/** A daemon on a port of its own, with data of its own, that makes a token unless the arguments give one or refuse it. */
export async function startServer(args: string[] = [], options: RunOptions = {}): Promise<Server> {
  const dataDir = temporaryDirectory();
  const running = startCli(["server", "--port", "0", "--data-dir", dataDir, ...args], options);
  const [, url = ""] = await running.output(/listening on (\S+)\n/);
  const stop = () => {
    running.child.kill("SIGTERM");
    return running.ended;
  };
  return { ...running, url, port: Number(new URL(url).port), dataDir, stop };
}
