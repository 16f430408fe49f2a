/**
 * Servers that sessions share, one for each launch (program, variables, keys). A server is started when a lease first needs
 * it, stopped when its last lease is released or when no lease was busy for `idleMs`, and started again when needed. When it
 * exits on its own, all its leases are notified.
 */
import type { ServerStatus } from "@sandbox-agent/schema";
import type { AgentExit } from "../draft.ts";
import type { AgentEnvironment } from "../environment.ts";
import { background } from "../tasks/background.ts";

export interface RunningServer {
  readonly pid: number;
  readonly url?: string;
  close(): Promise<void>;
}

export interface Lease<Server> {
  /** The running server, started if necessary. */
  server(): Promise<Server>;
  /** A server with a busy lease is not idle. */
  setBusy(busy: boolean): void;
  /** The last release stops the server after `lingerMs`, unless it is leased again. Further calls do nothing. */
  release(lingerMs?: number): Promise<void>;
}

export interface LeasedServersOptions<Launch, Server> extends Pick<AgentEnvironment, "idleMs" | "log"> {
  agent: string;
  /** Resolves when the server can be used. `onExit` is called if it exits on its own after that. */
  start(launch: Launch, onExit: (exit: AgentExit) => void): Promise<Server>;
}

interface Claim {
  isBusy: boolean;
  onExit(exit: AgentExit): void;
}

interface Slot<Launch, Server> {
  launch: Launch;
  claims: Set<Claim>;
  running: Promise<Server> | null;
  up: { server: Server; since: number } | null;
  timer: Timer | null;
}

export class LeasedServers<Launch extends { readonly key: string }, Server extends RunningServer> {
  readonly #slots = new Map<string, Slot<Launch, Server>>();
  /** Launches whose server has exited on its own and was not started since. */
  readonly #crashed = new Set<string>();
  #restartCount = 0;
  #lastError: string | null = null;

  constructor(private readonly options: LeasedServersOptions<Launch, Server>) {}

  lease(launch: Launch, onExit: (exit: AgentExit) => void = () => {}): Lease<Server> {
    const slot = this.#slots.get(launch.key) ?? { launch, claims: new Set(), running: null, up: null, timer: null };
    this.#slots.set(launch.key, slot);
    const claim: Claim = { isBusy: false, onExit };
    slot.claims.add(claim);
    this.#watchIdle(slot);
    return {
      server: async () => {
        if (!slot.claims.has(claim)) throw new Error("the session was closed");
        return slot.running ?? this.#start(slot);
      },
      setBusy: (busy) => {
        claim.isBusy = busy;
        this.#watchIdle(slot);
      },
      release: async (lingerMs = 0) => {
        if (!slot.claims.delete(claim)) return;
        if (slot.claims.size === 0) {
          if (lingerMs === 0) return this.#drop(slot);
          this.#schedule(slot, lingerMs, () => this.#drop(slot));
        } else this.#watchIdle(slot);
      },
    };
  }

  /** Of all servers together. */
  status(): ServerStatus {
    const running = [...this.#slots.values()].flatMap(({ up }) => up ?? []);
    const [oldest] = running.toSorted((a, b) => a.since - b.since);
    const lastError = this.#lastError;
    return {
      status: oldest ? "running" : lastError === null ? "stopped" : "error",
      ...(oldest && { uptimeMs: Date.now() - oldest.since }),
      ...(oldest?.server.url !== undefined && { baseUrl: oldest.server.url }),
      restartCount: this.#restartCount,
      ...(lastError !== null && { lastError }),
    };
  }

  /** Stops all servers, even if they are leased. */
  async close(): Promise<void> {
    await Promise.all([...this.#slots.values()].map((slot) => this.#stop(slot)));
  }

  /** The outcome counts only while this start is the slot's current one: it may have been stopped and replaced. */
  #start(slot: Slot<Launch, Server>): Promise<Server> {
    const { agent, log, start } = this.options;
    const onExit = (exit: AgentExit) => {
      if (slot.running === starting) this.#onExit(slot, exit);
    };
    const starting = start(slot.launch, onExit).then(
      (server) => {
        if (slot.running === starting) this.#onStarted(slot, server);
        return server;
      },
      (error: Error) => {
        log(`${agent}: the server did not start`, { error: error.message });
        this.#lastError = error.message;
        if (slot.running === starting) slot.running = null;
        throw error;
      },
    );
    slot.running = starting;
    return starting;
  }

  #onStarted(slot: Slot<Launch, Server>, server: Server): void {
    const { agent, log } = this.options;
    log(`${agent}: the server is up`, { pid: server.pid });
    slot.up = { server, since: Date.now() };
    this.#lastError = null;
    if (this.#crashed.delete(slot.launch.key)) this.#restartCount += 1;
    this.#watchIdle(slot);
  }

  #onExit(slot: Slot<Launch, Server>, exit: AgentExit): void {
    const { agent, log } = this.options;
    log(`${agent}: the server exited`, { message: exit.message });
    slot.running = null;
    slot.up = null;
    this.#lastError = exit.message;
    this.#crashed.add(slot.launch.key);
    for (const claim of [...slot.claims]) claim.onExit(exit);
  }

  async #stop(slot: Slot<Launch, Server>): Promise<void> {
    clearTimeout(slot.timer ?? undefined);
    const { running } = slot;
    slot.running = null;
    slot.up = null;
    const server = await running?.catch(() => null);
    await server?.close();
  }

  async #drop(slot: Slot<Launch, Server>): Promise<void> {
    if (slot.claims.size > 0) return;
    this.#slots.delete(slot.launch.key);
    await this.#stop(slot);
  }

  #watchIdle(slot: Slot<Launch, Server>): void {
    clearTimeout(slot.timer ?? undefined);
    const { idleMs } = this.options;
    const isBusy = [...slot.claims].some((claim) => claim.isBusy);
    if (idleMs > 0 && slot.running && !isBusy) this.#schedule(slot, idleMs, () => this.#stop(slot));
  }

  /** The timer does not keep the daemon alive. */
  #schedule(slot: Slot<Launch, Server>, milliseconds: number, act: () => Promise<void>): void {
    clearTimeout(slot.timer ?? undefined);
    slot.timer = setTimeout(() => background(`stop the server of ${this.options.agent}`, act()), milliseconds);
    slot.timer.unref();
  }
}
