/** The extension as a file that Pi can load. Its source is part of our program, which may be a single executable. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { placeFile } from "../install/program-file.ts";
import { piExtension } from "./extension.ts";

const source = `import { generateUnifiedPatch } from "@earendil-works/pi-coding-agent";
const extension = ${piExtension.toString()};
export default (pi) => extension(pi, generateUnifiedPatch);
`;

/** Writes the file unless it exists, and returns its path. The name contains a hash of the source. */
export function extensionFile(dataDir: string): string {
  const directory = join(dataDir, "pi");
  const version = new Bun.CryptoHasher("sha256").update(source).digest("hex").slice(0, 16);
  const path = join(directory, `extension-${version}.js`);
  if (existsSync(path)) return path;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  placeFile(path, source, 0o644);
  return path;
}
