/** Files that come inside a prompt: agents read files, so they are kept as such, each content once. */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KeepFile } from "./translate/prompt.ts";

export function keepFile(directory: string): KeepFile {
  return async (data, mime) => {
    const bytes = Buffer.from(data, "base64");
    const extension = mime.match(/^\w+\/([\w.-]+)/)?.[1] ?? "bin";
    const path = join(directory, `${createHash("sha256").update(bytes).digest("hex")}.${extension}`);
    await mkdir(directory, { recursive: true });
    await writeFile(path, bytes);
    return path;
  };
}
