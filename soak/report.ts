/** The summary that is printed at the end of a run. */
import { memoryGrowth } from "./check/leftovers.ts";
import type { SoakOptions, SoakResult } from "./run.ts";

export function report({ seed, agents, minutes }: SoakOptions, { ledger, memory, missing }: SoakResult): string {
  const growth = memoryGrowth(memory);
  const rows: [string, string][] = [
    ["seed", String(seed)],
    ["agents", agents.join(", ")],
    ...Object.entries(ledger.counts)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([what, count]): [string, string] => [what, count.toLocaleString("en")]),
    ["memory at rest, first third", growth ? `${growth.first.toFixed(1)} MB` : "too few samples"],
    ["memory at rest, last third", growth ? `${growth.last.toFixed(1)} MB` : "too few samples"],
    ...missing.map((fault): [string, string] => ["fault not available", fault]),
    ["violations", String(ledger.violations.length)],
  ];
  const width = Math.max(...rows.map(([what]) => what.length));
  const table = rows.map(([what, value]) => `| ${what.padEnd(width)} | ${value}`).join("\n");
  if (ledger.violations.length === 0) return table;
  const list = ledger.violations.map(({ rule, message }) => `- ${rule}: ${message.split("\n", 1)[0]}`).join("\n");
  const again = `npm run soak -- --seed ${seed} --minutes ${minutes} --agents ${agents.join(",")}`;
  return `${table}\n\n${list}\n\nTo repeat the run with the same choices (timing differs): ${again}`;
}
