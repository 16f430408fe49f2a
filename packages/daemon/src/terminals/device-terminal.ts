/** A terminal with a device behind it, a process or a tmux pane, which writes its log and takes what is typed. */
import type { TerminalSize } from "@sandbox-agent/schema";
import { requireRoom } from "../processes/input.ts";
import type { OutputLog } from "../processes/output-log.ts";
import { Terminal, type TerminalSpec } from "./terminal.ts";

/** What is behind a terminal. */
export interface TerminalDevice {
  /** Names what is attached to at most once. */
  readonly key?: string;
  /** How many bytes were written that were not taken yet. */
  readonly pendingInput: number;
  write(bytes: Uint8Array): void;
  /** Absent where the size is not ours to change. */
  resize?(size: TerminalSize): void;
  /** Absent where the device does not end with its terminal. */
  close?(): void;
}

export interface DeviceTerminalSpec extends TerminalSpec<OutputLog> {
  device: TerminalDevice;
}

export class DeviceTerminal extends Terminal<OutputLog> {
  readonly device: TerminalDevice;

  constructor({ device, ...spec }: DeviceTerminalSpec) {
    super(spec);
    this.device = device;
    this.#logSize(spec.size);
    // Programs query their terminal also when nobody watches it.
    this.screen.open();
  }

  /** Shows what the device writes. */
  feed(bytes: Uint8Array): void {
    this.log.append("pty", bytes);
  }

  /** The device has another size now. */
  resized(size: TerminalSize): void {
    this.size = size;
    this.#logSize(size);
  }

  override write(bytes: Uint8Array): void {
    this.requireRunning();
    requireRoom(this.device.pendingInput);
    this.device.write(bytes);
  }

  override resize(size: TerminalSize): void {
    if (!this.device.resize) return super.resize(size);
    this.requireRunning();
    this.device.resize(size);
    this.resized(size);
  }

  end(exitCode: number | null): void {
    this.exitCode = exitCode;
    this.log.end();
  }

  /** The terminals of viewers answer; without one, this one does. */
  protected override answer(reply: string): void {
    if (this.viewers === 0 && !this.log.ended) this.device.write(Buffer.from(reply));
  }

  #logSize({ cols, rows }: TerminalSize): void {
    this.log.append("resize", Buffer.from(JSON.stringify({ cols, rows })));
  }
}
