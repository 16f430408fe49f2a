/** Events per second, lost events, and CPU per event. */
import { cpuSeconds } from "../process.ts";
import type { Figure } from "../report/figure.ts";
import type { Reader, Running } from "../systems/system.ts";

/** Not measured. Afterwards the JIT has compiled what a daemon needs, as it has after its first minute in use. */
export async function warmUp(daemon: Running): Promise<void> {
  for (let session = 0; session < 100; session++) await daemon.open(`warm${session}`);
  await runBurst(daemon, ["warm0"], 1, 100_000);
  for (let turn = 0; turn < 1000; turn++) await daemon.turn("warm0", 1);
}

export async function burst(daemon: Running, count: number): Promise<Figure[]> {
  await daemon.open("burst");
  const { seconds, cpu, arrived } = await runBurst(daemon, ["burst"], 1, count);
  return [
    { work: `one session, burst of ${count}`, value: arrived / seconds, unit: "events/s" },
    { work: "… lost", value: count - arrived, unit: "events" },
    { work: "… CPU per 100k events", value: (cpu / count) * 100_000, unit: "s" },
  ];
}

export async function manySessions(daemon: Running, sessions: number, count: number): Promise<Figure[]> {
  const names = Array.from({ length: sessions }, (_, index) => `many${index}`);
  await Promise.all(names.map((name) => daemon.open(name)));
  const { seconds, cpu, arrived } = await runBurst(daemon, names, 1, count);
  const total = sessions * count;
  return [
    { work: `${sessions} sessions × ${count} events`, value: arrived / seconds, unit: "events/s" },
    { work: `… lost of ${total}`, value: total - arrived, unit: "events" },
    { work: "… CPU per 100k of them", value: (cpu / total) * 100_000, unit: "s" },
  ];
}

export async function fanOut(daemon: Running, readers: number, count: number): Promise<Figure[]> {
  await daemon.open("fan");
  const { seconds, cpu, arrived } = await runBurst(daemon, ["fan"], readers, count);
  const total = readers * count;
  return [
    { work: `${readers} readers, burst of ${count}`, value: arrived / seconds, unit: "deliveries/s" },
    { work: `… lost of ${total}`, value: total - arrived, unit: "deliveries" },
    { work: "… CPU per delivery", value: (cpu / total) * 1e6, unit: "µs" },
  ];
}

/** Every session emits `count` deltas as fast as it can, to `readersEach` readers. */
async function runBurst(daemon: Running, sessions: string[], readersEach: number, count: number) {
  const readers: Reader[] = [];
  for (const session of sessions) {
    await daemon.prompt(session, "hello");
    for (let index = 0; index < readersEach; index++) readers.push(await daemon.follow(session));
  }
  // Streams that replay history also deliver the first turn. Wait for it, so that it is not counted.
  await Promise.all(readers.map((reader) => reader.settled(1)));
  const before = readers.map(({ deltas }) => deltas);
  const [cpu, started] = [cpuSeconds(daemon.pid), performance.now()];
  await Promise.all(sessions.map((session) => daemon.prompt(session, `burst ${count}`)));
  await Promise.all(readers.map((reader, index) => reader.settled((before[index] ?? 0) + count)));
  const ended = Math.max(...readers.map(({ newestAt }) => newestAt));
  const arrived = readers.reduce((sum, { deltas }, index) => sum + deltas - (before[index] ?? 0), 0);
  for (const reader of readers) reader.close();
  return { seconds: (ended - started) / 1000, cpu: cpuSeconds(daemon.pid) - cpu, arrived };
}
