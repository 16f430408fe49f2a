/**
 * Measures the daemon and prints tables. The machine may be shared and noisy: compare figures of one run with each other, and
 * CPU rather than wall time.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { benchArguments, type PartName } from "./arguments.ts";
import { cache } from "./cache.ts";
import { agentOverhead } from "./measure/agents.ts";
import { checkpoints } from "./measure/checkpoints.ts";
import { daemons } from "./measure/daemons.ts";
import { growth } from "./measure/growth.ts";
import { writeReport } from "./report/document.ts";
import { missedLimits } from "./report/limits.ts";
import { type Part, partText } from "./report/part.ts";
import { buildExecutable, ours } from "./systems/ours.ts";
import { upstream } from "./systems/upstream.ts";

const root = join(import.meta.dirname, "..");
const { chosen, json, write } = benchArguments();
const directory = mkdtempSync(join(cache, "bench-"));
const executable = await buildExecutable(cache);
const us = ours(executable);
const measures: Record<PartName, () => Promise<Part>> = {
  async daemons() {
    const them = upstream(cache);
    return { kind: "comparison", names: [us.name, them.name], ...(await daemons([us, them], directory)) };
  },
  growth: async () => ({ kind: "growth", ...(await growth(us, directory)) }),
  agents: async () => ({ kind: "figures", rows: await agentOverhead({ executable, directory, cache }) }),
  checkpoints: async () => ({ kind: "figures", rows: await checkpoints(us, directory) }),
};

const parts: Record<string, Part> = {};
try {
  for (const name of chosen) {
    const part = await measures[name]();
    parts[name] = part;
    console.log(`${partText(part)}\n`);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
if (json) await Bun.write(json, `${JSON.stringify(parts, null, 2)}\n`);
if (write) await writeReport(join(root, "docs"), parts);
const missed = missedLimits(Object.values(parts));
for (const line of missed) console.error(line);
// Streams of stopped daemons may still be open and would keep the process alive.
process.exit(missed.length === 0 ? 0 : 1);
