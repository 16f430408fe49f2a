/** Writes a file unless it has that text already. Tells whether it changed. */
import { readFile, writeFile } from "node:fs/promises";

export async function replaceFile(path: string, text: string): Promise<boolean> {
  if ((await readFile(path, "utf8").catch(() => null)) === text) return false;
  await writeFile(path, text);
  return true;
}
