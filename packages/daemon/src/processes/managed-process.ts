/** A process that a client has started, and that clients can return to. */
import { within } from "@sandbox-agent/agents";
import { ProblemError, type ProcessInfo, type SignalName } from "@sandbox-agent/schema";
import type { DeviceTerminal } from "../terminals/device-terminal.ts";
import type { Child, ChildExit } from "./child.ts";
import { requireRoom } from "./input.ts";
import type { OutputLog } from "./output-log.ts";

type Description = Pick<ProcessInfo, "id" | "command" | "args" | "cwd" | "tty" | "interactive" | "owner" | "tags">;

export class ManagedProcess {
  readonly ended: Promise<void>;
  readonly #createdAtMs = Date.now();
  #exit: (ChildExit & { atMs: number }) | null = null;

  constructor(
    readonly description: Description,
    readonly log: OutputLog,
    readonly child: Child,
    readonly terminal: DeviceTerminal | null,
  ) {
    this.ended = child.ended.then((exit) => {
      this.#exit = { ...exit, atMs: Date.now() };
      terminal?.end(exit.code);
      log.end();
    });
  }

  get id(): string {
    return this.description.id;
  }

  get isRunning(): boolean {
    return this.#exit === null;
  }

  info(): ProcessInfo {
    const exit = this.#exit;
    return {
      ...this.description,
      status: exit ? "exited" : "running",
      ...(!exit && { pid: this.child.pid }),
      ...(exit && exit.code !== null && { exitCode: exit.code }),
      ...(exit?.signal && { signal: exit.signal }),
      createdAtMs: this.#createdAtMs,
      ...(exit && { exitedAtMs: exit.atMs }),
    };
  }

  /** Resolves when it has ended, or after this time. */
  async wait(milliseconds: number): Promise<void> {
    if (this.isRunning && milliseconds > 0) await within(milliseconds, this.ended);
  }

  signal(signal: SignalName): void {
    this.#requireRunning();
    this.child.signal(signal);
  }

  write(bytes: Uint8Array): void {
    this.#requireInput();
    requireRoom(this.child.pendingInput);
    this.child.write(bytes);
  }

  closeInput(): void {
    this.#requireInput();
    if (this.terminal)
      throw new ProblemError("conflict", "the input of a terminal cannot be closed; send it a Ctrl-D (\\u0004)");
    this.child.closeInput();
  }

  requireTerminal(): DeviceTerminal {
    if (this.terminal) return this.terminal;
    throw new ProblemError("conflict", `process ${this.id} has no terminal; create it with "tty": true`);
  }

  #requireInput(): void {
    this.#requireRunning();
    if (!this.description.interactive)
      throw new ProblemError("conflict", `process ${this.id} has no input; create it with "interactive": true`);
  }

  #requireRunning(): void {
    if (!this.isRunning) throw new ProblemError("conflict", `process ${this.id} has ended`);
  }
}
