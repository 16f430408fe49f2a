/** This daemon and the upstream one on the same work with the same agent, side by side. */
import { join } from "node:path";
import { type Comparison, compare, type Figure, mergeRuns } from "../report/figure.ts";
import { baseline } from "../systems/baseline.ts";
import type { Running, System } from "../systems/system.ts";
import { history } from "./history.ts";
import { addedLatency, agentAlone, health, newSessions, starts, warmTurns } from "./latency.ts";
import { memory } from "./memory.ts";
import { burst, fanOut, manySessions, warmUp } from "./throughput.ts";

const rounds = 5;

export interface Daemons {
  rows: Comparison[];
  /** Figures without a counterpart in the upstream daemon. */
  more: Figure[];
}

export async function daemons([us, them]: readonly [System, System], directory: string): Promise<Daemons> {
  const runs = new Map<System, Figure[][]>([us, them, baseline].map((system) => [system, []]));
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [us, them] : [them, us];
    const home = join(directory, String(round));
    const sides = [...(await sideBySide(order, home)), await pacedAlone(baseline, home)];
    for (const { system, figures } of sides) runs.get(system)?.push(figures);
  }
  const [ours, theirs] = [mergeRuns(runs.get(us) ?? []), mergeRuns(runs.get(them) ?? [])];
  const [ourMemory, theirMemory] = [
    await memory(us, join(directory, "our-memory"), 100, 1_000_000),
    await memory(them, join(directory, "their-memory"), 100, 1_000_000),
  ];
  const rows = compare([...ours, ...ourMemory], [...theirs, ...theirMemory]);
  const floor = mergeRuns(runs.get(baseline) ?? []).map((figure) => ({
    ...figure,
    work: `${baseline.name}, ${figure.work}`,
  }));
  return { rows, more: [...floor, await agentAlone(20), ...(await reading(us, join(directory, "reading")))] };
}

async function reading(system: System, directory: string): Promise<Figure[]> {
  const daemon = await system.start(directory);
  await daemon.open("read", "mock");
  await daemon.prompt("read", "burst 100000");
  const figures = await history(daemon, "read", 100_000);
  await daemon.stop();
  return figures;
}

type Measure = (daemon: Running) => Promise<Figure[]>;

/** Events that arrive one by one. The cost per event of the runtime dominates here. */
const paced: Measure[] = [
  (daemon) => addedLatency(daemon, 200, 8),
  (daemon) => addedLatency(daemon, 2000, 4),
  (daemon) => addedLatency(daemon, 40, 12, 50),
];
const measures: Measure[] = [
  (daemon) => health(daemon, 30_000),
  (daemon) => warmUp(daemon).then(() => []),
  (daemon) => newSessions(daemon, 40),
  (daemon) => warmTurns(daemon, 300),
  ...paced,
  (daemon) => burst(daemon, 100_000),
  (daemon) => manySessions(daemon, 50, 2000),
  (daemon) => fanOut(daemon, 500, 2000),
];

interface Side {
  system: System;
  figures: Figure[];
}

/** Each piece of work is done by one and then by the other, because the speed of the machine changes over time. */
async function sideBySide(systems: readonly System[], directory: string): Promise<Side[]> {
  const sides: (Side & { daemon: Running })[] = [];
  for (const system of systems) {
    const home = join(directory, system.name);
    const start = await starts(system, home, 5);
    sides.push({ system, daemon: await system.start(home), figures: start });
  }
  for (const measure of measures) for (const { daemon, figures } of sides) figures.push(...(await measure(daemon)));
  for (const { daemon } of sides) await daemon.stop();
  return sides;
}

async function pacedAlone(system: System, directory: string): Promise<Side> {
  const daemon = await system.start(join(directory, system.name));
  await warmUp(daemon);
  const figures: Figure[] = [];
  for (const measure of paced) figures.push(...(await measure(daemon)));
  await daemon.stop();
  return { system, figures };
}
