/**
 * The files of a directory as they were when it was last looked at. Looking again tells what has changed since. The
 * truth is always what lies on the disk: hints about changes only say where to look.
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

/** Told when a directory joins the tree, before it is read, and when it leaves. */
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

  /** Files that belong into a checkpoint, relative to the root. */
  *paths(): Generator<string> {
    for (const [directory, { entries }] of this.#listings)
      for (const [name, entry] of entries) if (this.#isKept(entry)) yield below(directory, name);
  }

  /** Whether a file is there and belongs into a checkpoint. */
  keeps(path: string): boolean {
    const slash = path.lastIndexOf("/");
    const entry = this.#listings.get(path.slice(0, Math.max(slash, 0)))?.entries.get(path.slice(slash + 1));
    return entry !== undefined && this.#isKept(entry);
  }

  isIgnored(directory: string, name: string): boolean {
    return this.#listings.get(directory)?.entries.get(name)?.kind === "ignored";
  }

  /** Looks at some directories again, or at all. Directories that are new are looked through whole. */
  async look(directories: Iterable<string> | "all"): Promise<FileChange[]> {
    this.#slice = new Slice();
    const found: Found[] = [];
    if (!this.#listings.has("")) await this.#add("", outerRules(this.root), found);
    else {
      const all = directories === "all" ? [...this.#listings.keys()] : directories;
      for (const directory of all) if (this.#listings.has(directory)) await this.#lookAt(directory, found);
    }
    return withRenames(found);
  }

  /** Forgets which files are ignored, after the rules have changed. The next look finds those that no longer are. */
  forgetRules(): void {
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
    await this.#lookAt(directory, found);
  }

  #rulesIn(directory: string, outer: RuleChain): RuleChain {
    const path = join(this.root, directory);
    return withOwnRules(outer, { at: path, path });
  }

  async #lookAt(directory: string, found: Found[]): Promise<void> {
    const listing = this.#listings.get(directory);
    if (!listing) return;
    const present = readDirectory(join(this.root, directory));
    if (!present) return this.#remove(directory, found);
    const names = new Set(present.map(({ name }) => name));
    for (const name of listing.entries.keys()) if (!names.has(name)) this.#drop(directory, name, found);
    for (const dirent of present) {
      if (this.#slice.isOver) await this.#slice.next();
      const isNewDirectory = this.#lookAtEntry(directory, listing, dirent, found);
      if (isNewDirectory) await this.#add(below(directory, dirent.name), listing.rules, found);
    }
  }

  /** True for a directory that has just joined the tree and is still to be looked through. */
  #lookAtEntry(directory: string, { rules, entries }: Listing, dirent: Dirent, found: Found[]): boolean {
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
    // Gone or replaced meanwhile: a hint about that is on its way.
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
    // A root that is gone stays known, so that it is found again when it comes back.
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

/** A file that is gone in one place and new in another, with the same inode, was renamed. */
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
