/**
 * A terminal: a log of what was shown, the screen that follows it, and a device behind it that takes what is typed. Who
 * writes the log is up to whoever opened it: a process, a tmux pane, an agent.
 */
import { ProblemError, type TerminalInfo, type TerminalSize } from "@sandbox-agent/schema";
import { requireRoom } from "../processes/input.ts";
import type { OutputLog } from "../processes/output-log.ts";
import { Screen } from "./screen.ts";

/** What is behind a terminal. */
export interface TerminalDevice {
  /** How many bytes were written that were not taken yet. */
  readonly pendingInput: number;
  /** Absent where it can only be watched. */
  write?(bytes: Uint8Array): void;
  /** Absent where the size is not ours to change. */
  resize?(size: TerminalSize): void;
}

export interface TerminalSpec {
  id: string;
  kind: TerminalInfo["kind"];
  title: string;
  size: TerminalSize;
  log: OutputLog;
  device: TerminalDevice;
  /** Where the output of an agent's command belongs. */
  origin?: { sessionId: string; itemId: string };
}

export class Terminal {
  readonly id: string;
  readonly kind: TerminalInfo["kind"];
  readonly log: OutputLog;
  readonly screen: Screen;
  viewers = 0;
  exitCode: number | null = null;
  readonly #title: string;
  readonly #device: TerminalDevice;
  readonly #origin: TerminalSpec["origin"];
  readonly #createdAtMs = Date.now();
  #size: TerminalSize;

  constructor({ id, kind, title, size, log, device, origin }: TerminalSpec) {
    this.id = id;
    this.kind = kind;
    this.log = log;
    this.#title = title;
    this.#device = device;
    this.#origin = origin;
    this.#size = size;
    this.#logSize(size);
    this.screen = new Screen(log, size, (reply) => this.#answer(reply));
  }

  get size(): TerminalSize {
    return this.#size;
  }

  info(): TerminalInfo {
    return {
      id: this.id,
      kind: this.kind,
      title: this.#title,
      ...this.#size,
      status: this.log.ended ? "exited" : "running",
      ...(this.exitCode !== null && { exitCode: this.exitCode }),
      viewers: this.viewers,
      createdAtMs: this.#createdAtMs,
      ...this.#origin,
    };
  }

  /** Shows what the device says. */
  feed(bytes: Uint8Array): void {
    this.log.append("pty", bytes);
  }

  /** The device has another size now. */
  resized(size: TerminalSize): void {
    this.#size = size;
    this.#logSize(size);
  }

  /** Types. */
  write(bytes: Uint8Array): void {
    this.#requireRunning();
    if (!this.#device.write)
      throw new ProblemError("conflict", `terminal ${this.id} belongs to an agent; it can only be watched`);
    requireRoom(this.#device.pendingInput);
    this.#device.write(bytes);
  }

  resize(size: TerminalSize): void {
    this.#requireRunning();
    if (!this.#device.resize)
      throw new ProblemError("conflict", `the size of terminal ${this.id} is decided where it was opened`);
    this.#device.resize(size);
    this.resized(size);
  }

  end(exitCode: number | null): void {
    this.exitCode = exitCode;
    this.log.end();
  }

  /** Programs ask terminals about themselves. The terminals of viewers answer; without one, this one does. */
  #answer(reply: string): void {
    if (this.viewers === 0 && !this.log.ended) this.#device.write?.(Buffer.from(reply));
  }

  #logSize({ cols, rows }: TerminalSize): void {
    this.log.append("resize", Buffer.from(JSON.stringify({ cols, rows })));
  }

  #requireRunning(): void {
    if (this.log.ended) throw new ProblemError("conflict", `terminal ${this.id} has ended`);
  }
}
