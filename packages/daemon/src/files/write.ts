/** Writes files atomically: into a new file next to the old one, which is then renamed over it. */
import { lstatSync, renameSync, type Stats } from "node:fs";
import { constants, type FileHandle, link, open, rm } from "node:fs/promises";
import { ProblemError, type WriteFileResponse } from "@sandbox-agent/schema";
import { codeOf } from "../failure.ts";
import { etagAt, etagMatches } from "./etag.ts";
import type { Name } from "./place.ts";

/** The values of the headers with these names. */
interface WriteConditions {
  ifMatch: string | null;
  ifNoneMatch: string | null;
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The name of unfinished files; a daemon that is killed may leave one behind. */
const unfinishedPrefix = ".sandbox-agent-unfinished-";

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export async function writeFile(
  target: Name,
  chunks: Chunks,
  conditions: WriteConditions,
): Promise<WriteFileResponse & { etag: string | null }> {
  // Checked first, so that most conflicts are rejected before the client has sent the whole body.
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

/** Writes a new file and removes it if that fails. */
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

/** Check and rename are synchronous, so no other request of this process can run between them. */
function replace(at: string, target: Name, conditions: WriteConditions): void {
  checkConditions(target, conditions);
  renameSync(at, target.at);
}

function checkConditions({ at, path }: Name, { ifMatch, ifNoneMatch }: WriteConditions): void {
  if (ifMatch === null && ifNoneMatch === null) return;
  const etag = etagAt(at);
  const details = { path, etag };
  if (ifMatch !== null && !etagMatches(ifMatch, etag))
    throw new ProblemError(
      "precondition_failed",
      `${path} has changed: If-Match names another version; read the file again`,
      {
        details,
      },
    );
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

/** Keeps the mode and owner of the replaced file. */
async function adopt(handle: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  const mine = await handle.stat();
  if (mine.uid !== uid || mine.gid !== gid) await handle.chown(uid, gid).catch(() => {});
  await handle.chmod(mode & 0o777);
}
