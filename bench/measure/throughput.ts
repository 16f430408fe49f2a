/** How many events pass through, and what each costs. */
import { readRaw } from "../../test/harness/raw-reader.ts";
import { createSession, post } from "../client.ts";
import type { MeasuredDaemon } from "../daemon.ts";
import { cpuSeconds } from "../process.ts";
import type { Figure } from "../table.ts";

/** session.started, turn.started, the user's item (2), item.started, then the deltas, item.completed, turn.ended. */
const eventsAround = 7;

export async function burst({ url, pid }: MeasuredDaemon, count: number): Promise<Figure[]> {
  await createSession(url, "burst");
  const reader = readRaw(url, "/v1/sessions/burst/events/sse");
  await reader.reached(1);
  const [cpu, started] = [cpuSeconds(pid), performance.now()];
  await post(url, "/v1/sessions/burst/messages", { message: `burst ${count}` });
  await reader.reached(count + eventsAround);
  const seconds = (performance.now() - started) / 1000;
  const cpuUsed = cpuSeconds(pid) - cpu;
  reader.close();
  return [
    { work: `burst of ${count}, one reader`, value: count / seconds, unit: "events/s" },
    { work: "CPU per 100k events in that burst", value: (cpuUsed / count) * 100_000, unit: "s" },
  ];
}

export async function manySessions({ url, pid }: MeasuredDaemon, sessions: number, count: number): Promise<Figure[]> {
  const ids = Array.from({ length: sessions }, (_, index) => `many${index}`);
  await Promise.all(ids.map((id) => createSession(url, id)));
  const readers = ids.map((id) => readRaw(url, `/v1/sessions/${id}/events/sse`));
  await Promise.all(readers.map((reader) => reader.reached(1)));
  const [cpu, started] = [cpuSeconds(pid), performance.now()];
  await Promise.all(ids.map((id) => post(url, `/v1/sessions/${id}/messages`, { message: `burst ${count}` })));
  await Promise.all(readers.map((reader) => reader.reached(count + eventsAround)));
  const seconds = (performance.now() - started) / 1000;
  const cpuUsed = cpuSeconds(pid) - cpu;
  for (const reader of readers) reader.close();
  const total = sessions * count;
  return [
    { work: `${sessions} sessions × ${count} events`, value: total / seconds, unit: "events/s" },
    { work: "CPU per event there", value: (cpuUsed / total) * 1e6, unit: "µs" },
  ];
}

export async function fanOut({ url, pid }: MeasuredDaemon, readerCount: number, count: number): Promise<Figure[]> {
  await createSession(url, "fan");
  const readers = Array.from({ length: readerCount }, () => readRaw(url, "/v1/sessions/fan/events/sse"));
  await Promise.all(readers.map((reader) => reader.reached(1)));
  const [cpu, started] = [cpuSeconds(pid), performance.now()];
  await post(url, "/v1/sessions/fan/messages", { message: `burst ${count}` });
  await Promise.all(readers.map((reader) => reader.reached(count + eventsAround)));
  const seconds = (performance.now() - started) / 1000;
  const cpuUsed = cpuSeconds(pid) - cpu;
  for (const reader of readers) reader.close();
  const deliveries = readerCount * count;
  return [
    { work: `${readerCount} readers, burst of ${count}`, value: deliveries / seconds, unit: "deliveries/s" },
    { work: "CPU per delivery there", value: (cpuUsed / deliveries) * 1e6, unit: "µs" },
  ];
}

export async function history({ url, pid }: MeasuredDaemon, count: number): Promise<Figure[]> {
  const before = cpuSeconds(pid);
  let offset = 0;
  while (offset < count) {
    const response = await fetch(`${url}/v1/sessions/burst/events?offset=${offset}&limit=1000`);
    await response.arrayBuffer();
    offset += 1000;
  }
  const pages = cpuSeconds(pid) - before;
  const reader = readRaw(url, "/v1/sessions/burst/events/sse");
  const beforeReplay = cpuSeconds(pid);
  await reader.reached(count + eventsAround);
  const replay = cpuSeconds(pid) - beforeReplay;
  reader.close();
  return [
    {
      work: `history of ${count} by pages of 1000: CPU per event`,
      value: (pages / count) * 1e6,
      unit: "µs",
      target: "≤ 3",
    },
    { work: "the same by SSE replay", value: (replay / count) * 1e6, unit: "µs", target: "≤ 3" },
  ];
}
