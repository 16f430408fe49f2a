/** Work and trouble for as long as you like. Ends with 1 when the daemon broke a promise. */
import { parseArgs } from "node:util";
import { agentIds } from "./agents.ts";
import { report } from "./report.ts";
import { soak } from "./run.ts";

const usage = `npm run soak -- [--minutes 5] [--seed <number>] [--agents mock,claude]

--minutes and --seed are numbers, --agents a list of ${agentIds.join(", ")}`;

function misused(cause: string): never {
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
    return misused(error instanceof Error ? error.message : String(error));
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
  say: (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
};
const unknown = options.agents.filter((id) => !agentIds.includes(id));
if (unknown.length > 0) misused(`no such agent: ${unknown.join(", ")}`);
if (!(options.minutes > 0)) misused(`--minutes ${values.minutes} is no time`);
if (!Number.isInteger(options.seed)) misused(`--seed ${values.seed} is no number`);
options.say(`seed ${options.seed}, ${options.minutes} minutes, ${options.agents.join(", ")}`);
const result = await soak(options);
console.log(`\n${report(options, result)}`);
process.exit(result.ledger.violations.length === 0 ? 0 : 1);
