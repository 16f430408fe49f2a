/** All terminals of a daemon: of processes, tmux panes and agents' commands. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type AttachTmuxRequest, ProblemError } from "@sandbox-agent/schema";
import { OutputLog } from "../processes/output-log.ts";
import type { AgentCommands } from "./agent-commands.ts";
import { DeviceTerminal, type DeviceTerminalSpec } from "./device-terminal.ts";
import type { Terminal } from "./terminal.ts";
import { attachPane, findPane } from "./tmux.ts";

export interface TerminalsOptions {
  /** The directory for logs of terminals without a process. */
  directory: string;
  /** The environment for helper programs such as tmux. */
  env: Record<string, string>;
  maxLogBytes: number;
  onLogFailure(id: string, error: unknown): void;
  commands: Pick<AgentCommands, "list" | "find" | "forget">;
}

export class Terminals {
  readonly #terminals = new Map<string, DeviceTerminal>();

  constructor(private readonly options: TerminalsOptions) {
    rmSync(options.directory, { recursive: true, force: true });
  }

  /** Oldest first. */
  async list(): Promise<Terminal[]> {
    const listed: Terminal[] = [...this.#terminals.values(), ...(await this.options.commands.list())];
    return listed.sort((one, other) => one.createdAtMs - other.createdAtMs);
  }

  async get(id: string): Promise<Terminal> {
    const found = this.#terminals.get(id) ?? (await this.options.commands.find(id));
    if (found) return found;
    throw new ProblemError("not_found", `there is no terminal ${id}`, { details: { resource: "terminal", id } });
  }

  open(spec: DeviceTerminalSpec): DeviceTerminal {
    const terminal = new DeviceTerminal(spec);
    this.#terminals.set(spec.id, terminal);
    return terminal;
  }

  /** Creates a log for a terminal without one. */
  createLog(id: string): OutputLog {
    const log = new OutputLog(join(this.options.directory, id), this.options.maxLogBytes);
    log.onFailure = (error) => this.options.onLogFailure(id, error);
    return log;
  }

  forget(id: string): void {
    this.#terminals.delete(id);
  }

  async attachTmux(request: AttachTmuxRequest): Promise<DeviceTerminal> {
    const pane = await findPane(request, this.options.env);
    const open = [...this.#terminals.values()].find(({ device, log }) => device.key === pane.key && !log.ended);
    if (open) return open;
    const id = `tmux_${crypto.randomUUID().slice(0, 8)}`;
    return attachPane(pane, this.options.env, (size, device) =>
      this.open({ id, kind: "tmux", title: pane.title, size, log: this.createLog(id), device }),
    );
  }

  /** Detaches from a pane, or removes an agent's command from the list. A process's terminal is deleted with its process. */
  async close(id: string): Promise<void> {
    const terminal = this.#terminals.get(id);
    if (!terminal) return this.options.commands.forget(await this.get(id));
    if (terminal.kind === "process")
      throw new ProblemError("conflict", `terminal ${id} belongs to a process; stop and delete the process`);
    terminal.device.close?.();
    terminal.end(null);
    terminal.log.delete();
    this.forget(id);
  }

  stop(): void {
    for (const { device, log } of this.#terminals.values()) {
      device.close?.();
      log.delete();
    }
  }
}
