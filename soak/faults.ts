/** Faults that are injected while users work. A fault ends when its promise resolves. */
import { descendants } from "../packages/agents/src/process/tree.ts";
import type { SoakDaemon } from "./daemon.ts";
import type { Ledger } from "./ledger.ts";
import type { Place } from "./place.ts";
import type { Random } from "./random.ts";

export interface FaultContext {
  daemon: SoakDaemon;
  place: Place;
  ledger: Ledger;
  random: Random;
}

type Fault = (context: FaultContext) => Promise<void>;

const faults: Record<string, Fault> = {
  async killDaemon({ daemon, ledger }) {
    await daemon.restart("SIGKILL");
    ledger.count("faults: daemon killed");
  },
  async restartDaemon({ daemon, ledger }) {
    await daemon.restart("SIGTERM");
    ledger.count("faults: daemon restarted");
  },
  async killAgent({ daemon, random, ledger }) {
    const processes = descendants(daemon.pid);
    if (processes.length === 0) return;
    signal(random.pick(processes), "SIGKILL");
    ledger.count("faults: process of an agent killed");
  },
  async freezeAgent({ daemon, random, ledger }) {
    const processes = descendants(daemon.pid);
    if (processes.length === 0) return;
    const frozen = random.pick(processes);
    signal(frozen, "SIGSTOP");
    await Bun.sleep(random.between(100, 2000));
    signal(frozen, "SIGCONT");
    ledger.count("faults: process of an agent frozen");
  },
  async fillDisk({ place: { disk }, random, ledger }) {
    if (!disk) return;
    disk.fill();
    await Bun.sleep(random.between(100, 2000));
    disk.free();
    ledger.count("faults: disk full");
  },
  /** Killed on a full disk, and started again while the disk is still full. */
  async killDaemonOnFullDisk({ daemon, place: { disk }, random, ledger }) {
    if (!disk) return;
    disk.fill();
    await Bun.sleep(random.between(100, 1000));
    await daemon.restart("SIGKILL");
    disk.free();
    ledger.count("faults: daemon killed on a full disk");
  },
  async jumpClock({ place: { clock }, random, ledger }) {
    if (!clock) return;
    clock.jump(random.between(-36_000, 36_000));
    ledger.count("faults: clock moved");
  },
};

const always = { killAgent: 5, freezeAgent: 1, fillDisk: 2, jumpClock: 2 };
const withKills = { ...always, killDaemon: 2, killDaemonOnFullDisk: 1, restartDaemon: 1 };

/** Per round. Without a limit, agents that start slowly would never make progress. */
const maxFaults = 12;

/** Injects faults until `stop` is called. */
export function injectFaults(context: FaultContext, pauseMs: number, killsDaemon: boolean): { stop(): Promise<void> } {
  const { random } = context;
  const stopping = Promise.withResolvers<void>();
  let stopped = false;
  const injecting = (async () => {
    for (let count = 0; count < maxFaults && !stopped; count++) {
      await Promise.race([Bun.sleep(random.between(100, pauseMs)), stopping.promise]);
      if (!stopped) await faults[random.weighted(killsDaemon ? withKills : always)]?.(context);
    }
  })();
  return {
    async stop() {
      stopped = true;
      stopping.resolve();
      await injecting;
    },
  };
}

/** The process may have ended already. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}
