/** Unpacks tar archives, compressed or not, while they arrive. Nothing is written outside the destination. */
import type { UploadResponse } from "@sandbox-agent/schema";
import { ensureDirectory, locate } from "../place.ts";
import { type Root, rootOf } from "../root.ts";
import { writeEntry } from "./entry.ts";
import { tarEntries } from "./read-archive.ts";

const maxListed = 1024;
/** Documented with the operation. */
const limits = { bytes: 16 * 1024 ** 3, entries: 1_000_000 };

export async function unpack(root: Root, path: string, archive: ReadableStream<Uint8Array>): Promise<UploadResponse> {
  using place = locate(root, path, { follow: true, create: true });
  using destination = ensureDirectory(place);
  const inside = rootOf(destination);
  const paths: string[] = [];
  let count = 0;
  for await (const entry of tarEntries(archive, limits)) {
    const written = await writeEntry(root, inside, entry);
    if (written === null) continue;
    count += 1;
    if (count <= maxListed) paths.push(written);
  }
  return { paths, truncated: count > maxListed };
}
