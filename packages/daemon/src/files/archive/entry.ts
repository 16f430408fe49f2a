/** Writes one entry of an archive. Its path is always resolved inside the destination. */
import { lstatSync, renameSync } from "node:fs";
import { link, rm, symlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import type { TarHeader } from "modern-tar";
import { ensureDirectory, locate, namesIn, type Place } from "../place.ts";
import type { Root } from "../root.ts";
import { newFileBeside, unfinishedBeside, writeAll } from "../write.ts";

export interface ArchiveEntry {
  header: TarHeader;
  chunks: AsyncIterable<Uint8Array>;
}

/** Returns the written path, or null if the entry is the destination itself. */
export async function writeEntry(root: Root, inside: Root, { header, chunks }: ArchiveEntry): Promise<string | null> {
  const path = pathOf(inside, header.name);
  if (path === inside.path) return null;
  if (header.type === "directory") return writeDirectory(inside, path, header);
  using place = locate(inside, path, { follow: false, create: true });
  switch (header.type) {
    case "file":
      await writeFile(place, header, chunks);
      break;
    case "symlink":
      await writeSymlink(root, place, header.linkname ?? "");
      break;
    case "link":
      await writeHardLink(inside, place, header.linkname ?? "");
      break;
    default:
      throw refused(header.name, `is a ${header.type}; only files, directories and links can be unpacked`);
  }
  return place.path;
}

function pathOf(inside: Root, name: string): string {
  if (name.startsWith("/")) throw refused(name, "has an absolute path");
  if (name.includes("\0")) throw refused(name, "has a NUL character in its name");
  const names = namesIn(name);
  if (names.includes("..")) throw refused(name, "has `..` in its path");
  return [inside.path === "/" ? "" : inside.path, ...names].join("/") || "/";
}

/** The owner keeps write permission, because further entries are written into the directory. */
function writeDirectory(inside: Root, path: string, { mode = 0o755 }: TarHeader): string {
  using place = locate(inside, path, { follow: true, create: true });
  ensureDirectory(place, (mode & 0o777) | 0o700)[Symbol.dispose]();
  return place.path;
}

async function writeFile(place: Place, header: TarHeader, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const { at } = await newFileBeside(place, async (handle) => {
    const bytesWritten = await writeAll(handle, chunks);
    // The setuid and setgid bits of an archive are dropped.
    await handle.chmod((header.mode ?? 0o644) & 0o777);
    if (header.mtime) await handle.utimes(header.mtime, header.mtime);
    return bytesWritten;
  });
  await takePlace(at, place);
}

/** A link may have any target inside the fs root; resolving never follows it out anyway. */
async function writeSymlink(root: Root, place: Place, target: string): Promise<void> {
  if (target === "") throw refused(place.path, "is a symbolic link to nothing");
  root.namesOf(resolve(dirname(place.path), target));
  const temporary = unfinishedBeside(place);
  await symlink(target, temporary);
  await takePlace(temporary, place);
}

async function writeHardLink(inside: Root, place: Place, target: string): Promise<void> {
  using source = locate(inside, pathOf(inside, target), { follow: false });
  if (!lstatSync(source.at).isFile()) throw refused(place.path, `is a hard link to ${target}, which is not a file`);
  const temporary = unfinishedBeside(place);
  await link(source.at, temporary);
  await takePlace(temporary, place);
}

async function takePlace(temporary: string, place: Place): Promise<void> {
  try {
    if (lstatSync(place.at, { throwIfNoEntry: false })?.isDirectory())
      throw new ProblemError(
        "conflict",
        `${place.path} is a directory, and the entry is not; delete the directory first`,
      );
    renameSync(temporary, place.at);
  } finally {
    // Needed after the rename too, which does nothing if both names are hard links to one file.
    await rm(temporary, { force: true });
  }
}

function refused(name: string, why: string): ProblemError {
  return new ProblemError("invalid_request", `entry ${JSON.stringify(name)} ${why}`, { details: { entry: name } });
}
