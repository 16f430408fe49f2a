/** Finds the `sandbox-agent` executable. */
import { accessSync, constants } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { executableName, findManifest, platformExecutable, readManifest } from "./platform-package.ts";

export function findBinary(explicit: string | undefined, env: NodeJS.ProcessEnv): string {
  const named = explicit ?? env.SANDBOX_AGENT_BIN;
  if (named) {
    if (isExecutable(named)) return resolve(named);
    const source = explicit === undefined ? "SANDBOX_AGENT_BIN" : "binaryPath";
    throw new Error(`${source} is ${named}, which is not executable`);
  }
  const found = inPackage() ?? onPath(env.PATH ?? "");
  if (found) return found;
  throw new Error(
    "cannot find the sandbox-agent executable: install @sandbox-agent/cli, add sandbox-agent to PATH, or set SANDBOX_AGENT_BIN or spawn.binaryPath",
  );
}

/** The executable of the platform package; without that package, the launcher, which reports what is missing. */
function inPackage(): string | null {
  for (const from of [import.meta.url, join(process.cwd(), "package.json")]) {
    const manifest = findManifest("@sandbox-agent/cli", from);
    const binary = manifest && (platformExecutable(manifest) ?? launcherIn(manifest));
    if (binary && isExecutable(binary)) return binary;
  }
  return null;
}

function launcherIn(manifest: string): string | null {
  const path = readManifest(manifest).bin?.["sandbox-agent"];
  return path === undefined ? null : join(dirname(manifest), path);
}

function onPath(path: string): string | null {
  const candidates = path.split(delimiter).map((directory) => join(directory, executableName));
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
