/** The results as they are published: the whole table in docs/agents.md, the feature checklist in the README. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderFeatures } from "./features.ts";
import { type Marks, readMatrix, renderMatrix } from "./matrix.ts";
import { scenarios } from "./scenarios.ts";
import { subjects } from "./subjects.ts";

const workspace = join(import.meta.dirname, "../..");

/** The scenarios, and what is checked after all of them. */
export const rows = [
  ...scenarios.map(({ name }) => name),
  "all histories are well-formed",
  "no process is left behind",
];

/** A column for each agent that has marks, in the order of the subjects. */
export function matrix(shown: Marks): string {
  return renderMatrix(
    subjects.filter(({ id }) => shown.has(id)),
    rows,
    shown,
  );
}

/** Both files by path, with the marks that are there already and those that are given. */
export function publishedFiles(played: Marks = new Map()): Map<string, string> {
  const agents = join(workspace, "docs/agents.md");
  const readme = join(workspace, "README.md");
  const page = readFileSync(agents, "utf8");
  const marks = new Map([...readMatrix(blockOf(page, "conformance")), ...played]);
  return new Map([
    [agents, withBlock(page, "conformance", matrix(marks))],
    [readme, withBlock(readFileSync(readme, "utf8"), "features", renderFeatures(marks))],
  ]);
}

export function publish(played?: Marks): void {
  for (const [path, text] of publishedFiles(played)) writeFileSync(path, text);
}

function blockOf(text: string, name: string): string {
  const content = patternOf(name).exec(text)?.[2];
  if (content === undefined) throw new Error(`no place for <!-- ${name} -->`);
  return content;
}

function withBlock(text: string, name: string, content: string): string {
  blockOf(text, name);
  // Blank lines around it, so that Markdown inside of HTML is read as such.
  return text.replace(patternOf(name), (_, open, __, close) => `${open}\n\n${content}\n\n${close}`);
}

function patternOf(name: string): RegExp {
  return new RegExp(`(<!-- ${name} -->)([\\s\\S]*?)(<!-- /${name} -->)`);
}
