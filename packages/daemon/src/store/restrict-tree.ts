/** Removes the permissions of other users from files of earlier versions. Runs in the background, because there may be very many. */
import { chmod, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isOpenToOthers } from "./private-directory.ts";

/** Makes everything at and below these paths private, except installed programs. Links are not followed. */
export async function restrictTree(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const stats = await lstat(path).catch(() => null);
    if (!stats || !(stats.isFile() || stats.isDirectory())) continue;
    if (isOpenToOthers(stats.mode)) await chmod(path, stats.mode & 0o700).catch(() => {});
    if (!stats.isDirectory() || path.endsWith("/bin")) continue;
    const names = await readdir(path).catch(() => []);
    await restrictTree(names.map((name) => join(path, name)));
  }
}
