/** What `npm run bench` is told. */
import { parseArgs } from "node:util";

export const partNames = ["daemons", "growth", "agents", "checkpoints"] as const;
export type PartName = (typeof partNames)[number];

export interface BenchArguments {
  chosen: readonly PartName[];
  /** Where the figures are kept. */
  json: string | null;
  /** Whether docs/benchmarks.md is made of them. */
  write: boolean;
}

const usage = `npm run bench -- [part ...] [--json FILE] [--write]

parts      ${partNames.join(", ")}; all of them unless some are named
--json     keeps the figures in a file
--write    makes docs/benchmarks.md of them; it needs all parts

It ends with code 1 when a figure misses a limit of bench/report/limits.ts, and says which.`;

export function benchArguments(): BenchArguments {
  const { positionals, values } = readArguments();
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const unknown = positionals.filter((name) => !partNames.some((part) => part === name));
  if (unknown.length > 0) misused(`no such part: ${unknown.join(", ")}`);
  const chosen = partNames.filter((part) => positionals.length === 0 || positionals.includes(part));
  if (values.write && chosen.length < partNames.length) misused("--write needs all parts");
  return { chosen, json: values.json ?? null, write: values.write ?? false };
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { json: { type: "string" }, write: { type: "boolean" }, help: { type: "boolean" } },
    });
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

function misused(cause: string): never {
  console.error(`${cause}\n\n${usage}`);
  process.exit(2);
}
