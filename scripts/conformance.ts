/**
 * `npm run conformance [-- --agent claude,codex] [-- --write]`: plays every scenario with every agent or those named,
 * prints the matrix, and with `--write` puts their columns into the README.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Marks, readMatrix, renderMatrix } from "../test/conformance/matrix.ts";
import { scenarios } from "../test/conformance/scenarios.ts";
import { subjects } from "../test/conformance/subjects.ts";

interface Report {
  testResults: { assertionResults: { ancestorTitles: string[]; title: string; status: string }[] }[];
}

const readme = join(import.meta.dirname, "../README.md");
const rows = [...scenarios.map(({ name }) => name), "all histories are well-formed", "no process is left behind"];

const { values } = parseArgs({ options: { agent: { type: "string" }, write: { type: "boolean" } } });
const chosen = values.agent?.split(",") ?? subjects.map(({ id }) => id);
const unknown = chosen.filter((id) => !subjects.some((subject) => subject.id === id));
if (unknown.length > 0) {
  console.error(`unknown agent ${unknown.join(", ")}; there are ${subjects.map(({ id }) => id).join(", ")}`);
  process.exit(2);
}

const { report, exitCode } = await play(chosen);
const marks = marksOf(chosen, report);
console.log(`\n${matrix(marks)}`);
if (values.write) intoReadme(marks);
process.exit(exitCode);

async function play(agents: string[]): Promise<{ report: Report; exitCode: number }> {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-conformance-"));
  const outputFile = join(directory, "report.json");
  try {
    const run = Bun.spawn(
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
    const exitCode = await run.exited;
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

/** A column for each agent that has marks, in the order of the subjects. */
function matrix(shown: Marks): string {
  return renderMatrix(
    subjects.filter(({ id }) => shown.has(id)),
    rows,
    shown,
  );
}

function intoReadme(played: Marks): void {
  const text = readFileSync(readme, "utf8");
  const block = /(<!-- conformance -->\n)([\s\S]*)(\n<!-- \/conformance -->)/;
  const [, , before] = block.exec(text) ?? [];
  if (before === undefined) throw new Error("the README has no place for the matrix");
  const table = matrix(new Map([...readMatrix(before), ...played]));
  writeFileSync(
    readme,
    text.replace(block, (_, open, __, close) => `${open}${table}${close}`),
  );
}
