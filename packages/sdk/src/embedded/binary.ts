/** Finds the `sandbox-agent` executable. */
import { accessSync, constants, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";

export function findBinary(explicit: string | undefined, env: NodeJS.ProcessEnv): string {
  const named = explicit ?? env.SANDBOX_AGENT_BIN;
  if (named) {
    if (isExecutable(named)) return resolve(named);
    const source = explicit === undefined ? "SANDBOX_AGENT_BIN" : "binaryPath";
    throw new Error(`${source} is ${named}, which cannot be executed`);
  }
  const found = inPackage() ?? onPath(env.PATH ?? "");
  if (found) return found;
  throw new Error(
    "no sandbox-agent executable was found: install @sandbox-agent/cli, put sandbox-agent on PATH, or name it with SANDBOX_AGENT_BIN or spawn.binaryPath",
  );
}

function inPackage(): string | null {
  const here = createRequire(import.meta.url);
  const project = createRequire(join(process.cwd(), "package.json"));
  for (const require of [here, project]) {
    const manifest = resolved(require, "@sandbox-agent/cli/package.json");
    const binary = manifest && binaryIn(manifest);
    if (binary && isExecutable(binary)) return binary;
  }
  return null;
}

function resolved(require: NodeJS.Require, name: string): string | null {
  try {
    return require.resolve(name);
  } catch {
    return null;
  }
}

function binaryIn(manifest: string): string | null {
  const { bin } = JSON.parse(readFileSync(manifest, "utf8"));
  const path: unknown = bin?.["sandbox-agent"];
  return typeof path === "string" ? join(dirname(manifest), path) : null;
}

function onPath(path: string): string | null {
  const candidates = path.split(delimiter).map((directory) => join(directory, "sandbox-agent"));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
