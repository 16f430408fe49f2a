/** Unpacks an archive with `tar` or `unzip`. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "./run-program.ts";
import type { Fetch } from "./source.ts";

const limitMs = 10 * 60_000;
/** The largest agents have a gigabyte and a few thousand files. */
const limits = { bytes: 8 * 1024 ** 3, files: 200_000 };
const checkMs = 500;

export function isArchive(file: string): boolean {
  return /\.(zip|tar|tgz|tbz2|txz|tar\.(gz|bz2|xz))$/i.test(file);
}

export async function unpack({ agent, folder, env }: Fetch, archive: string): Promise<void> {
  const command = commandFor(archive, folder, env.PATH ?? "");
  const tooMuch = new AbortController();
  const watch = setInterval(() => {
    if (exceeds(folder)) tooMuch.abort();
  }, checkMs);
  const run = await runProgram(command, { env, limitMs, signal: tooMuch.signal }).finally(() => clearInterval(watch));
  if (tooMuch.signal.aborted || exceeds(folder))
    throw new Error(`the archive of ${agent} unpacks to more than ${limits.bytes} bytes or ${limits.files} files`);
  if (run.failure === null) return;
  // The text includes stderr, by which the caller recognizes a full disk.
  throw new Error(`the archive of ${agent} cannot be unpacked: ${command[0]} ${run.failure}: ${run.stderr.trim()}`);
}

/** The size of the unpacked files can only be measured in the target folder. */
function exceeds(folder: string): boolean {
  let [bytes, files] = [0, 0];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const name of namesIn(next)) {
      const path = join(next, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isDirectory()) folders.push(path);
      bytes += (stats?.blocks ?? 0) * 512;
      files += 1;
      if (bytes > limits.bytes || files > limits.files) return true;
    }
  }
  return false;
}

/** Empty if it is not readable yet. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** With `o`, files belong to the current user, even for root. The tar of macOS reads zip files; that of Linux does not. */
function commandFor(archive: string, folder: string, searchPath: string): string[] {
  const needsUnzip = /\.zip$/i.test(archive) && process.platform !== "darwin";
  if (!needsUnzip) return ["tar", "-xof", archive, "-C", folder];
  if (!Bun.which("unzip", { PATH: searchPath }))
    throw new Error("the archive is a zip file, and `unzip` is not installed; install unzip");
  return ["unzip", "-q", "-o", archive, "-d", folder];
}
