/**
 * A process of an agent: started in a group of its own, read line by line, ended together with everything it started.
 * Reading waits for the reader: an agent that says more than can be stored is held back by its own pipe.
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
  /** Program and arguments. Secrets never go here: every process of the machine can read it. */
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** A file that the process finds open as its descriptor 3. The caller closes it here once the process has started. */
  inherit?: number;
  /** Lines of stdout that arrived together. The next are read when the promise, if any, resolves. */
  onLines(lines: string[]): Promise<void> | void;
  /** The process is gone, with everything below it. Called once; not after `close`. */
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

  /** What is written to a process that is just dying is lost; its end is told by `onExit`. */
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

  /** Ends the process: stdin closed, then SIGTERM, then SIGKILL to the whole tree. `onExit` is not called. */
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
    // It may have left before its tree was looked at.
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
    // Without its stderr an exit is reported all the same.
    const errors = this.stderr.read(this.#child.stderr).catch(() => {});
    const failure = await this.#readOutput().then(
      () => null,
      (error: Error) => error.message,
    );
    // A process that closed its output, or whose output cannot be read, is of no more use, even if it lives on.
    if (failure !== null || !(await this.#endedWithin(1000))) signalTree(this.pid, "SIGKILL");
    const code = await this.#child.exited;
    await within(200, errors);
    // It died of itself: what it had started has lost its parent and is found by its mark only.
    if (!this.#closing) await sweepLeftovers(this.#mark);
    if (!this.#closing) this.#options.onExit(this.#exit(code, failure));
  }

  #exit(code: number, failure: string | null): AgentExit {
    const { signalCode } = this.#child;
    const cause = failure ?? (signalCode ? `was ended by ${signalCode}` : `exited with code ${code}`);
    const lastWords = this.stderr.lastLine();
    const message = `${this.#options.command[0]} ${cause}${lastWords ? `: ${lastWords}` : ""}`;
    return { code: signalCode ? null : code, message, stderr: this.stderr.excerpt() };
  }

  async #readOutput(): Promise<void> {
    const splitter = new LineSplitter();
    const output = this.#output;
    try {
      for await (const chunk of typeof output === "number" ? Bun.file(output).stream() : output) {
        const lines = splitter.push(chunk);
        const room = lines.length > 0 ? this.#options.onLines(lines) : null;
        if (room) await room;
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

/** A process of this agent. Throws ProblemError when the program cannot be started. */
export function startAgentProcess(agent: string, options: AgentProcessOptions): AgentProcess {
  try {
    return new AgentProcess(options);
  } catch (cause) {
    throw startProblem(agent, options, cause);
  }
}

/** The system reports a missing directory as if the program were missing. */
function startProblem(agent: string, { command, cwd }: AgentProcessOptions, cause: unknown): ProblemError {
  if (existsSync(cwd)) {
    const reason = cause instanceof Error ? cause.message : cause;
    return new ProblemError("agent_process_exited", `${command[0]} cannot be started: ${reason}`, { agent });
  }
  const remedy = "create it again, or start a session in another directory";
  return new ProblemError("invalid_request", `the working directory ${cwd} does not exist; ${remedy}`, { agent });
}
