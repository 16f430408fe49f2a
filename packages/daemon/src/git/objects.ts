/**
 * The object directories of a repository. git follows links and alternates in them, so they are checked first: no link and no
 * entry in `info/alternates` may point outside the root.
 */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { openDirectory } from "../files/directory.ts";
import { join, locate } from "../files/place.ts";
import type { Root } from "../files/root.ts";
import { Slice } from "../slices.ts";
import { readText } from "./read-text.ts";
import { kindOf, UnusableRepository } from "./repository.ts";

const maxAlternatesBytes = 64 * 1024;
/** The limit that git has. */
const maxDepth = 5;
const maxDirectories = 32;

/** The real path of the objects. Throws UnusableRepository, or a problem if a path is outside the root. */
export async function checkedObjects(root: Root, commonDirectory: string): Promise<string> {
  using place = locate(root, join(commonDirectory, "objects"), { follow: true });
  await check(root, place.path, 0, new Set());
  return place.path;
}

async function check(root: Root, objects: string, depth: number, seen: Set<string>): Promise<void> {
  if (seen.has(objects)) return;
  seen.add(objects);
  if (depth > maxDepth || seen.size > maxDirectories)
    throw new UnusableRepository(`${objects} is one of too many directories that hold the objects of one repository`);
  if (root.path !== "/") await checkLinks(root, objects, 2);
  for (const alternate of alternatesOf(root, objects)) {
    if (kindOf(root, alternate) !== "directory") continue;
    using place = locate(root, alternate, { follow: true });
    await check(root, place.path, depth + 1, seen);
  }
}

function alternatesOf(root: Root, objects: string): string[] {
  const file = join(objects, "info/alternates");
  if (kindOf(root, file) === "missing") return [];
  const text = readText(root, file, maxAlternatesBytes);
  if (text === null) throw new UnusableRepository(`${file} has more than ${maxAlternatesBytes} bytes`);
  // Quoted entries are for names with special characters and are not supported.
  if (/^"/m.test(text)) throw new UnusableRepository(`${file} has a quoted entry`);
  const entries = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return entries.map((entry) => resolve(objects, entry));
}

/** Objects are two levels deep. A link is allowed as long as it stays in the root. */
async function checkLinks(root: Root, path: string, levels: number, slice = new Slice()): Promise<void> {
  using place = locate(root, path, { follow: true });
  using directory = openDirectory(place.at, place.path);
  for (const entry of readdirSync(directory.at, { withFileTypes: true })) {
    if (slice.isOver) await slice.next();
    const inside = join(directory.path, entry.name);
    if (entry.isSymbolicLink()) locate(root, inside, { follow: true })[Symbol.dispose]();
    if (levels > 1 && kindOf(root, inside) === "directory") await checkLinks(root, inside, levels - 1, slice);
  }
}
