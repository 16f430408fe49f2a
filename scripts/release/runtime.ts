/**
 * The Bun runtime of a platform, from the npm registry in the version that package.json pins. Bun's own package manager
 * fetches it: by the user's npm configuration, checked against the registry's SHA-512, and kept for the next time.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import workspace from "../../package.json" with { type: "json" };
import type { Target } from "./platforms.ts";

const cache = join(import.meta.dirname, "../../node_modules/.cache/sandbox-agent");

export async function runtimeFor({ runtime, os, cpu }: Target): Promise<string> {
  const version = workspace.dependencies.bun;
  const home = join(cache, `${runtime}-${version}`);
  const executable = join(home, "node_modules/@oven", runtime, "bin", os === "win32" ? "bun.exe" : "bun");
  if (existsSync(executable)) return executable;
  mkdirSync(cache, { recursive: true });
  const stage = mkdtempSync(join(cache, "fetching-"));
  try {
    writeFileSync(join(stage, "package.json"), '{ "private": true }\n');
    const command = ["add", "--exact", "--ignore-scripts", `--os=${os}`, `--cpu=${cpu}`, `@oven/${runtime}@${version}`];
    const run = Bun.spawn([process.execPath, ...command], { cwd: stage, stdout: "ignore", stderr: "pipe" });
    const words = await new Response(run.stderr).text();
    if ((await run.exited) !== 0) throw new Error(`@oven/${runtime}@${version} could not be fetched:\n${words.trim()}`);
    rmSync(home, { recursive: true, force: true });
    renameSync(stage, home);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  return executable;
}
