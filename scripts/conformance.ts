/**
 * `npm run conformance [-- --agent claude,codex] [-- --write]`: plays every scenario with every agent, prints the matrix,
 * and with `--write` puts it into the README.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { scenarios } from "../test/conformance/scenarios.ts";
import { subjects } from "../test/conformance/subjects.ts";

interface Report {
  testResults: { assertionResults: { ancestorTitles: string[]; title: string; status: string }[] }[];
}

const readme = join(import.meta.dirname, "../README.md");
const checks = ["all histories are well-formed", "no process is left behind"];

const { values } = parseArgs({ options: { agent: { type: "string" }, write: { type: "boolean" } } });
const chosen = values.agent?.split(",") ?? subjects.map(({ id }) => id);
const unknown = chosen.filter((id) => !subjects.some((subject) => subject.id === id));
if (unknown.length > 0) {
  console.error(`unknown agent ${unknown.join(", ")}; there are ${subjects.map(({ id }) => id).join(", ")}`);
  process.exit(2);
}

const { report, exitCode } = await play(chosen);
const table = matrix(chosen, report);
console.log(`\n${table}`);
if (values.write) intoReadme(table);
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
        "test/conformance",
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

function matrix(agents: string[], { testResults }: Report): string {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const reasons: string[] = [];

  function cell(agent: string, name: string): string {
    const lacking = subjects.find(({ id }) => id === agent)?.lacks[name];
    if (lacking !== undefined) return `–${footnote(`${agent}: ${lacking}`)}`;
    const result = results.find(({ ancestorTitles, title }) => ancestorTitles.includes(`'${agent}'`) && title === name);
    return result?.status === "passed" ? "✓" : "✗";
  }

  function footnote(text: string): string {
    if (!reasons.includes(text)) reasons.push(text);
    return ` <sup>${reasons.indexOf(text) + 1}</sup>`;
  }

  const rows = [...scenarios.map(({ name }) => name), ...checks].map(
    (name) => `| ${name} | ${agents.map((agent) => cell(agent, name)).join(" | ")} |`,
  );
  const head = [`| scenario | ${agents.join(" | ")} |`, `|---|${agents.map(() => ":-:|").join("")}`];
  const notes = reasons.map((text, index) => `<sup>${index + 1}</sup> ${text}`).join(" · ");
  return [...head, ...rows, ...(notes ? ["", notes] : [])].join("\n");
}

function intoReadme(table: string): void {
  const text = readFileSync(readme, "utf8");
  const block = /(<!-- conformance -->)[\s\S]*(<!-- \/conformance -->)/;
  if (!block.test(text)) throw new Error("the README has no place for the matrix");
  writeFileSync(
    readme,
    text.replace(block, (_, open, close) => `${open}\n${table}\n${close}`),
  );
}
