/** The command line of `npm run bench`. */
import { parseArgs } from "node:util";

export const partNames = ["daemons", "growth", "agents", "checkpoints"] as const;
export type PartName = (typeof partNames)[number];

export interface BenchArguments {
  chosen: readonly PartName[];
  /** File the figures are written to. */
  json: string | null;
  /** Whether to rewrite docs/benchmarks.md from them. */
  write: boolean;
}

const usage = `npm run bench -- [part ...] [--json FILE] [--write]

parts      ${partNames.join(", ")} (default: all)
--json     write the figures to a file
--write    rewrite docs/benchmarks.md and its charts; needs all parts

The exit code is 1 when a figure misses a limit of bench/report/limits.ts; each missed limit is printed.`;

export function benchArguments(): BenchArguments {
  const { positionals, values } = readArguments();
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const unknown = positionals.filter((name) => !partNames.some((part) => part === name));
  if (unknown.length > 0) usageError(`unknown part: ${unknown.join(", ")}`);
  const chosen = partNames.filter((part) => positionals.length === 0 || positionals.includes(part));
  if (values.write && chosen.length < partNames.length) usageError("--write needs all parts");
  return { chosen, json: values.json ?? null, write: values.write ?? false };
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { json: { type: "string" }, write: { type: "boolean" }, help: { type: "boolean" } },
    });
  } catch (error) {
    return usageError(error instanceof Error ? error.message : String(error));
  }
}

function usageError(cause: string): never {
  console.error(`${cause}\n\n${usage}`);
  process.exit(2);
}
