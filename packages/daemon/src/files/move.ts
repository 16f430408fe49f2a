/** Moves files and directories. The target is deleted only after the source has replaced it. */
import { lstatSync, renameSync, type Stats } from "node:fs";
import { link, rename, unlink } from "node:fs/promises";
import { ProblemError } from "@sandbox-agent/schema";
import { codeOf } from "../failure.ts";
import type { Place } from "./place.ts";
import { remove } from "./remove.ts";
import { unfinishedBeside } from "./write.ts";

export async function move(from: Place, to: Place, overwrite: boolean): Promise<void> {
  const source = lstatSync(from.at);
  const target = lstatSync(to.at, { throwIfNoEntry: false });
  if (from.name === "." || to.name === ".") throw refused(`the root ${from.name === "." ? from.path : to.path} stays`);
  if (from.path === to.path) return;
  if (`${to.path}/`.startsWith(`${from.path}/`)) throw refused(`${to.path} lies inside of ${from.path}`);
  if (`${from.path}/`.startsWith(`${to.path}/`)) throw refused(`${from.path} lies inside of ${to.path}`);
  if (!target) return moveToNothing(from, to, source);
  if (!overwrite) throw exists(to);
  // Renaming a file over a file is atomic.
  if (!source.isDirectory() && !target.isDirectory()) return rename(from.at, to.at);
  await exchange(from, to);
}

/** Does not overwrite a target that appears during the move. */
async function moveToNothing(from: Place, to: Place, source: Stats): Promise<void> {
  // Renaming a directory replaces only an empty directory.
  if (source.isDirectory()) return rename(from.at, to.at);
  try {
    await link(from.at, to.at);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw exists(to);
    // Not every file system has hard links.
    if (codeOf(error) === "EPERM" || codeOf(error) === "ENOTSUP") return rename(from.at, to.at);
    throw error;
  }
  await unlink(from.at);
}

/** Renames the old target away, and back if the move fails. */
async function exchange(from: Place, to: Place): Promise<void> {
  const aside = unfinishedBeside(to);
  renameSync(to.at, aside);
  try {
    renameSync(from.at, to.at);
  } catch (error) {
    renameSync(aside, to.at);
    throw error;
  }
  await remove({ at: aside, path: to.path, name: to.name }, true);
}

function exists({ path }: Place): ProblemError {
  return refused(`${path} exists already; replace it with overwrite`, { path, code: "EEXIST" });
}

function refused(message: string, details?: Record<string, unknown>): ProblemError {
  return new ProblemError("invalid_request", message, details && { details });
}
