/** Writes SHA256SUMS of a directory, in the format of `sha256sum --check`. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const fileName = "SHA256SUMS";

export async function writeChecksums(directory: string): Promise<void> {
  const names = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== fileName)
    .map(({ name }) => name)
    .toSorted();
  const lines = await Promise.all(names.map(async (name) => `${await sha256(join(directory, name))}  ${name}\n`));
  writeFileSync(join(directory, fileName), lines.join(""));
}

async function sha256(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
  return hasher.digest("hex");
}
