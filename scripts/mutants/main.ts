/**
 * `npm run mutants -- <folder or file…>`: makes small changes to the sources, one at a time, in a copy of the tree, and lists the
 * changes that no test detects. See CONTRIBUTING.md.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { expiredLines, isExcepted } from "./exceptions.ts";
import { type Mutant, mutantsOf } from "./mutations.ts";
import { nearestTests } from "./nearest.ts";
import { firstRun, passes, reaches, type TestFile } from "./test-runs.ts";
import { copyTree } from "./tree.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    tests: { type: "string", multiple: true },
    timeout: { type: "string", default: "120" },
    threshold: { type: "string", default: "15" },
  },
});
if (positionals.length === 0) {
  console.error(
    "usage: npm run mutants -- <folder or file…> [--sample N] [--seed S] [--tests <glob>]… [--timeout seconds] [--threshold percent]",
  );
  process.exit(2);
}
setPriority(5);

const tree = copyTree();
process.on("exit", () => rmSync(tree, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));
const limit = Number(values.timeout) * 1000;

const sources = positionals.flatMap(sourcesIn);
const everything = sources.flatMap((file) => mutantsOf(file, sourceOf(file)));
for (const file of sources)
  for (const line of expiredLines(file, sourceOf(file))) console.error(`expired exception of ${file}: ${line}`);
const considered = everything.filter((mutant) => !isExcepted(mutant, lineOf(mutant)));
const mutants = values.sample ? sample(considered, Number(values.sample), Number(values.seed)) : considered;
const tests = await firstRuns(values.tests?.flatMap(filesOf) ?? nearestTests(sources, tree));
console.error(`${mutants.length} of ${everything.length} mutants, ${everything.length - considered.length} excepted`);

const survivors: { mutant: Mutant; why: string }[] = [];
for (const [index, mutant] of mutants.entries()) {
  const near = tests.filter((test) => reaches(test, mutant.file, mutant.line, mutant.lastLine));
  const why = near.length === 0 ? "not reached by any test" : await survives(mutant, near);
  if (why) survivors.push({ mutant, why });
  if (why)
    console.log(`${mutant.file}:${mutant.line}  ${show(mutant.original)}  →  ${show(mutant.replacement)}  (${why})`);
  if ((index + 1) % 50 === 0) console.error(`${index + 1} of ${mutants.length}: ${survivors.length} survived`);
}
report();

async function survives(mutant: Mutant, near: TestFile[]): Promise<string | null> {
  const path = join(tree, mutant.file);
  const source = readFileSync(path, "utf8");
  writeFileSync(path, source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end));
  try {
    for (const test of near) if (!(await passes(test, tree, limit))) return null;
    return `${near.length} test files pass`;
  } finally {
    writeFileSync(path, source);
  }
}

/** Fastest first. Tests that fail without a mutant are skipped. */
async function firstRuns(paths: string[]): Promise<TestFile[]> {
  const runs: TestFile[] = [];
  for (const path of paths) {
    const test = await firstRun(path, tree, limit);
    if (test) runs.push(test);
    else console.error(`skipped, because it fails without a mutant: ${path}`);
  }
  const slow = runs.filter(({ runner }) => runner === "vitest").map(({ path }) => path);
  console.error(`${runs.length} test files; with vitest: ${slow.join(", ") || "none"}`);
  return runs.sort((a, b) => a.milliseconds - b.milliseconds);
}

function report(): void {
  console.log("");
  for (const file of sources) {
    const [all, left] = [mutants, survivors.map(({ mutant }) => mutant)].map(
      (list) => list.filter((mutant) => mutant.file === file).length,
    );
    if (all) console.log(`${file}: ${left} of ${all} survived`);
  }
  const percent = mutants.length === 0 ? 0 : (100 * survivors.length) / mutants.length;
  console.log(
    `${survivors.length} of ${mutants.length} survived: ${percent.toFixed(1)} % (at most ${values.threshold} % allowed)`,
  );
  process.exitCode = percent > Number(values.threshold) ? 1 : 0;
}

function sourcesIn(path: string): string[] {
  const inside = relative(process.cwd(), path) || ".";
  if (statSync(join(tree, inside)).isFile()) return [inside];
  return filesOf(`${inside}/**/*.ts`).filter((file) => !/\.test\.ts$|\/generated\//.test(file));
}

function filesOf(glob: string): string[] {
  return [...new Bun.Glob(glob).scanSync({ cwd: tree })].sort();
}

function sourceOf(file: string): string {
  return readFileSync(join(tree, file), "utf8");
}

function lineOf({ file, line }: Mutant): string {
  return sourceOf(file).split("\n")[line - 1]?.trim() ?? "";
}

/** The same seed gives the same sample (mulberry32, Fisher-Yates). */
function sample(all: Mutant[], count: number, seed: number): Mutant[] {
  const chosen = [...all];
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let last = chosen.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [chosen[last], chosen[other]] = [chosen[other] as Mutant, chosen[last] as Mutant];
  }
  return chosen.slice(0, count);
}

function show(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 70 ? `${line.slice(0, 67)}…` : line;
}
