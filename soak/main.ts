/**
 * Work and trouble for as long as you like: `npm run soak`, or `npm run soak -- --minutes 30 --seed 7 --agents mock,claude`.
 * Ends with 1 when the daemon broke a promise.
 */
import { parseArgs } from "node:util";
import { agentIds } from "./agents.ts";
import { report } from "./report.ts";
import { soak } from "./run.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    agents: { type: "string", default: "mock" },
  },
});
const options = {
  minutes: Number(values.minutes),
  seed: Number(values.seed),
  agents: values.agents.split(","),
  say: (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
};
const unknown = options.agents.filter((id) => !agentIds.includes(id));
if (!(options.minutes > 0) || !Number.isInteger(options.seed) || unknown.length > 0) {
  console.error(`--minutes and --seed are numbers, --agents a list of ${agentIds.join(", ")}`);
  process.exit(2);
}
options.say(`seed ${options.seed}, ${options.minutes} minutes, ${options.agents.join(", ")}`);
const result = await soak(options);
console.log(`\n${report(options, result)}`);
process.exit(result.ledger.violations.length === 0 ? 0 : 1);
