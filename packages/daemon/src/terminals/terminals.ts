/** All terminals of a daemon, whoever feeds them. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type AttachTmuxRequest, ProblemError } from "@sandbox-agent/schema";
import { OutputLog } from "../processes/output-log.ts";
import { Terminal, type TerminalSpec } from "./terminal.ts";
import { attachPane, findPane, type TmuxPane } from "./tmux.ts";

export interface TerminalsOptions {
  /** Where the logs of terminals without a process are kept. */
  directory: string;
  /** The environment of the programs that terminals need. */
  env: Record<string, string>;
  maxLogBytes: number;
  onLogFailure(id: string, error: unknown): void;
}

interface AttachedPane {
  key: string;
  terminal: Terminal;
  detach(): void;
}

export class Terminals {
  readonly #options: TerminalsOptions;
  readonly #terminals = new Map<string, Terminal>();
  readonly #panes = new Map<string, AttachedPane>();

  constructor(options: TerminalsOptions) {
    this.#options = options;
    rmSync(options.directory, { recursive: true, force: true });
  }

  list(): Terminal[] {
    return [...this.#terminals.values()];
  }

  get(id: string): Terminal {
    const found = this.#terminals.get(id);
    if (found) return found;
    throw new ProblemError("not_found", `there is no terminal ${id}`, { details: { resource: "terminal", id } });
  }

  open(spec: TerminalSpec): Terminal {
    const terminal = new Terminal(spec);
    this.#terminals.set(spec.id, terminal);
    return terminal;
  }

  /** A log for a terminal that has none of its own. */
  createLog(id: string): OutputLog {
    const log = new OutputLog(join(this.#options.directory, id), this.#options.maxLogBytes);
    log.onFailure = (error) => this.#options.onLogFailure(id, error);
    return log;
  }

  forget(id: string): void {
    this.#terminals.delete(id);
  }

  async attachTmux(request: AttachTmuxRequest): Promise<Terminal> {
    const pane = await findPane(request, this.#options.env);
    const key = `${pane.socket ?? ""} ${pane.paneId}`;
    const open = [...this.#panes.values()].find((attached) => attached.key === key && !attached.terminal.log.ended);
    return open ? open.terminal : this.#openPane(pane, key);
  }

  /** Lets go of a pane, or forgets a terminal that has ended. Those of processes go with their process. */
  close(id: string): void {
    const terminal = this.get(id);
    if (terminal.kind === "process")
      throw new ProblemError("conflict", `terminal ${id} belongs to a process; stop and delete that`);
    this.#panes.get(id)?.detach();
    this.#panes.delete(id);
    terminal.end(null);
    terminal.log.delete();
    this.forget(id);
  }

  stop(): void {
    for (const { detach } of this.#panes.values()) detach();
    for (const { log } of this.list()) log.delete();
  }

  #openPane(pane: TmuxPane, key: string): Terminal {
    const id = `tmux_${crypto.randomUUID().slice(0, 8)}`;
    const { terminal, detach } = attachPane(pane, this.#options.env, (size, device) =>
      this.open({ id, kind: "tmux", title: pane.title, size, log: this.createLog(id), device }),
    );
    this.#panes.set(id, { key, terminal, detach });
    return terminal;
  }
}
