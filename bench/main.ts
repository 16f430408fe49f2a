/**
 * Measures the daemon and prints a table. The machine is shared and noisy: compare figures of one run with each other,
 * and CPU rather than wall time.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnMeasuredDaemon } from "./daemon.ts";
import { addedLatency, health, sessionCreation, warmTurn } from "./measure/latency.ts";
import { memory } from "./measure/memory.ts";
import { burst, fanOut, history, manySessions } from "./measure/throughput.ts";
import { printTable } from "./table.ts";

const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-bench-"));
try {
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
  printTable([...stored, ...figures]);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
