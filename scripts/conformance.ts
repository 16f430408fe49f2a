/**
 * `npm run conformance [-- --agent claude,codex] [-- --write]`: runs every scenario with every agent or those named,
 * prints the matrix, and with `--write` puts their columns into docs/agents.md and the README. `--refresh` writes both again
 * from the results that are there, without a run; `npm run generate` does that.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Marks } from "../test/conformance/matrix.ts";
import { matrix, publish, rows } from "../test/conformance/published.ts";
import { subjects } from "../test/conformance/subjects.ts";

interface Report {
  testResults: { assertionResults: { ancestorTitles: string[]; title: string; status: string }[] }[];
}

const { values } = parseArgs({
  options: { agent: { type: "string" }, write: { type: "boolean" }, refresh: { type: "boolean" } },
});
if (values.refresh) {
  publish();
  process.exit(0);
}
const chosen = values.agent?.split(",") ?? subjects.map(({ id }) => id);
const unknown = chosen.filter((id) => !subjects.some((subject) => subject.id === id));
if (unknown.length > 0) {
  console.error(`unknown agent ${unknown.join(", ")}; known agents: ${subjects.map(({ id }) => id).join(", ")}`);
  process.exit(2);
}

const { report, exitCode } = await run(chosen);
const marks = marksOf(chosen, report);
console.log(`\n${matrix(marks)}`);
if (values.write) publish(marks);
process.exit(exitCode);

async function run(agents: string[]): Promise<{ report: Report; exitCode: number }> {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-conformance-"));
  const outputFile = join(directory, "report.json");
  try {
    const vitest = Bun.spawn(
      [
        process.execPath,
        "--bun",
        "vitest",
        "run",
        ...agents.map((agent) => `test/conformance/agents/${agent}.test.ts`),
        "--reporter=verbose",
        "--reporter=json",
        `--outputFile.json=${outputFile}`,
      ],
      { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, CONFORMANCE_AGENT: agents.join(",") } },
    );
    const exitCode = await vitest.exited;
    return { report: JSON.parse(readFileSync(outputFile, "utf8")), exitCode };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function marksOf(agents: string[], { testResults }: Report): Marks {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const mark = (agent: string, name: string) => {
    const result = results.find(({ ancestorTitles, title }) => ancestorTitles.includes(agent) && title === name);
    return result?.status === "passed" ? "✓" : "✗";
  };
  return new Map(agents.map((agent) => [agent, new Map(rows.map((name) => [name, mark(agent, name)]))]));
}
