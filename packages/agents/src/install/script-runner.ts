/**
 * Runs JavaScript programs on the runtime inside our own executable. BUN_BE_BUN=1 turns the executable into that runtime, and
 * would do the same to every other program built with Bun. So a preload script removes it from the environment, and
 * `process.execPath` is a script that sets it again, for programs that start their own runtime.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { InstalledAgent } from "./installer.ts";
import { placeFile, quoted } from "./program-file.ts";

/** Ignore `.env` and `bunfig.toml` of the working directory. */
const isolation = ["--no-env-file", "--config=/dev/null", "--no-install"];

/** `directory`: that of the installer, in which the helper files are written if they are missing. */
export function scriptCommand(script: string, directory: string): Pick<InstalledAgent, "command" | "env"> {
  const flags = [...isolation, ...preloadFlags(resolve(directory))];
  return { command: [process.execPath, ...flags, script], env: { BUN_BE_BUN: "1" } };
}

function preloadFlags(directory: string): string[] {
  const home = join(directory, `.runtime-${Bun.hash(process.execPath).toString(16)}`);
  const preload = join(home, "preload.cjs");
  const runtime = join(home, "runtime");
  const flags = ["--preload", preload];
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    place(preload, preloadText(runtime), 0o644);
    place(runtime, runtimeText([...isolation, ...flags]), 0o755);
    return flags;
  } catch {
    // The directory was prepared and is read-only. Agents run, but programs they start inherit the variable.
    return [];
  }
}

function preloadText(runtime: string): string {
  return `delete process.env.BUN_BE_BUN;
process.execPath = process.argv[0] = ${JSON.stringify(runtime)};
`;
}

function runtimeText(flags: readonly string[]): string {
  return `#!/bin/sh
BUN_BE_BUN=1 exec ${[process.execPath, ...flags].map(quoted).join(" ")} "$@"
`;
}

function place(path: string, text: string, mode: number): void {
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) placeFile(path, text, mode);
}
