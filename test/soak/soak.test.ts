/** A short run of `npm run soak` with the mock agent only. Long runs are started by hand. */
import { expect, test } from "vitest";
import { report } from "../../soak/report.ts";
import { soak } from "../../soak/run.ts";

// Reads /proc.
test.skipIf(process.platform !== "linux")(
  "users, readers and faults lead to no violation",
  async () => {
    const lines: string[] = [];
    const options = { minutes: 0.25, seed: 9, agents: ["mock"], log: (line: string) => void lines.push(line) };
    const result = await soak(options);
    expect(result.ledger.violations, `${lines.join("\n")}\n${report(options, result)}`).toEqual([]);
    expect(result.ledger.counts.turns).toBeGreaterThan(20);
  },
  300_000,
);
