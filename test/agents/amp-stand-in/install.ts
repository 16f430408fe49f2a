/** Puts the stand-in where an `amp` program is looked for, as an executable file of its own. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Build } from "./recorded.ts";

export interface StandInOptions {
  build?: Build;
  /** A flag that it is to lack. */
  lacks?: string;
}

/** Returns the path of the program. Threads are kept beside it. */
export function installStandIn(directory: string, { build = "v1790142911", lacks = "" }: StandInOptions = {}): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "amp");
  const threads = join(directory, "threads");
  const variables = `AMP_STAND_IN_BUILD=${build} AMP_STAND_IN_THREADS='${threads}' AMP_STAND_IN_LACKS='${lacks}'`;
  const program = `exec '${process.execPath}' '${join(import.meta.dirname, "main.ts")}' "$@"`;
  writeFileSync(path, `#!/bin/sh\n${variables} ${program}\n`, { mode: 0o755 });
  return path;
}
