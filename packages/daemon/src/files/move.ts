/** Moving. What is at the target goes only when the source has taken its place. */
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
  // A file takes the name of a file in one step, and there is always one of them.
  if (!source.isDirectory() && !target.isDirectory()) return rename(from.at, to.at);
  await exchange(from, to);
}

/** Something may appear at the target at any moment, and must not be lost. */
async function moveToNothing(from: Place, to: Place, source: Stats): Promise<void> {
  // A directory replaces nothing but an empty directory.
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

/** The old target steps aside, and comes back if the source cannot take its place. */
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
