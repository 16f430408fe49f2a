/** All processes of a daemon. They end with it; the next daemon kills those that a killed daemon left behind. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { background, secretsIn, within } from "@sandbox-agent/agents";
import {
  type CreateProcessRequest,
  ProblemError,
  type ProcessConfig,
  type ProcessEvent,
  type ProcessInfo,
} from "@sandbox-agent/schema";
import { messageOf } from "../failure.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { requireDirectory } from "../session/directory.ts";
import type { Terminals } from "../terminals/terminals.ts";
import { startChild } from "./child.ts";
import { processEnvironment } from "./environment.ts";
import { Lifecycle } from "./lifecycle.ts";
import { ManagedProcess } from "./managed-process.ts";
import { OutputLog } from "./output-log.ts";

export interface ProcessesOptions {
  /** The directory for logs. */
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
  secrets: KnownSecrets;
  /** Marks every process of this daemon. */
  owner: string;
  terminals: Terminals;
  announce(event: ProcessEvent): void;
  onLogFailure(id: string, error: unknown): void;
}

export const defaultProcessConfig: ProcessConfig = {
  maxConcurrentProcesses: 64,
  maxExitedProcesses: 256,
  defaultRunTimeoutMs: 30_000,
  maxRunTimeoutMs: 300_000,
  maxOutputBytes: 1024 * 1024,
  maxLogBytesPerProcess: 10 * 1024 * 1024,
  maxInputBytesPerRequest: 64 * 1024,
};

const usualSize = { cols: 80, rows: 24 };
const stopGraceMs = 1000;

export class Processes {
  readonly lifecycle: Lifecycle;
  config = defaultProcessConfig;
  readonly #processes = new Map<string, ManagedProcess>();
  #reserved = 0;
  #stopping = false;

  constructor(private readonly options: ProcessesOptions) {
    this.lifecycle = new Lifecycle(options.announce);
    // Deletes the logs of the last run, whose processes have ended.
    rmSync(options.directory, { recursive: true, force: true });
  }

  list(): ManagedProcess[] {
    return [...this.#processes.values()];
  }

  get(id: string): ManagedProcess {
    const found = this.#processes.get(id);
    if (found) return found;
    throw new ProblemError("not_found", `there is no process ${id}`, { details: { resource: "process", id } });
  }

  async create(request: CreateProcessRequest): Promise<ProcessInfo> {
    const release = this.reserve();
    try {
      const cwd = await requireDirectory(request.cwd ?? null);
      const created = this.#start(request, cwd);
      this.#processes.set(created.id, created);
      this.lifecycle.publish("process.started", created.info());
      background(
        "note the end of a process",
        created.ended.then(() => this.#ended(created)),
      );
      return created.info();
    } finally {
      release();
    }
  }

  /** Reserves a slot for one more process, until released. */
  reserve(): () => void {
    if (this.#stopping) throw new ProblemError("shutting_down", "the daemon is stopping");
    const limit = this.config.maxConcurrentProcesses;
    const running = this.list().filter(({ isRunning }) => isRunning).length + this.#reserved;
    if (running >= limit)
      throw new ProblemError("conflict", `${running} processes are running, at most ${limit} may; stop one first`, {
        details: { limit },
      });
    this.#reserved += 1;
    return () => {
      this.#reserved -= 1;
    };
  }

  get secrets(): KnownSecrets {
    return this.options.secrets;
  }

  environmentWith(added: Record<string, string> = {}): Record<string, string> {
    this.secrets.add(secretsIn(added));
    return processEnvironment(this.options.env, added, this.options.owner);
  }

  delete(id: string): void {
    const found = this.get(id);
    if (found.isRunning)
      throw new ProblemError("conflict", `process ${id} is running; stop or kill it first`, { details: { id } });
    this.#forget(found);
  }

  /** Stops all processes, kills those that do not exit, and removes their logs. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const running = this.list().filter(({ isRunning }) => isRunning);
    for (const { child } of running) child.stop();
    const ended = Promise.all(running.map((process) => process.ended));
    await within(stopGraceMs, ended);
    for (const process of running) if (process.isRunning) process.child.kill();
    await within(stopGraceMs, ended);
    for (const { log } of this.list()) log.delete();
  }

  #start(request: CreateProcessRequest, cwd: string): ManagedProcess {
    const { command, args = [], env, tty = false, tags = [] } = request;
    const interactive = tty || (request.interactive ?? false);
    const id = `proc_${crypto.randomUUID().slice(0, 8)}`;
    const size = tty ? { cols: request.cols ?? usualSize.cols, rows: request.rows ?? usualSize.rows } : null;
    const log = this.#openLog(id);
    try {
      const child = startChild({
        command,
        args,
        cwd,
        env: this.environmentWith({ ...(tty && { TERM: "xterm-256color" }), ...env }),
        terminal: size,
        interactive,
        onOutput: (stream, bytes) => log.append(stream, bytes),
      });
      const shown = args.map((argument) => this.secrets.redact(argument));
      const title = [command, ...shown].join(" ");
      const terminal = size && this.options.terminals.open({ id, kind: "process", title, size, log, device: child });
      const description = { id, command, args: shown, cwd, tty, interactive, owner: "user" as const, tags };
      return new ManagedProcess(description, log, child, terminal);
    } catch (error) {
      log.delete();
      throw error;
    }
  }

  #openLog(id: string): OutputLog {
    try {
      const log = new OutputLog(join(this.options.directory, id), this.config.maxLogBytesPerProcess);
      log.onFailure = (error) => this.options.onLogFailure(id, error);
      return log;
    } catch (error) {
      const text = `there is no place for the output of a process: ${messageOf(error)}`;
      throw new ProblemError("storage_unavailable", text);
    }
  }

  #ended(process: ManagedProcess): void {
    this.lifecycle.publish("process.exited", process.info());
    const exited = this.list().filter(({ isRunning }) => !isRunning);
    const surplus = Math.max(0, exited.length - this.config.maxExitedProcesses);
    for (const oldest of exited.slice(0, surplus)) this.#forget(oldest);
  }

  #forget(process: ManagedProcess): void {
    this.#processes.delete(process.id);
    this.options.terminals.forget(process.id);
    process.log.delete();
    this.lifecycle.publish("process.deleted", process.info());
  }
}
