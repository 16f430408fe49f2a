/**
 * The commands that agents run, as read-only terminals derived from the events of their sessions. Nothing is stored, and no
 * agent waits for a viewer. Scans are cached, so that the next list reads only new events.
 */
import type { SessionContext } from "../session/context.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import type { CommandOutput } from "./command-output.ts";
import { CommandScan } from "./command-scan.ts";
import type { Terminal } from "./terminal.ts";

/** How many ended commands are listed. */
const maxEnded = 16;
/** How many sessions are scanned, those with the newest events first, and how many events of each. */
const [recentSessions, recentEvents] = [32, 5000];
/** How many events before its result the call of a running command is searched. */
const callEvents = 1000;

export class AgentCommands {
  readonly #scans = new WeakMap<Session, CommandScan>();

  constructor(
    private readonly sessions: Pick<Sessions, "live" | "get">,
    private readonly context: Pick<SessionContext, "log" | "history" | "table">,
  ) {}

  /** Running commands and the newest ended ones, oldest first. */
  async list(): Promise<Terminal[]> {
    this.context.log.tryFlush();
    const live = this.sessions.live().sort((a, b) => (a.state.time < b.state.time ? 1 : -1));
    const listed = live.filter((session, index) => index < recentSessions || firstOpenResult(session) !== null);
    const terminals: Terminal<CommandOutput>[] = [];
    for (const session of listed.sort((one, other) => one.number - other.number))
      terminals.push(...(await this.#recent(session)).terminals.values());
    terminals.sort((one, other) => one.createdAtMs - other.createdAtMs);
    const surplus = surplusOf(terminals);
    return terminals.filter((terminal) => !surplus.includes(terminal));
  }

  /** Null if there is no such command. */
  async find(id: string): Promise<Terminal | null> {
    const [, number = "", itemId = ""] = /^cmd_(\d+)_(.+)$/.exec(id) ?? [];
    const sessionId = this.context.table.idOf(Number(number));
    if (sessionId === null) return null;
    const session = this.sessions.get(sessionId);
    const { terminals } = await this.#recent(session);
    const recent = terminals.get(itemId);
    if (recent) return recent;
    const scan = new CommandScan(session, this.context, session.firstSequence - 1);
    await scan.read(() => scan.terminals.get(itemId)?.log.ended ?? false);
    return scan.terminals.get(itemId) ?? null;
  }

  /** Removes it from the list. */
  forget({ origin }: Terminal): void {
    const session = this.sessions.live().find(({ id }) => id === origin?.sessionId);
    if (origin && session) this.#scans.get(session)?.terminals.delete(origin.itemId);
  }

  async #recent(session: Session): Promise<CommandScan> {
    const { sequence } = session.state;
    const from = Math.min(sequence - recentEvents, (firstOpenResult(session) ?? sequence) - callEvents);
    const start = Math.max(from, session.firstSequence - 1);
    const scan = this.#scans.get(session) ?? new CommandScan(session, this.context, start);
    this.#scans.set(session, scan);
    await scan.read();
    for (const { origin } of surplusOf([...scan.terminals.values()])) if (origin) scan.terminals.delete(origin.itemId);
    return scan;
  }
}

/** The oldest ended command. */
function surplusOf(terminals: readonly Terminal[]): Terminal[] {
  return terminals.filter(({ log }) => log.ended).slice(0, -maxEnded);
}

/** Sequence of the first event of an incomplete tool result. */
function firstOpenResult({ state }: Session): number | null {
  const open = Object.values(state.openItems).filter(({ item }) => item.kind === "tool_result");
  return open.length === 0 ? null : Math.min(...open.map(({ sequence }) => sequence));
}
