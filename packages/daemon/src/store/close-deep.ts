/** Takes the rights of others off what earlier versions have written, in the background: there may be very many files. */
import { chmod, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isOpen } from "./private-directory.ts";

/** Everything at and below these paths becomes private, but for installed programs. Links are not followed. */
export async function closeDeep(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const stats = await lstat(path).catch(() => null);
    if (!stats || !(stats.isFile() || stats.isDirectory())) continue;
    if (isOpen(stats.mode)) await chmod(path, stats.mode & 0o700).catch(() => {});
    if (!stats.isDirectory() || path.endsWith("/bin")) continue;
    const names = await readdir(path).catch(() => []);
    await closeDeep(names.map((name) => join(path, name)));
  }
}
