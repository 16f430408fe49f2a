/** What goes wrong while people work. Each fault is over when its promise resolves. */
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
  /** Its death on a full disk, and its start while there still is no room. */
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

/** In one round. There must be an end to it, or what takes long to start would never get anywhere. */
const mostFaults = 12;

/** Makes trouble until it is told to stop. */
export function makeTrouble(context: FaultContext, pauseMs: number, killsDaemon: boolean): { stop(): Promise<void> } {
  const { random } = context;
  const stopping = Promise.withResolvers<void>();
  let stopped = false;
  const trouble = (async () => {
    for (let count = 0; count < mostFaults && !stopped; count++) {
      await Promise.race([Bun.sleep(random.between(100, pauseMs)), stopping.promise]);
      if (!stopped) await faults[random.weighted(killsDaemon ? withKills : always)]?.(context);
    }
  })();
  return {
    async stop() {
      stopped = true;
      stopping.resolve();
      await trouble;
    },
  };
}

/** It may have ended by itself. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}
