/** Reading stored events. The upstream daemon does not store them. */
import { cpuSeconds } from "../process.ts";
import type { Figure } from "../report/figure.ts";
import type { Running } from "../systems/system.ts";

export async function history(daemon: Running, session: string, count: number): Promise<Figure[]> {
  const before = cpuSeconds(daemon.pid);
  for (let offset = 0; offset < count; offset += 1000) {
    const response = await fetch(`${daemon.url}/v1/sessions/${session}/events?offset=${offset}&limit=1000`);
    await response.arrayBuffer();
  }
  const pages = cpuSeconds(daemon.pid) - before;
  const beforeReplay = cpuSeconds(daemon.pid);
  const reader = await daemon.follow(session);
  await reader.settled(count);
  const replay = cpuSeconds(daemon.pid) - beforeReplay;
  reader.close();
  return [
    { work: `history of ${count} by pages of 1000: CPU per event`, value: (pages / count) * 1e6, unit: "µs" },
    { work: "… by SSE replay", value: (replay / count) * 1e6, unit: "µs" },
  ];
}
