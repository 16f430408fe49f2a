/** Unpacks an archive with the program of this machine that knows its kind. */

import { runProgram } from "./run-program.ts";
import type { Fetch } from "./source.ts";

const limitMs = 10 * 60_000;

export function isArchive(file: string): boolean {
  return /\.(zip|tar|tgz|tbz2|txz|tar\.(gz|bz2|xz))$/i.test(file);
}

export async function unpack({ agent, folder, env }: Fetch, archive: string): Promise<void> {
  const command = commandFor(archive, folder, env.PATH ?? "");
  const run = await runProgram(command, { env, limitMs });
  if (run.failure === null) return;
  // The disk may be full; who catches this can tell by the text.
  throw new Error(`the archive of ${agent} could not be unpacked: ${command[0]} ${run.failure}: ${run.stderr.trim()}`);
}

/** The tar of macOS reads zip files too; that of Linux does not. */
function commandFor(archive: string, folder: string, searchPath: string): string[] {
  const needsUnzip = /\.zip$/i.test(archive) && process.platform !== "darwin";
  if (!needsUnzip) return ["tar", "-xf", archive, "-C", folder];
  if (!Bun.which("unzip", { PATH: searchPath }))
    throw new Error("it comes as a zip file, and `unzip` is not there to unpack it; install unzip");
  return ["unzip", "-q", "-o", archive, "-d", folder];
}
