/** The open directories as one list of rows, in the order of display and of the arrow keys. */
import type { FileEntry } from "sandbox-agent";

export interface TreeRow {
  /** The path of the entry itself, not the target of a symbolic link: rename and delete apply to the link. */
  path: string;
  entry: FileEntry;
  depth: number;
  open: boolean;
}

export type Listings = ReadonlyMap<string, readonly FileEntry[]>;

/** Directories whose listing has not arrived are shown open and empty. */
export function treeRows(root: string, opened: ReadonlySet<string>, listings: Listings): TreeRow[] {
  const rows: TreeRow[] = [];
  function walk(directory: string, depth: number): void {
    for (const entry of inOrder(listings.get(directory) ?? [])) {
      const path = joinPath(directory, entry.name);
      const open = entry.entryType === "directory" && opened.has(path);
      rows.push({ path, entry, depth, open });
      if (open) walk(path, depth + 1);
    }
  }
  walk(root, 0);
  return rows;
}

function inOrder(entries: readonly FileEntry[]): FileEntry[] {
  return entries.toSorted((a, b) => {
    const byType = Number(b.entryType === "directory") - Number(a.entryType === "directory");
    return byType || a.name.localeCompare(b.name);
  });
}

export function joinPath(directory: string, name: string): string {
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1) || "/";
}
