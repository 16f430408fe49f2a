/** A read-only terminal: its output, its screen and the number of viewers. */
import { ProblemError, type TerminalInfo, type TerminalSize } from "@sandbox-agent/schema";
import type { OutputSource } from "../processes/output-log.ts";
import { Screen } from "./screen.ts";

export interface TerminalSpec<Log extends OutputSource = OutputSource> {
  id: string;
  kind: TerminalInfo["kind"];
  title: string;
  size: TerminalSize;
  log: Log;
  createdAtMs?: number;
  /** The item of an agent's command. */
  origin?: { sessionId: string; itemId: string };
}

export class Terminal<Log extends OutputSource = OutputSource> {
  readonly id: string;
  readonly kind: TerminalInfo["kind"];
  readonly log: Log;
  readonly createdAtMs: number;
  readonly origin: TerminalSpec["origin"];
  readonly screen: Screen;
  size: TerminalSize;
  viewers = 0;
  exitCode: number | null = null;
  readonly #title: string;

  constructor({ id, kind, title, size, log, origin, createdAtMs = Date.now() }: TerminalSpec<Log>) {
    this.id = id;
    this.kind = kind;
    this.log = log;
    this.size = size;
    this.#title = title;
    this.origin = origin;
    this.createdAtMs = createdAtMs;
    this.screen = new Screen(log, size, (reply) => this.answer(reply));
  }

  info(): TerminalInfo {
    return {
      id: this.id,
      kind: this.kind,
      title: this.#title,
      ...this.size,
      status: this.log.ended ? "exited" : "running",
      ...(this.exitCode !== null && { exitCode: this.exitCode }),
      viewers: this.viewers,
      createdAtMs: this.createdAtMs,
      ...this.origin,
    };
  }

  /** Sends input. */
  write(_bytes: Uint8Array): void {
    this.requireRunning();
    throw new ProblemError("conflict", `terminal ${this.id} belongs to an agent and is read-only`);
  }

  resize(_size: TerminalSize): void {
    this.requireRunning();
    throw new ProblemError("conflict", `terminal ${this.id} cannot be resized here; resize it where it was opened`);
  }

  /** Sends the terminal's reports, such as the cursor position, to the program. */
  protected answer(_reply: string): void {}

  protected requireRunning(): void {
    if (this.log.ended) throw new ProblemError("conflict", `terminal ${this.id} has ended`);
  }
}
