/**
 * The app-servers of this daemon: one for all sessions that need nothing of their own, others for sessions with keys,
 * endpoints or variables of their own. A server runs while it has users; one that nothing happens on is closed and
 * started again when it is needed, like one that has crashed.
 */
import type { ServerStatus } from "@sandbox-agent/schema";
import type { AgentExit } from "../draft.ts";
import type { AgentEnvironment } from "../environment.ts";
import type { Launch } from "./launch.ts";
import { type CodexServer, startServer } from "./server.ts";

export interface Servers {
  /** A claim on the server for this launch. It starts when first asked for. */
  lease(launch: Launch, onExit: (exit: AgentExit) => void): Lease;
  /** Of all servers together; they are one to the outside. */
  status(): ServerStatus;
  /** Closes all of them, whoever uses them. */
  close(): Promise<void>;
}

export interface Lease {
  server(): Promise<CodexServer>;
  /** A server with a turn on it is not idle. */
  setBusy(busy: boolean): void;
  /** The last one to let go closes the server; after `lingerMs`, if that is worth the wait. */
  release(lingerMs?: number): Promise<void>;
}

interface Entry {
  key: string;
  launch: Launch;
  leases: Set<Claim>;
  running: Promise<CodexServer> | null;
  startedAt: number | null;
  idleTimer: ReturnType<typeof setTimeout> | null;
}

interface Claim {
  busy: boolean;
  onExit(exit: AgentExit): void;
}

export function createServers({ idleMs, log }: Pick<AgentEnvironment, "idleMs" | "log">): Servers {
  const entries = new Map<string, Entry>();
  let crashes = 0;
  let restartCount = 0;
  let lastError: string | null = null;
  /** Two first starts in one home at a time would fail on its databases. */
  let starting: Promise<unknown> = Promise.resolve();

  function entryFor(launch: Launch): Entry {
    const key = JSON.stringify([launch.command, launch.env, launch.apiKey]);
    const known = entries.get(key);
    if (known) return known;
    const entry: Entry = { key, launch, leases: new Set(), running: null, startedAt: null, idleTimer: null };
    entries.set(key, entry);
    return entry;
  }

  function ensure(entry: Entry): Promise<CodexServer> {
    entry.running ??= start(entry);
    return entry.running;
  }

  function start(entry: Entry): Promise<CodexServer> {
    if (crashes > 0) restartCount += 1;
    crashes = 0;
    const started = starting.then(() => startServer(entry.launch, { log, onExit: (exit) => onExit(entry, exit) }));
    starting = started.catch(() => {});
    started.then(
      ({ pid }) => {
        entry.startedAt = Date.now();
        lastError = null;
        watchIdle(entry);
        log("codex: the server is up", { pid });
      },
      (error: Error) => {
        if (entry.running === started) entry.running = null;
        lastError = error.message;
      },
    );
    return started;
  }

  function onExit(entry: Entry, exit: AgentExit): void {
    entry.running = null;
    entry.startedAt = null;
    crashes += 1;
    lastError = exit.message;
    log("codex: the server is gone", { message: exit.message });
    for (const claim of [...entry.leases]) claim.onExit(exit);
  }

  async function stop(entry: Entry): Promise<void> {
    const { running } = entry;
    entry.running = null;
    entry.startedAt = null;
    const server = await running?.catch(() => null);
    await server?.close();
  }

  function watchIdle(entry: Entry): void {
    if (entry.idleTimer) clearTimeout(entry.idleTimer);
    entry.idleTimer = null;
    const isBusy = [...entry.leases].some(({ busy }) => busy);
    if (idleMs > 0 && !isBusy) entry.idleTimer = after(idleMs, () => stop(entry));
  }

  async function closeUnused(entry: Entry): Promise<void> {
    if (entry.leases.size > 0) return;
    if (entry.idleTimer) clearTimeout(entry.idleTimer);
    entries.delete(entry.key);
    await stop(entry);
  }

  return {
    lease(launch, onExitOfServer) {
      const entry = entryFor(launch);
      const claim: Claim = { busy: false, onExit: onExitOfServer };
      entry.leases.add(claim);
      return {
        async server() {
          if (!entry.leases.has(claim)) throw new Error("the session was closed");
          return ensure(entry);
        },
        setBusy(busy) {
          claim.busy = busy;
          watchIdle(entry);
        },
        async release(lingerMs = 0) {
          if (lingerMs > 0) await Bun.sleep(lingerMs);
          entry.leases.delete(claim);
          await closeUnused(entry);
        },
      };
    },
    async close() {
      await Promise.all([...entries.values()].map(stop));
    },
    status() {
      const starts = [...entries.values()].flatMap(({ startedAt }) => (startedAt === null ? [] : [startedAt]));
      if (starts.length > 0) return { status: "running", uptimeMs: Date.now() - Math.min(...starts), restartCount };
      return {
        status: lastError === null ? "stopped" : "error",
        restartCount,
        ...(lastError !== null && { lastError }),
      };
    },
  };
}

/** A timer that does not keep the daemon alive. */
function after(milliseconds: number, act: () => Promise<void>): ReturnType<typeof setTimeout> {
  const timer = setTimeout(() => void act(), milliseconds);
  timer.unref();
  return timer;
}
