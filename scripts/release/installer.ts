/** The install.sh of a release: the one of the repository, knowing where its files are. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const source = join(import.meta.dirname, "../../install.sh");
const place = /^release_url=$/m;

export function installerFor(downloadUrl: string): string {
  const text = readFileSync(source, "utf8");
  if (!place.test(text)) throw new Error("install.sh has no place for the address of the release");
  if (!/^https?:\/\/[\w.:/@~%+-]+$/.test(downloadUrl)) throw new Error(`${downloadUrl} is no address to download from`);
  return text.replace(place, `release_url=${downloadUrl.replace(/\/$/, "")}`);
}
