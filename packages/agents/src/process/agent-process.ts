/**
 * A process of an agent: started in its own process group, read line by line, and stopped together with its descendants.
 * Reading waits for the consumer, so an agent that writes faster than the log can store is slowed down by its pipe.
 */
import { closeSync, existsSync } from "node:fs";
import { ProblemError } from "@sandbox-agent/schema";
import type { AgentExit } from "../draft.ts";
import { background } from "../tasks/background.ts";
import { within } from "../tasks/within.ts";
import { LineSplitter } from "./lines.ts";
import { openPipe } from "./pipe.ts";
import { StderrKeeper } from "./stderr.ts";
import { descendants, isAlive, processVariable, signalTree, sweepLeftovers } from "./tree.ts";

export interface AgentProcessOptions {
  /** Program and arguments. Never put secrets here: every process on the machine can read them. */
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** A file that the process inherits as descriptor 3. The caller closes its own descriptor after the start. */
  inherit?: number;
  /** Lines of stdout that arrived together. The next are read when the promise, if any, resolves. */
  onLines(lines: string[]): Promise<void> | void;
  /** The process and its descendants have ended. Called once; not after `close`. */
  onExit(exit: AgentExit): void;
}

export class AgentProcess {
  readonly stderr = new StderrKeeper();
  readonly #options: AgentProcessOptions;
  readonly #child: Bun.Subprocess<"pipe", "pipe" | number, "pipe">;
  /** A stream, or the descriptor to read from. */
  readonly #output: ReadableStream<Uint8Array> | number;
  readonly #mark = crypto.randomUUID();
  #closing = false;

  /** Throws when the program cannot be started. */
  constructor(options: AgentProcessOptions) {
    this.#options = options;
    const pipe = openPipe();
    try {
      this.#child = this.#spawn(pipe?.writeEnd ?? "pipe");
    } catch (cause) {
      if (pipe) closeSync(pipe.readEnd);
      throw cause;
    } finally {
      if (pipe) closeSync(pipe.writeEnd);
    }
    this.#output = pipe?.readEnd ?? this.#child.stdout;
    background(`follow ${options.command[0]}`, this.#run());
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Resolves when the process itself has ended. */
  get ended(): Promise<number> {
    return this.#child.exited;
  }

  /** A line written to a process that is exiting is lost; `onExit` reports the exit. */
  writeLine(line: string): void {
    try {
      const { stdin } = this.#child;
      for (const written of [stdin.write(`${line}\n`), stdin.flush()])
        if (written instanceof Promise) written.catch(() => {});
    } catch {}
  }

  closeInput(): void {
    this.#child.stdin.end();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Stops the process: closes stdin, then sends SIGTERM, then SIGKILL to the whole tree. `onExit` is not called. */
  async close(graceMs = 2000): Promise<void> {
    this.#closing = true;
    const tree = descendants(this.pid);
    this.closeInput();
    let ended = await this.#endedWithin(graceMs / 2);
    if (!ended) {
      this.signal("SIGTERM");
      ended = await this.#endedWithin(graceMs / 2);
    }
    this.#killAll(ended ? tree : [this.pid, ...tree]);
    await this.#child.exited;
    // The process may have exited before its descendants were listed.
    await sweepLeftovers(this.#mark);
  }

  /** Kills the whole tree now. `onExit` is not called. */
  kill(): void {
    this.#closing = true;
    this.#killAll([this.pid, ...descendants(this.pid)]);
  }

  #spawn(stdout: "pipe" | number): Bun.Subprocess<"pipe", "pipe" | number, "pipe"> {
    const { command, cwd, env, inherit } = this.#options;
    return Bun.spawn([...command], {
      cwd,
      env: { ...env, [processVariable]: this.#mark },
      stdio: ["pipe", stdout, "pipe", ...(inherit === undefined ? [] : [inherit])],
      detached: true,
    });
  }

  async #run(): Promise<void> {
    // The exit is reported even if stderr cannot be read.
    const errors = this.stderr.read(this.#child.stderr).catch(() => {});
    const failure = await this.#readOutput().then(
      () => null,
      (error: Error) => error.message,
    );
    // A process that closed its output, or whose output cannot be read, is useless even if it is still running.
    if (failure !== null || !(await this.#endedWithin(1000))) signalTree(this.pid, "SIGKILL");
    const code = await this.#child.exited;
    await within(200, errors);
    // It exited on its own: its orphaned descendants can only be found by their mark.
    if (!this.#closing) await sweepLeftovers(this.#mark);
    if (!this.#closing) this.#options.onExit(this.#exit(code, failure));
  }

  #exit(code: number, failure: string | null): AgentExit {
    const { signalCode } = this.#child;
    const cause = failure ?? (signalCode ? `was killed by ${signalCode}` : `exited with code ${code}`);
    const lastLine = this.stderr.lastLine();
    const message = `${this.#options.command[0]} ${cause}${lastLine ? `: ${lastLine}` : ""}`;
    return { code: signalCode ? null : code, message, stderr: this.stderr.excerpt() };
  }

  async #readOutput(): Promise<void> {
    const splitter = new LineSplitter();
    const output = this.#output;
    try {
      for await (const chunk of typeof output === "number" ? Bun.file(output).stream() : output) {
        const lines = splitter.push(chunk);
        const handled = lines.length > 0 ? this.#options.onLines(lines) : null;
        if (handled) await handled;
      }
    } finally {
      if (typeof output === "number") closeSync(output);
    }
    const rest = splitter.finish();
    if (rest.length > 0) await this.#options.onLines(rest);
  }

  #endedWithin(milliseconds: number): Promise<boolean> {
    return within(
      milliseconds,
      this.#child.exited.then(() => true),
      () => false,
    );
  }

  #killAll(tree: readonly number[]): void {
    for (const pid of tree) if (isAlive(pid)) signalTree(pid, "SIGKILL");
  }
}

/** Starts a process of this agent. Throws ProblemError if the program cannot be started. */
export function startAgentProcess(agent: string, options: AgentProcessOptions): AgentProcess {
  try {
    return new AgentProcess(options);
  } catch (cause) {
    throw startProblem(agent, options, cause);
  }
}

/** The system reports a missing working directory as a missing program. */
function startProblem(agent: string, { command, cwd }: AgentProcessOptions, cause: unknown): ProblemError {
  if (existsSync(cwd)) {
    const reason = cause instanceof Error ? cause.message : cause;
    return new ProblemError("agent_process_exited", `${command[0]} cannot be started: ${reason}`, { agent });
  }
  const remedy = "create it, or start a session in another directory";
  return new ProblemError("invalid_request", `the working directory ${cwd} does not exist; ${remedy}`, { agent });
}
