/** Runs an agent's program to check that it works and to read its version. */
import { statSync } from "node:fs";
import { runProgram } from "./run-program.ts";
import type { Environment } from "./variables.ts";

export interface Probe {
  version: string | null;
  /** Why the program does not work; null if it works. */
  failure: string | null;
  stderr: string;
}

const questions = ["--version", "version", "-V"];
const limitMs = 30_000;

/** The only variables passed to the program: what it needs to start, and no keys. */
const handedOver = ["PATH", "HOME", "TMPDIR", "LANG", "LD_LIBRARY_PATH", "BUN_BE_BUN"];

export async function probe(command: readonly string[], env: Environment): Promise<Probe> {
  const quiet = { ...Object.fromEntries(handedOver.map((name) => [name, env[name]])), DISABLE_AUTOUPDATER: "1" };
  let last: Probe = { version: null, failure: null, stderr: "" };
  for (const question of questions) {
    const run = await runProgram([...command, question], { env: quiet, limitMs });
    const version = /\d+\.\d+\.\d+[\w.+-]*/.exec(run.stdout)?.[0] ?? null;
    if (run.failure === null && version !== null) return { version, failure: null, stderr: run.stderr };
    // A program that runs but reports no version works; the result of the first flag counts.
    if (question === questions[0] || run.failure === null)
      last = { version: null, failure: run.failure, stderr: run.stderr || run.stdout };
    if (run.timedOut || run.code === null) break;
  }
  return last;
}

/** Reads versions of programs, once for each version of the file. */
export function createVersionReader(): (
  path: string,
  command: readonly string[],
  env: Environment,
) => Promise<string | null> {
  const known = new Map<string, Promise<Probe>>();
  return async (path, command, env) => {
    const { mtimeMs, size } = statSync(path);
    const key = `${path} ${mtimeMs} ${size}`;
    const probing = known.get(key) ?? probe(command, env);
    known.set(key, probing);
    return (await probing).version;
  };
}
