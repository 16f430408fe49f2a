/** Deletes files and directories without following links. */
import { lstat, readdir, rmdir, unlink } from "node:fs/promises";
import { ProblemError } from "@sandbox-agent/schema";
import { codeOf } from "../failure.ts";
import { openDirectory } from "./directory.ts";
import { childOf, type Name } from "./place.ts";

export async function remove(target: Name, recursive: boolean): Promise<void> {
  const { at, path, name } = target;
  if (name === ".")
    throw new ProblemError("invalid_request", `${path} is the root and cannot be deleted`, { details: { path } });
  if (!(await lstat(at)).isDirectory()) return unlink(at);
  if (!recursive) return rmdir(at);
  await removeTree(target);
}

async function removeTree({ at, path }: Name): Promise<void> {
  {
    using directory = openDirectory(at, path);
    for (const name of await readdir(directory.at)) await removeChild(childOf(directory, name));
  }
  await rmdir(at);
}

/** An entry that another process has already deleted is not an error. */
async function removeChild(child: Name): Promise<void> {
  try {
    if ((await lstat(child.at)).isDirectory()) await removeTree(child);
    else await unlink(child.at);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
