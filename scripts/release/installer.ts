/** The install.sh of a release, with its download URL. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const source = join(import.meta.dirname, "../../install.sh");
const placeholder = /^release_url=$/m;

export function installerFor(downloadUrl: string): string {
  const text = readFileSync(source, "utf8");
  if (!placeholder.test(text)) throw new Error("install.sh has no line `release_url=`");
  if (!/^https?:\/\/[\w.:/@~%+-]+$/.test(downloadUrl)) throw new Error(`${downloadUrl} is not a valid download URL`);
  return text.replace(placeholder, `release_url=${downloadUrl.replace(/\/$/, "")}`);
}
