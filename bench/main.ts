/**
 * Measures the daemon and prints a table: `npm run bench`, or `npm run bench -- daemon` / `agents` / `checkpoints` for one part. The
 * machine is shared and noisy: compare figures of one run with each other, and CPU rather than wall time.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { spawnMeasuredDaemon } from "./daemon.ts";
import { agentOverhead } from "./measure/agents.ts";
import { checkpoints } from "./measure/checkpoints.ts";
import { addedLatency, health, sessionCreation, warmTurn } from "./measure/latency.ts";
import { memory } from "./measure/memory.ts";
import { burst, fanOut, history, manySessions } from "./measure/throughput.ts";
import { type Figure, printTable } from "./table.ts";

const parts: Record<string, (directory: string) => Promise<Figure[]>> = {
  daemon: daemonFigures,
  agents: agentOverhead,
  checkpoints,
};
const [chosen] = process.argv.slice(2);
const cache = join(import.meta.dirname, "../node_modules/.cache");
mkdirSync(cache, { recursive: true });
const directory = mkdtempSync(join(cache, "sandbox-agent-bench-"));
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (chosen !== undefined && chosen !== name) continue;
    printTable(await measure(directory));
    console.log();
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function daemonFigures(directory: string): Promise<Figure[]> {
  const stored = await memory(join(directory, "memory"), 1_000_000);
  const daemon = await spawnMeasuredDaemon(join(directory, "speed"));
  const figures = [
    ...(await health(daemon, 50_000)),
    ...(await sessionCreation(daemon, 300)),
    ...(await warmTurn(daemon, 500)),
    ...(await addedLatency(daemon, 200, 5)),
    ...(await addedLatency(daemon, 2000, 5)),
    ...(await addedLatency(daemon, 40, 5, 50)),
    ...(await burst(daemon, 100_000)),
    ...(await history(daemon, 100_000)),
    ...(await manySessions(daemon, 50, 2000)),
    ...(await fanOut(daemon, 500, 2000)),
  ];
  await daemon.stop();
  return [...stored, ...figures];
}
