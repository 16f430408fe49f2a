/** A short run of `npm run soak` with the mock alone: no promise is broken. The long ones are for people. */
import { expect, test } from "vitest";
import { report } from "../../soak/report.ts";
import { soak } from "../../soak/run.ts";

// It looks at processes and their files as Linux shows them.
test.skipIf(process.platform !== "linux")(
  "work and trouble, and everything that was promised holds",
  async () => {
    const said: string[] = [];
    const options = { minutes: 0.25, seed: 9, agents: ["mock"], say: (line: string) => void said.push(line) };
    const result = await soak(options);
    expect(result.ledger.violations, `${said.join("\n")}\n${report(options, result)}`).toEqual([]);
    expect(result.ledger.counts.turns).toBeGreaterThan(20);
  },
  300_000,
);
