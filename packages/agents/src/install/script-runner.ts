/**
 * How programs written in JavaScript run on the runtime inside our own executable. BUN_BE_BUN=1 turns the executable into
 * that runtime, and would do the same to every other program that was built with Bun. So the first thing that runs takes it
 * out of the environment again. What starts its own runtime once more, by `process.execPath` or `fork`, gets a program
 * that sets it again.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { InstalledAgent } from "./installer.ts";
import { placeFile, quoted } from "./program-file.ts";

/** Neither `.env` nor `bunfig.toml` of the directory an agent works in may change it. */
const isolation = ["--no-env-file", "--config=/dev/null", "--no-install"];

/** `directory` is the one of the installer; what is needed besides the script is written there, unless it is there. */
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
    // Prepared by somebody else, and not to be written: agents run, only what they start themselves sees the variable.
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
