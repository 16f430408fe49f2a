/**
 * The npm registry, accessed with the package manager of our own runtime. Registry, mirrors, proxies, tokens and cache are
 * those of the user's npm configuration, and every package is checked against the registry's SHA-512.
 */
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { diskFull, installProblem, isDiskFull, ownCopy } from "./install-problem.ts";
import type { NpmRecipe, Recipe } from "./manifest.ts";
import { packageProgram } from "./package-program.ts";
import type { Platform } from "./platform.ts";
import { type ProgramRun, runProgram } from "./run-program.ts";
import type { Fetch, Source, Wanted } from "./source.ts";
import type { Environment } from "./variables.ts";

/** Long enough for hundreds of megabytes over a slow connection. */
const limitMs = 30 * 60_000;

export const npmSource: Source = {
  offers: ({ npm }) => npm !== undefined,

  async latest(wanted) {
    const { recipe, platform, env } = wanted;
    const name = npmOf(recipe).package(platform);
    const run = await packageManager(["info", `${name}@latest`, "version"], env);
    if (run.failure === null && run.stdout.trim() !== "") return run.stdout.trim();
    throw npmProblem(wanted, `${name}@latest`, run);
  },

  async fetch(fetch) {
    const { recipe, platform, version, folder, report } = fetch;
    const spec = packageSpec(npmOf(recipe), version, platform);
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    report("downloading", `${spec} from the npm registry`);
    const run = await add(fetch, spec);
    if (run.failure !== null) throw npmProblem(fetch, spec, run);
  },

  executable({ npm }, platform, folder) {
    if (!npm) return null;
    const home = join("node_modules", npm.package(platform));
    const program = npm.executable?.(platform) ?? packageProgram(join(folder, home), npm.bin);
    return program === null ? null : join(home, program);
  },
};

function npmOf({ npm }: Recipe): NpmRecipe {
  if (npm) return npm;
  throw new Error("the recipe has no npm package");
}

function packageSpec({ package: name, version: versionOf }: NpmRecipe, version: string, platform: Platform): string {
  return `${name(platform)}@${versionOf?.(version, platform) ?? version}`;
}

/** Uses the cache without a network request, so that it works offline; versions are exact anyway. */
async function add({ folder, env, fresh }: Fetch, spec: string): Promise<ProgramRun> {
  const command = ["add", "--exact", "--ignore-scripts", spec];
  if (fresh) {
    const cache = join(folder, ".cache");
    const run = await packageManager(command, { ...env, BUN_INSTALL_CACHE_DIR: cache }, folder);
    rmSync(cache, { recursive: true, force: true });
    return run;
  }
  const run = await packageManager([...command, "--prefer-offline"], env, folder);
  // The cached list of versions may not have the version yet.
  return unknownVersion.test(run.stderr) ? packageManager(command, env, folder) : run;
}

function packageManager(args: string[], env: Environment, cwd = dirname(process.execPath)): Promise<ProgramRun> {
  return runProgram([process.execPath, ...args], { cwd, env: { ...env, BUN_BE_BUN: "1", NO_COLOR: "1" }, limitMs });
}

const unknownVersion = /No version matching|No matching version|failed to resolve/i;

function npmProblem({ agent, recipe }: Wanted, spec: string, { stderr, failure }: ProgramRun) {
  const errors = stderr.split("\n").filter((line) => /error|denied|not found|refused|404|E[A-Z]{4,}:/i.test(line));
  const cause = (errors[0] ?? failure ?? "").replace(/^error: /, "").trim();
  const problem = (message: string) => installProblem(agent, message, stderr || message);
  if (isDiskFull(stderr)) return problem(diskFull("the data directory or the package cache"));
  if (/No version matching|No matching version/i.test(stderr))
    return problem(
      `${spec} does not exist; choose another version${recipe.version === null ? "" : `, or omit it for ${recipe.version}`}`,
    );
  if (/\b404\b|does not exist/.test(stderr))
    return problem(`the npm registry does not have ${spec} (${cause}); check the version and your npm configuration`);
  if (/\b40[13]\b/.test(stderr))
    return problem(`the npm registry denied access to ${spec} (${cause}); check the token in your npm configuration`);
  return problem(
    `${spec} cannot be fetched from the npm registry (${cause}); check the network and your npm configuration, ${ownCopy(agent)}`,
  );
}
