/**
 * The Bun runtime of a platform, in the version that package.json pins: the current one, or one from the npm registry. Bun's package
 * manager downloads it with the user's npm configuration and verifies the registry's SHA-512. It is cached.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import workspace from "../../package.json" with { type: "json" };
import { hostTarget, type Target } from "./platforms.ts";

const cache = join(import.meta.dirname, "../../node_modules/.cache/sandbox-agent");
const version = workspace.dependencies.bun;

/** The path of its executable. */
export async function runtimeFor(target: Target): Promise<string> {
  const { name, runtime, os } = target;
  if (name === hostTarget()?.name && Bun.version === version) return process.execPath;
  const home = join(cache, `${runtime}-${version}`);
  const executable = join(home, "node_modules/@oven", runtime, "bin", os === "win32" ? "bun.exe" : "bun");
  if (!existsSync(executable)) await downloadRuntime(target, home);
  return executable;
}

async function downloadRuntime({ runtime, os, cpu }: Target, home: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const stage = mkdtempSync(join(cache, "downloading-"));
  try {
    writeFileSync(join(stage, "package.json"), '{ "private": true }\n');
    const command = ["add", "--exact", "--ignore-scripts", `--os=${os}`, `--cpu=${cpu}`, `@oven/${runtime}@${version}`];
    const run = Bun.spawn([process.execPath, ...command], { cwd: stage, stdout: "ignore", stderr: "pipe" });
    const stderr = await new Response(run.stderr).text();
    if ((await run.exited) !== 0) throw new Error(`cannot download @oven/${runtime}@${version}:\n${stderr.trim()}`);
    rmSync(home, { recursive: true, force: true });
    renameSync(stage, home);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
