/**
 * The servers of this daemon: one for all sessions that need nothing special, further ones for those that do. A server
 * lives as long as somebody has a lease on it; it is stopped when none of them works for a while, and started again for
 * the next who does.
 */
import { ProblemError, type ServerStatus } from "@sandbox-agent/schema";
import type { Launch } from "./launch.ts";
import { type OpenCodeServer, type StartOptions, startServer } from "./server.ts";

export interface PoolOptions {
  directory: string;
  idleMs: number;
  log(message: string, fields?: Record<string, unknown>): void;
  choosePort?: StartOptions["choosePort"];
}

export interface Lease {
  /** The running server, started if need be. */
  server(): Promise<OpenCodeServer>;
  /** Work begins: the server is not idle until the returned function is called. */
  work(): () => void;
  release(): Promise<void>;
}

interface Slot {
  launch: Launch;
  starting: Promise<OpenCodeServer> | null;
  running: OpenCodeServer | null;
  leases: number;
  working: number;
  /** It died and has not been started since. */
  crashed: boolean;
  restarts: number;
  lastError: string | null;
  timer: Timer | null;
}

/** Whoever asked for models is likely to open a session next. */
const lingerMs = 15_000;

export type ServerPool = ReturnType<typeof createPool>;

export function createPool({ directory, idleMs, log, choosePort }: PoolOptions) {
  const slots = new Map<string, Slot>();

  function slotFor(launch: Launch): Slot {
    const known = slots.get(launch.key);
    if (known) return known;
    const slot: Slot = {
      launch,
      starting: null,
      running: null,
      leases: 0,
      working: 0,
      crashed: false,
      restarts: 0,
      lastError: null,
      timer: null,
    };
    slots.set(launch.key, slot);
    return slot;
  }

  /** What becomes of a server counts only while the slot is its: it may have been stopped and another be starting. */
  function start(slot: Slot): Promise<OpenCodeServer> {
    if (slot.starting) return slot.starting;
    const leave = () => {
      if (slot.starting !== starting) return;
      slot.starting = null;
      slot.running = null;
    };
    const starting = launchServer(slot, leave).then(
      (server) => {
        if (slot.starting === starting) slot.running = server;
        rest(slot);
        return server;
      },
      (error: Error) => {
        slot.lastError = error.message;
        leave();
        throw error;
      },
    );
    slot.starting = starting;
    return starting;
  }

  async function launchServer(slot: Slot, leave: () => void): Promise<OpenCodeServer> {
    const server = await startServer(slot.launch, {
      directory,
      ...(choosePort && { choosePort }),
      onLost(reason) {
        log("opencode server lost", { reason });
        slot.lastError = reason;
        slot.crashed = true;
        leave();
      },
    });
    if (slot.crashed) slot.restarts += 1;
    slot.crashed = false;
    log("opencode server started", { pid: server.pid, url: server.url });
    return server;
  }

  async function stop(slot: Slot): Promise<void> {
    clearTimer(slot);
    const { starting } = slot;
    slot.starting = null;
    slot.running = null;
    const server = await starting?.catch(() => null);
    await server?.close();
  }

  /** Nobody works: after a while the server stops. */
  function rest(slot: Slot): void {
    clearTimer(slot);
    if (idleMs === 0 || slot.working > 0) return;
    slot.timer = later(idleMs, () => stop(slot));
  }

  function clearTimer(slot: Slot): void {
    if (slot.timer) clearTimeout(slot.timer);
    slot.timer = null;
  }

  async function drop(slot: Slot): Promise<void> {
    if (slot.leases > 0) return;
    // The first one is the one everybody shares; what happened to it stays on record.
    if ([...slots.values()][0] !== slot) slots.delete(slot.launch.key);
    await stop(slot);
  }

  /** `linger`: after the release, keep the server a while for whoever comes next. */
  function lease(launch: Launch, { linger = false } = {}): Lease {
    const slot = slotFor(launch);
    slot.leases += 1;
    let released = false;
    return {
      async server() {
        if (released) throw new ProblemError("conflict", "the session with OpenCode is closed", { agent: "opencode" });
        return start(slot);
      },
      work() {
        slot.working += 1;
        clearTimer(slot);
        let over = false;
        return () => {
          if (over) return;
          over = true;
          slot.working -= 1;
          rest(slot);
        };
      },
      async release() {
        if (released) return;
        released = true;
        slot.leases -= 1;
        if (slot.leases > 0) return;
        if (!linger) return drop(slot);
        clearTimer(slot);
        slot.timer = later(lingerMs, () => drop(slot));
      },
    };
  }

  function status(): ServerStatus {
    const all = [...slots.values()];
    const running = all.flatMap((slot) => slot.running ?? []);
    const restartCount = all.reduce((sum, { restarts }) => sum + restarts, 0);
    const lastError = all.map((slot) => slot.lastError).findLast((error) => error !== null);
    const [oldest] = running;
    return {
      status: oldest ? "running" : lastError ? "error" : "stopped",
      ...(oldest && { baseUrl: oldest.url, uptimeMs: Date.now() - oldest.startedAt }),
      restartCount,
      ...(lastError && { lastError }),
    };
  }

  async function close(): Promise<void> {
    await Promise.all([...slots.values()].map(stop));
    slots.clear();
  }

  return { lease, status, close };
}

function later(milliseconds: number, action: () => Promise<void>): Timer {
  const timer = setTimeout(() => void action(), milliseconds);
  timer.unref();
  return timer;
}
