/** An ETag for a file's content, computed without reading it. */
import { type BigIntStats, lstatSync } from "node:fs";

/** Every write through this API creates a new file, and every other write changes its times. */
export function etagOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `"${[ino, size, mtimeNs, ctimeNs].map((part) => part.toString(36)).join("-")}"`;
}

/** Null if there is no file. */
export function etagAt(at: string): string | null {
  const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() ? etagOf(stats) : null;
}

/** Whether a header such as `If-Match` names this version. `*` matches any. */
export function etagMatches(header: string, etag: string | null): boolean {
  if (etag === null) return false;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(etag);
}
