/**
 * Measures the daemon and prints tables: `npm run bench`, or `npm run bench -- daemons` (or `growth`, `agents`, `checkpoints`)
 * for some parts; `--json FILE` keeps the figures, `--write` makes docs/benchmarks.md of them. The machine may be shared and
 * noisy: compare figures of one run with each other, and CPU rather than wall time.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { agentOverhead } from "./measure/agents.ts";
import { checkpoints } from "./measure/checkpoints.ts";
import { daemons } from "./measure/daemons.ts";
import { growth } from "./measure/growth.ts";
import { writeReport } from "./report/document.ts";
import { type Part, partText } from "./report/part.ts";
import { buildExecutable, ours } from "./systems/ours.ts";
import { upstream } from "./systems/upstream.ts";

const root = join(import.meta.dirname, "..");
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "string" }, write: { type: "boolean" } },
});
const cache = join(root, "node_modules/.cache/sandbox-agent");
mkdirSync(cache, { recursive: true });
const directory = mkdtempSync(join(cache, "bench-"));
const executable = await buildExecutable(cache);
const us = ours(executable);
const measures: Record<string, () => Promise<Part>> = {
  async daemons() {
    const them = upstream(cache);
    return { kind: "comparison", names: [us.name, them.name], ...(await daemons([us, them], directory)) };
  },
  growth: async () => ({ kind: "growth", ...(await growth(us, directory)) }),
  agents: async () => ({ kind: "figures", rows: await agentOverhead({ executable, directory, cache }) }),
  checkpoints: async () => ({ kind: "figures", rows: await checkpoints(us, directory) }),
};

const chosen = positionals.length > 0 ? positionals : Object.keys(measures);
const unknown = chosen.filter((name) => !(name in measures));
if (unknown.length > 0)
  throw new Error(`no such part: ${unknown.join(", ")}; there are ${Object.keys(measures).join(", ")}`);
const parts: Record<string, Part> = {};
try {
  for (const name of chosen) {
    const part = await measures[name]?.();
    if (!part) continue;
    parts[name] = part;
    console.log(`${partText(part)}\n`);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
if (values.json) await Bun.write(values.json, `${JSON.stringify(parts, null, 2)}\n`);
if (values.write) await writeReport(join(root, "docs"), parts);
// Streams of daemons that have ended may still be winding down.
process.exit(0);
