/**
 * The files of a directory as of the last scan. A new scan returns what has changed since. Watch events only select the
 * directories to scan; the changes always come from the disk.
 */
import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { FileChange } from "@sandbox-agent/schema";
import { isIgnored, outerRules, type RuleChain, withOwnRules } from "../files/ignore-rules.ts";
import { Slice } from "../slices.ts";
import { excludedNames, type Limits } from "./limits.ts";

interface FileEntry {
  kind: "file";
  inode: number;
  size: number;
  modified: number;
  changed: number;
  mode: number;
}
type Entry = FileEntry | { kind: "directory" } | { kind: "ignored" };

interface Listing {
  rules: RuleChain;
  entries: Map<string, Entry>;
}

interface Found {
  path: string;
  kind: "created" | "modified" | "deleted";
  inode: number;
}

/** Notified when a directory is added to the tree, before it is read, and when it is removed. */
export interface TreeListener {
  added(directory: string): void;
  removed(directory: string): void;
}

export class TooLarge extends Error {}

export class Tree {
  readonly #listings = new Map<string, Listing>();
  #files = 0;
  #bytes = 0;
  #slice = new Slice();

  constructor(
    private readonly root: string,
    private readonly limits: Limits,
    private readonly listener: TreeListener,
    /** A directory that is no part of it, as an absolute path. */
    private readonly excluded: string | null = null,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Paths of the files that belong in a checkpoint, relative to the root. */
  *paths(): Generator<string> {
    for (const [directory, { entries }] of this.#listings)
      for (const [name, entry] of entries) if (this.#isKept(entry)) yield below(directory, name);
  }

  /** Whether a file exists and belongs in a checkpoint. */
  keeps(path: string): boolean {
    const slash = path.lastIndexOf("/");
    const entry = this.#listings.get(path.slice(0, Math.max(slash, 0)))?.entries.get(path.slice(slash + 1));
    return entry !== undefined && this.#isKept(entry);
  }

  isIgnored(directory: string, name: string): boolean {
    return this.#listings.get(directory)?.entries.get(name)?.kind === "ignored";
  }

  /** Scans some directories again, or all. New directories are scanned recursively. */
  async scan(directories: Iterable<string> | "all"): Promise<FileChange[]> {
    this.#slice = new Slice();
    const found: Found[] = [];
    if (!this.#listings.has("")) await this.#add("", outerRules(this.root), found);
    else {
      const all = directories === "all" ? [...this.#listings.keys()] : directories;
      for (const directory of all) if (this.#listings.has(directory)) await this.#scanDirectory(directory, found);
    }
    return withRenames(found);
  }

  /** Reloads the rules after they have changed. The next scan finds files that are no longer ignored. */
  reloadRules(): void {
    const chains = new Map<string, RuleChain>();
    for (const [directory, listing] of this.#listings) {
      const parent = directory === "" ? outerRules(this.root) : chains.get(parentOf(directory));
      listing.rules = this.#rulesIn(directory, parent ?? []);
      chains.set(directory, listing.rules);
      for (const [name, { kind }] of listing.entries) if (kind === "ignored") listing.entries.delete(name);
    }
  }

  async #add(directory: string, outer: RuleChain, found: Found[]): Promise<void> {
    if (this.#listings.size >= this.limits.directories)
      throw new TooLarge(`it has more than ${this.limits.directories} directories`);
    this.listener.added(directory);
    this.#listings.set(directory, { rules: this.#rulesIn(directory, outer), entries: new Map() });
    await this.#scanDirectory(directory, found);
  }

  #rulesIn(directory: string, outer: RuleChain): RuleChain {
    const path = join(this.root, directory);
    return withOwnRules(outer, { at: path, path });
  }

  async #scanDirectory(directory: string, found: Found[]): Promise<void> {
    const listing = this.#listings.get(directory);
    if (!listing) return;
    const present = readDirectory(join(this.root, directory));
    if (!present) return this.#remove(directory, found);
    const names = new Set(present.map(({ name }) => name));
    for (const name of listing.entries.keys()) if (!names.has(name)) this.#drop(directory, name, found);
    for (const dirent of present) {
      if (this.#slice.isOver) await this.#slice.next();
      const isNewDirectory = this.#scanEntry(directory, listing, dirent, found);
      if (isNewDirectory) await this.#add(below(directory, dirent.name), listing.rules, found);
    }
  }

  /** Returns true for a new directory, which still has to be scanned. */
  #scanEntry(directory: string, { rules, entries }: Listing, dirent: Dirent, found: Found[]): boolean {
    const { name } = dirent;
    const known = entries.get(name);
    if (known?.kind === "ignored") return false;
    const isDirectory = dirent.isDirectory();
    if (known && (known.kind === "directory") !== isDirectory) this.#drop(directory, name, found);
    else if (known?.kind === "directory") return false;
    const isPlain = isDirectory || dirent.isFile() || dirent.isSymbolicLink();
    const isExcluded = () =>
      excludedNames.has(name) ||
      join(this.root, directory, name) === this.excluded ||
      isIgnored(rules, join(this.root, directory), name, isDirectory);
    if (!known && (!isPlain || isExcluded())) {
      entries.set(name, { kind: "ignored" });
      return false;
    }
    if (isDirectory) {
      entries.set(name, { kind: "directory" });
      return true;
    }
    const path = below(directory, name);
    const stats = statOf(`${this.root}/${path}`);
    // Otherwise it was deleted or replaced in the meantime, and a watch event follows.
    if (stats && !stats.isDirectory()) this.#keep(path, name, entries, stats, found);
    return false;
  }

  #keep(path: string, name: string, entries: Map<string, Entry>, stats: Stats, found: Found[]): void {
    const { ino: inode, size, mtimeMs: modified, ctimeMs: changed, mode } = stats;
    const entry: FileEntry = { kind: "file", inode, size, modified, changed, mode };
    const known = entries.get(name);
    entries.set(name, entry);
    if (known?.kind !== "file") {
      this.#count(entry, 1);
      found.push({ path, kind: "created", inode });
      if (this.#files > this.limits.files) throw new TooLarge(`it has more than ${this.limits.files} files`);
      return;
    }
    if (isSame(known, entry)) return;
    this.#count(known, -1);
    this.#count(entry, 1);
    found.push({ path, kind: "modified", inode });
  }

  #drop(directory: string, name: string, found: Found[]): void {
    const entries = this.#listings.get(directory)?.entries;
    const entry = entries?.get(name);
    entries?.delete(name);
    const path = below(directory, name);
    if (entry?.kind === "directory") this.#remove(path, found);
    if (entry?.kind !== "file") return;
    this.#count(entry, -1);
    found.push({ path, kind: "deleted", inode: entry.inode });
  }

  #remove(directory: string, found: Found[]): void {
    const listing = this.#listings.get(directory);
    if (!listing) return;
    this.listener.removed(directory);
    for (const name of [...listing.entries.keys()]) this.#drop(directory, name, found);
    // A deleted root stays listed, so that it is scanned again when it is recreated.
    if (directory !== "") this.#listings.delete(directory);
  }

  #isKept(entry: Entry): boolean {
    return entry.kind === "file" && entry.size <= this.limits.fileBytes;
  }

  #count(entry: FileEntry, by: 1 | -1): void {
    this.#files += by;
    if (this.#isKept(entry)) this.#bytes += by * entry.size;
  }
}

function isSame(a: FileEntry, b: FileEntry): boolean {
  return (
    a.inode === b.inode &&
    a.size === b.size &&
    a.modified === b.modified &&
    a.changed === b.changed &&
    a.mode === b.mode
  );
}

/** A file that was deleted at one path and created at another with the same inode was renamed. */
function withRenames(found: readonly Found[]): FileChange[] {
  const deleted = new Map(found.filter(({ kind }) => kind === "deleted").map((file) => [file.inode, file.path]));
  const renamed = new Set<string>();
  const changes = found.map(({ path, kind, inode }): FileChange => {
    const from = kind === "created" ? deleted.get(inode) : undefined;
    if (from === undefined) return { path, kind };
    deleted.delete(inode);
    renamed.add(from);
    return { path, kind: "renamed", from };
  });
  return changes.filter(({ path, kind }) => kind !== "deleted" || !renamed.has(path));
}

function readDirectory(path: string): Dirent[] | null {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return null;
  }
}

function statOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function below(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

function parentOf(directory: string): string {
  return directory.slice(0, Math.max(directory.lastIndexOf("/"), 0));
}
