/** `npm run soak`: runs users, readers and faults for the given time. The exit code is 1 when a check found a violation. */
import { parseArgs } from "node:util";
import { agentIds } from "./agents.ts";
import { report } from "./report.ts";
import { soak } from "./run.ts";

const usage = `npm run soak -- [--minutes 5] [--seed <number>] [--agents mock,claude]

--minutes  how long to run (default: 5)
--seed     whole number that decides all random choices (default: random)
--agents   comma-separated list of ${agentIds.join(", ")} (default: mock)`;

function usageError(cause: string): never {
  console.error(`${cause}\n\n${usage}`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        minutes: { type: "string", default: "5" },
        seed: { type: "string", default: String(Date.now() % 1_000_000) },
        agents: { type: "string", default: "mock" },
        help: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    return usageError(error instanceof Error ? error.message : String(error));
  }
}

const values = readArguments();
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const options = {
  minutes: Number(values.minutes),
  seed: Number(values.seed),
  agents: values.agents.split(","),
  log: (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
};
const unknown = options.agents.filter((id) => !agentIds.includes(id));
if (unknown.length > 0) usageError(`unknown agent: ${unknown.join(", ")}`);
if (!(options.minutes > 0)) usageError(`--minutes must be a number above 0, not ${values.minutes}`);
if (!Number.isInteger(options.seed)) usageError(`--seed must be a whole number, not ${values.seed}`);
options.log(`seed ${options.seed}, ${options.minutes} minutes, ${options.agents.join(", ")}`);
const result = await soak(options);
console.log(`\n${report(options, result)}`);
process.exit(result.ledger.violations.length === 0 ? 0 : 1);
