/** A terminal of a device, which is a process or a tmux pane: the device writes output and receives input. */
import type { TerminalSize } from "@sandbox-agent/schema";
import { requireRoom } from "../processes/input.ts";
import type { OutputLog } from "../processes/output-log.ts";
import { Terminal, type TerminalSpec } from "./terminal.ts";

/** The process or pane of a terminal. */
export interface TerminalDevice {
  /** Identifies the device, which is attached at most once. */
  readonly key?: string;
  /** Bytes that were written but not yet read. */
  readonly pendingInput: number;
  write(bytes: Uint8Array): void;
  /** Absent if the size cannot be changed here. */
  resize?(size: TerminalSize): void;
  /** Absent if the device does not end with its terminal. */
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
    // Programs query their terminal also without a viewer.
    this.screen.open();
  }

  /** Appends output of the device. */
  feed(bytes: Uint8Array): void {
    this.log.append("pty", bytes);
  }

  /** The device was resized. */
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

  /** A viewer's terminal answers queries; without viewers, the emulator does. */
  protected override answer(reply: string): void {
    if (this.viewers === 0 && !this.log.ended) this.device.write(Buffer.from(reply));
  }

  #logSize({ cols, rows }: TerminalSize): void {
    this.log.append("resize", Buffer.from(JSON.stringify({ cols, rows })));
  }
}
