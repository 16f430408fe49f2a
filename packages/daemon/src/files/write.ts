/** Writing files whole or not at all: into a new file beside the old one, which then takes its name. */
import { lstatSync, renameSync, type Stats } from "node:fs";
import { constants, type FileHandle, link, open, rm } from "node:fs/promises";
import { ProblemError, type WriteFileResponse } from "@sandbox-agent/schema";
import { codeOf } from "../failure.ts";
import { etagAt, etagMatches } from "./etag.ts";
import type { Name } from "./place.ts";

/** As in the headers of these names. */
interface WriteConditions {
  ifMatch: string | null;
  ifNoneMatch: string | null;
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Files of this name are unfinished; a daemon that was killed may leave one behind. */
const unfinishedPrefix = ".sandbox-agent-unfinished-";

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export async function writeFile(
  target: Name,
  chunks: Chunks,
  conditions: WriteConditions,
): Promise<WriteFileResponse & { etag: string | null }> {
  // Refused before the client has sent everything, if it can be known by then.
  checkConditions(target, conditions);
  const existing = existingFile(target);
  const file = await newFileBeside(target, async (handle) => {
    const bytesWritten = await writeAll(handle, chunks);
    if (existing) await adopt(handle, existing);
    return bytesWritten;
  });
  try {
    if (conditions.ifNoneMatch === "*") await link(file.at, target.at).catch(alreadyThere(target));
    else replace(file.at, target, conditions);
  } finally {
    await rm(file.at, { force: true });
  }
  return { path: target.path, bytesWritten: file.bytesWritten, etag: etagAt(target.at) };
}

/** Fills a new file; nothing of it stays if that fails. */
export async function newFileBeside(
  { at, name }: Name,
  fill: (handle: FileHandle) => Promise<number>,
): Promise<{ at: string; bytesWritten: number }> {
  const temporary = unfinishedBeside({ at, name });
  const handle = await open(temporary, newFile, 0o666);
  try {
    return { at: temporary, bytesWritten: await fill(handle) };
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

export function unfinishedBeside({ at, name }: Pick<Name, "at" | "name">): string {
  return at.slice(0, -name.length) + unfinishedPrefix + crypto.randomUUID();
}

export async function writeAll(handle: FileHandle, chunks: Chunks): Promise<number> {
  let bytesWritten = 0;
  for await (const chunk of chunks) {
    await handle.writeFile(chunk);
    bytesWritten += chunk.byteLength;
  }
  return bytesWritten;
}

/** No other request of this process can come between the check and the rename, since neither waits. */
function replace(at: string, target: Name, conditions: WriteConditions): void {
  checkConditions(target, conditions);
  renameSync(at, target.at);
}

function checkConditions({ at, path }: Name, { ifMatch, ifNoneMatch }: WriteConditions): void {
  if (ifMatch === null && ifNoneMatch === null) return;
  const etag = etagAt(at);
  const details = { path, etag };
  if (ifMatch !== null && !etagMatches(ifMatch, etag))
    throw new ProblemError("precondition_failed", `${path} is not the version that If-Match names; read it again`, {
      details,
    });
  if (ifNoneMatch !== null && etagMatches(ifNoneMatch, etag))
    throw new ProblemError("precondition_failed", `${path} exists already`, { details });
}

function alreadyThere({ path }: Name): (error: unknown) => never {
  return (error) => {
    if (codeOf(error) !== "EEXIST") throw error;
    throw new ProblemError("precondition_failed", `${path} exists already`, { details: { path } });
  };
}

function existingFile({ at, path, name }: Name): Stats | null {
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (name === "." || stats?.isDirectory())
    throw new ProblemError("invalid_request", `${path} is a directory`, { details: { path } });
  return stats?.isFile() ? stats : null;
}

/** Mode and owner are those of the file that is replaced. */
async function adopt(handle: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  const mine = await handle.stat();
  if (mine.uid !== uid || mine.gid !== gid) await handle.chown(uid, gid).catch(() => {});
  await handle.chmod(mode & 0o777);
}
