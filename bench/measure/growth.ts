/**
 * How costs grow with the number of stored sessions and events and of running agents. The agent is the mock, which runs inside
 * the daemon, or the scripted agent, which does almost nothing, so growth is caused by the daemon. Every curve should be flat,
 * except totals (lists, memory) and operations that scan all processes of the machine.
 */
import { join } from "node:path";
import { cpuSeconds, settledMemory } from "../process.ts";
import { median } from "../report/figure.ts";
import type { Running, System } from "../systems/system.ts";

export interface Curve {
  title: string;
  unit: string;
  /** x is the number of sessions, events or agents. */
  points: { x: number; y: number }[];
}

export interface Growth {
  bySessions: Curve[];
  byEvents: Curve[];
  byAgents: Curve[];
}

const sessionSteps = [1, 10, 100, 1000, 10_000];
const eventSteps = [1000, 10_000, 100_000, 1_000_000];
const agentSteps = [1, 10, 100, 1000];
const readsEach = 21;

export async function growth(system: System, directory: string): Promise<Growth> {
  return {
    bySessions: await growSessions(system, join(directory, "by-sessions")),
    byEvents: await growEvents(system, join(directory, "by-events")),
    byAgents: await growAgents(system, join(directory, "by-agents")),
  };
}

async function growSessions(system: System, directory: string): Promise<Curve[]> {
  const created = curve("create a session, p50", "ms");
  const turn = curve("a turn in the newest session, p50", "ms");
  const listed = curve("list all sessions, p50", "ms");
  const resident = curve("RSS", "MB");
  const start = curve("start → healthy", "ms");
  let daemon = await system.start(directory);
  let made = 0;
  for (const step of sessionSteps) {
    const times: number[] = [];
    for (; made < step; made++) {
      times.push(await timed(() => daemon.open(`s${made}`, "mock")));
      await daemon.prompt(`s${made}`, "hello");
    }
    created.points.push({ x: step, y: median(times.slice(-readsEach)) });
    turn.points.push({ x: step, y: await medianOf(() => daemon.prompt(`s${made - 1}`, "hello")) });
    listed.points.push({ x: step, y: await medianOf(() => get(daemon, "/v1/sessions")) });
    resident.points.push({ x: step, y: (await settledMemory(daemon.pid)).resident });
    await daemon.stop();
    daemon = await system.start(directory);
    start.points.push({ x: step, y: daemon.startMs });
  }
  await daemon.stop();
  return [created, turn, listed, resident, start];
}

async function growEvents(system: System, directory: string): Promise<Curve[]> {
  const cost = curve("CPU per event stored", "µs");
  const newest = curve("read the newest 100 events, p50", "ms");
  const shown = curve("get the session, p50", "ms");
  const resident = curve("RSS", "MB");
  const start = curve("start → healthy", "ms");
  let daemon = await system.start(directory);
  await daemon.open("long", "mock");
  let stored = 0;
  for (const step of eventSteps) {
    const cpu = cpuSeconds(daemon.pid);
    const before = stored;
    while (stored < step) {
      const count = Math.min(step - stored, 50_000);
      await daemon.prompt("long", `burst ${count}`);
      stored += count;
    }
    cost.points.push({ x: step, y: ((cpuSeconds(daemon.pid) - cpu) / (stored - before)) * 1e6 });
    newest.points.push({
      x: step,
      y: await medianOf(() => get(daemon, `/v1/sessions/long/events?offset=${stored - 100}&limit=100`)),
    });
    shown.points.push({ x: step, y: await medianOf(() => get(daemon, "/v1/sessions/long")) });
    resident.points.push({ x: step, y: (await settledMemory(daemon.pid)).resident });
    await daemon.stop();
    daemon = await system.start(directory);
    start.points.push({ x: step, y: daemon.startMs });
  }
  await daemon.stop();
  return [cost, newest, shown, resident, start];
}

async function growAgents(system: System, directory: string): Promise<Curve[]> {
  const created = curve("start one more agent, p50", "ms");
  const deleted = curve("delete a session, p50", "ms");
  const stop = curve("stop the daemon", "ms");
  for (const step of agentSteps) {
    const daemon = await system.start(join(directory, String(step)));
    for (let made = 0; made < step; made++) await daemon.open(`s${made}`);
    const [starts, ends]: [number[], number[]] = [[], []];
    for (let run = 0; run < readsEach; run++) {
      starts.push(await timed(() => daemon.open(`more${run}`)));
      ends.push(await timed(() => deleteAt(daemon, `/v1/sessions/more${run}`)));
    }
    created.points.push({ x: step, y: median(starts) });
    deleted.points.push({ x: step, y: median(ends) });
    stop.points.push({ x: step, y: await timed(() => daemon.stop()) });
  }
  return [created, deleted, stop];
}

function curve(title: string, unit: string): Curve {
  return { title, unit, points: [] };
}

async function get({ url }: Running, path: string): Promise<void> {
  const response = await fetch(url + path);
  if (!response.ok) throw new Error(`${path} failed with ${response.status}`);
  await response.arrayBuffer();
}

async function deleteAt({ url }: Running, path: string): Promise<void> {
  const response = await fetch(url + path, { method: "DELETE" });
  if (!response.ok) throw new Error(`${path} failed with ${response.status}`);
}

async function medianOf(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < readsEach; run++) times.push(await timed(work));
  return median(times);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
