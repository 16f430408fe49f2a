/** Memory does not grow with what is stored. */
import { createSession, post } from "../client.ts";
import { type MeasuredDaemon, spawnMeasuredDaemon } from "../daemon.ts";
import { residentMegabytes } from "../process.ts";
import type { Figure } from "../table.ts";

const pageCacheMegabytes = 8;

export async function memory(dataDir: string, events: number): Promise<Figure[]> {
  const daemon = await spawnMeasuredDaemon(dataDir);
  const idle = await settled(daemon);
  const perTurn = 50_000;
  await createSession(daemon.url, "memory");
  for (let stored = 0; stored < events; stored += perTurn) {
    await post(daemon.url, "/v1/sessions/memory/messages", { message: `burst ${perTurn}` });
    await fetch(`${daemon.url}/v1/sessions/memory/wait?timeout_ms=60000`).then((response) => response.arrayBuffer());
  }
  const after = await settled(daemon);
  await daemon.stop();
  const restarted = await spawnMeasuredDaemon(dataDir);
  const again = await settled(restarted);
  await restarted.stop();
  const limit = idle * 1.3 + pageCacheMegabytes;
  return [
    { work: "RSS idle", value: idle, unit: "MB", target: "≤ 60" },
    { work: `RSS after ${events} stored events`, value: after, unit: "MB", target: `≤ ${limit.toFixed(0)}` },
    { work: "RSS after a restart on them", value: again, unit: "MB", target: `≤ ${limit.toFixed(0)}` },
    { work: "start → healthy (from source, empty log)", value: daemon.startMs, unit: "ms" },
    { work: `start → healthy with ${events} stored events`, value: restarted.startMs, unit: "ms" },
  ];
}

/** Memory once it has stopped shrinking: the runtime gives pages back some seconds after it is done with them. */
async function settled({ pid }: MeasuredDaemon): Promise<number> {
  let lowest = residentMegabytes(pid);
  for (let quiet = 0; quiet < 8; quiet++) {
    await Bun.sleep(500);
    const now = residentMegabytes(pid);
    if (now < lowest - 1) quiet = 0;
    lowest = Math.min(lowest, now);
  }
  return lowest;
}
