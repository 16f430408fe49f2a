/**
 * The commands that agents run, as terminals to watch: a view of the events of their sessions. Nothing of it is stored, and
 * no agent waits for it. What was read of a session is remembered, so that the next list reads only what came since.
 */
import type { SessionContext } from "../session/context.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import { CommandOutput, commandSize } from "./command-output.ts";
import { type Command, CommandScan } from "./command-scan.ts";
import { Terminal } from "./terminal.ts";

/** How many that have ended are listed. */
const maxEnded = 16;
/** They are searched in so many sessions, those with the newest events, and in so many events of each. */
const [recentSessions, recentEvents] = [32, 5000];
/** The call of a running command is expected at most so many events before its result. */
const callEvents = 1000;

type CommandTerminal = Terminal<CommandOutput>;

export class AgentCommands {
  readonly #scans = new WeakMap<Session, CommandScan>();
  readonly #terminals = new WeakMap<Command, CommandTerminal>();

  constructor(
    private readonly sessions: Pick<Sessions, "live" | "get">,
    private readonly context: Pick<SessionContext, "log" | "history" | "table">,
  ) {}

  /** Those that run and the newest of those that have ended, oldest first. */
  async list(): Promise<Terminal[]> {
    this.context.log.tryFlush();
    const live = this.sessions.live().sort((a, b) => (a.state.time < b.state.time ? 1 : -1));
    const listed = live.filter((session, index) => index < recentSessions || firstOpenResult(session) !== null);
    const terminals: CommandTerminal[] = [];
    for (const session of listed.sort((one, other) => one.number - other.number)) {
      const scan = await this.#recent(session);
      for (const command of scan.commands()) terminals.push(this.#terminal(session, scan, command));
    }
    terminals.sort((one, other) => one.createdAtMs - other.createdAtMs);
    const surplus = terminals.filter(({ log }) => log.ended).slice(0, -maxEnded);
    return terminals.filter((terminal) => !surplus.includes(terminal));
  }

  /** Null if there is no such command. */
  async find(id: string): Promise<Terminal | null> {
    const [, number = "", itemId = ""] = /^cmd_(\d+)_(.+)$/.exec(id) ?? [];
    const sessionId = this.context.table.idOf(Number(number));
    if (sessionId === null) return null;
    const session = this.sessions.get(sessionId);
    const recent = await this.#recent(session);
    const scan = recent.command(itemId) ? recent : new CommandScan(session.firstSequence - 1);
    await this.#read(session, scan, () => scan.command(itemId)?.last != null);
    const command = scan.command(itemId);
    return command && this.#terminal(session, scan, command);
  }

  /** Takes it out of the list. */
  forget({ origin }: Terminal): void {
    const session = this.sessions.live().find(({ id }) => id === origin?.sessionId);
    if (origin && session) this.#scans.get(session)?.forget(origin.itemId);
  }

  async #recent(session: Session): Promise<CommandScan> {
    const { sequence } = session.state;
    const from = Math.min(sequence - recentEvents, (firstOpenResult(session) ?? sequence) - callEvents);
    const scan = this.#scans.get(session) ?? new CommandScan(Math.max(from, session.firstSequence - 1));
    this.#scans.set(session, scan);
    await this.#read(session, scan);
    scan.keep(maxEnded);
    return scan;
  }

  /** Reads what is in the log, page by page so that a long session does not hold up the others. */
  async #read({ number, state }: Session, scan: CommandScan, isEnough = () => false): Promise<void> {
    while (scan.sequence < state.sequence && !isEnough()) {
      const records = this.context.history.page(number, scan.sequence);
      if (records.length === 0) return;
      scan.read(records);
      await new Promise(setImmediate);
    }
  }

  #terminal({ number }: Session, scan: CommandScan, command: Command): CommandTerminal {
    const { sessionId, itemId, title, startedAtMs: createdAtMs } = command;
    const { history, log } = this.context;
    const known = this.#terminals.get(command);
    known?.log.reaches(scan.sequence);
    if (known) return known;
    const terminal = new Terminal({
      id: `cmd_${number}_${itemId}`,
      kind: "agent",
      title,
      size: commandSize,
      log: new CommandOutput(command, number, history, log.feed, scan.sequence),
      createdAtMs,
      origin: { sessionId, itemId },
    });
    this.#terminals.set(command, terminal);
    return terminal;
  }
}

/** Sequence of the first event of a tool result that is not complete. */
function firstOpenResult({ state }: Session): number | null {
  const open = Object.values(state.openItems).filter(({ item }) => item.kind === "tool_result");
  return open.length === 0 ? null : Math.min(...open.map(({ sequence }) => sequence));
}
