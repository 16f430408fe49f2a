/**
 * One directory that sessions work in, shared by all of them: its files, the watchers on them, and the shadow repository
 * that stores their contents. Operations run one after the other.
 */
import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import { background } from "@sandbox-agent/agents";
import type { ChangesStatus, DiffResponse, FileChange } from "@sandbox-agent/schema";
import { codeOf, messageOf } from "../failure.ts";
import { type Limits, whyUnwatched } from "./limits.ts";
import { createShadow, type Shadow } from "./shadow.ts";
import { TooLarge, Tree } from "./tree.ts";

export type ChangeListener = (changes: readonly FileChange[]) => void;

export interface WorkspaceOptions {
  directory: string;
  gitDirectory: string;
  /** The data directory of the daemon: its token, logs and events are no files of a project. */
  dataDir?: string | null;
  limits: Limits;
  /** Released this long after it was last used. */
  idleMs: number;
}

/** Watch events are collected for this long. */
const collectMs = 100;
const rescanMs = 10 * 60_000;

export class Workspace {
  readonly #listeners = new Set<ChangeListener>();
  readonly #watchers = new Map<string, FSWatcher>();
  /** Directories with watch events since their last scan. */
  #dirty = new Set<string>();
  /** Paths that may differ from the index. */
  #touched = new Set<string>();
  #tree: Tree | null = null;
  #shadow: Shadow | null = null;
  /** The tree in the shadow repository; null if there is none or it may be outdated. */
  #storedTree: string | null = null;
  #status: ChangesStatus = { watching: true, checkpoints: true, detail: "" };
  #work: Promise<unknown> = Promise.resolve();
  #collectTimer: ReturnType<typeof setTimeout> | null = null;
  #idleTimer: ReturnType<typeof setTimeout> | null = null;
  #users = 0;
  #turns = 0;
  /** A directory that was too large is not scanned again before this time. */
  #notBefore = 0;
  #stop = new AbortController();

  constructor(private readonly options: WorkspaceOptions) {}

  /** What does not work in this directory, or null. */
  get problem(): ChangesStatus | null {
    return this.#status.watching && this.#status.checkpoints ? null : this.#status;
  }

  get inUse(): boolean {
    return this.#users > 0;
  }

  /** Whether a turn is running in this directory. */
  get hasRunningTurn(): boolean {
    return this.#turns > 0;
  }

  /** A turn runs until `ended` is called, and uses the workspace until `released` is called. */
  begin(): { ended(): void; released(): void } {
    this.#users += 1;
    this.#turns += 1;
    return {
      ended: () => {
        this.#turns -= 1;
      },
      released: () => {
        this.#users -= 1;
        this.#restartIdle();
      },
    };
  }

  /** Calls the listener for changes. Returns a function that stops it. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * The tree of the current files. `hinted` relies on the watch events and costs nothing if there were none. `now` scans
   * everything.
   */
  async snapshot(how: "hinted" | "now"): Promise<string> {
    this.#restartIdle();
    if (how === "hinted" && this.#storedTree !== null && this.#dirty.size === 0 && this.#status.watching)
      return this.#storedTree;
    return this.#inOrder(async () => {
      await this.#scanAndEmit(how === "now" || !this.#status.watching ? "all" : "dirty");
      return this.#store();
    });
  }

  diff(from: string, to: string): Promise<DiffResponse> {
    return this.#inOrder(async () => (await this.#requireShadow()).diff(from, to));
  }

  /** Restores a tree. Returns the tree of the files before, including everything that is overwritten. */
  restore(tree: string, mayStart: () => void): Promise<string> {
    return this.#inOrder(async () => {
      mayStart();
      this.#storedTree = null; // A turn that starts in the meantime waits.
      await this.#scanAndEmit("all");
      const before = await this.#store();
      if (before === tree) return before;
      const shadow = await this.#requireShadow();
      // Files that were stored once and are ignored now are not in the tree, but would be overwritten too.
      const overwritten = await shadow.added(before, tree);
      const undo = overwritten.length === 0 ? before : await shadow.update(overwritten, () => true);
      this.#storedTree = null;
      await shadow.checkOut(tree);
      for (const { path } of await this.#requireTree().scan("all")) this.#touched.add(path);
      await this.#store();
      return undo;
    });
  }

  /** Releases everything. The next use opens it again. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#work.catch(() => {});
    this.#release();
  }

  // ── Opening ─────────────────────────────────────────────────────────────────────────────────────────────────────

  async #open(): Promise<Tree> {
    if (this.#tree) return this.#tree;
    if (performance.now() < this.#notBefore) throw new Error(this.#status.detail);
    const { directory, dataDir = null, limits } = this.options;
    const unwatched = whyUnwatched(directory, dataDir);
    if (unwatched) throw this.#disable(`${unwatched}; start sessions in a project directory`);
    this.#status = { watching: true, checkpoints: true, detail: "" };
    const listener = {
      added: (below: string) => this.#watch(below),
      removed: (below: string) => this.#unwatch(below),
    };
    const tree = new Tree(directory, limits, listener, dataDir);
    await tree.scan("all").catch((error) => this.#onScanError(error, "is too large to watch"));
    this.#tree = tree;
    return tree;
  }

  async #openShadow(tree: Tree): Promise<Shadow> {
    if (this.#shadow) return this.#shadow;
    const { directory, gitDirectory, limits } = this.options;
    if (tree.bytes > limits.totalBytes)
      throw new Error(`${directory} is too large for checkpoints: its files have more than ${limits.totalBytes} bytes`);
    const shadow = await createShadow(gitDirectory, directory, this.#stop.signal);
    for (const path of await shadow.known().catch(() => startOver(shadow))) this.#touched.add(path);
    for (const path of tree.paths()) this.#touched.add(path);
    this.#shadow = shadow;
    return shadow;
  }

  /** Updates the shadow repository to the last scan. */
  async #store(): Promise<string> {
    const tree = this.#requireTree();
    try {
      const shadow = await this.#openShadow(tree);
      if (this.#storedTree !== null && this.#touched.size === 0) return this.#storedTree;
      const touched = this.#touched;
      this.#touched = new Set();
      this.#storedTree = null;
      this.#storedTree = await updated(shadow, touched, tree);
      this.#status = { ...this.#status, checkpoints: true };
      return this.#storedTree;
    } catch (error) {
      // The next call compares everything again.
      this.#shadow = null;
      this.#status = { ...this.#status, checkpoints: false, detail: messageOf(error) };
      throw error;
    }
  }

  #requireTree(): Tree {
    if (!this.#tree) throw new Error(this.#status.detail || `${this.options.directory} is not watched`);
    return this.#tree;
  }

  async #requireShadow(): Promise<Shadow> {
    return this.#openShadow(await this.#open());
  }

  #onScanError(error: unknown, how: string): never {
    throw error instanceof TooLarge ? this.#disable(`${this.options.directory} ${how}: ${error.message}`) : error;
  }

  #disable(detail: string): Error {
    this.#release();
    this.#status = { watching: false, checkpoints: false, detail };
    this.#notBefore = performance.now() + rescanMs;
    return new Error(detail);
  }

  #release(): void {
    for (const directory of [...this.#watchers.keys()]) this.#unwatch(directory);
    if (this.#collectTimer) clearTimeout(this.#collectTimer);
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    this.#collectTimer = this.#idleTimer = null;
    this.#tree = this.#shadow = this.#storedTree = null;
    this.#dirty = new Set();
    this.#touched = new Set();
    this.#stop = new AbortController();
  }

  #restartIdle(): void {
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    if (this.#users > 0 || this.options.idleMs === 0) return;
    this.#idleTimer = setTimeout(
      () =>
        background(
          "release a directory",
          this.#inOrder(async () => this.inUse || this.#release()),
        ),
      this.options.idleMs,
    );
    this.#idleTimer.unref();
  }

  // ── Watching ────────────────────────────────────────────────────────────────────────────────────────────────────

  #watch(below: string): void {
    if (!this.#status.watching) return;
    try {
      const watcher = watch(join(this.options.directory, below), (_, name) => this.#onWatchEvent(below, name));
      watcher.on("error", () => this.#onWatchEvent(below, null));
      watcher.unref();
      this.#watchers.set(below, watcher);
    } catch (error) {
      const isGone = codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
      if (isGone) return; // The scan that follows notices it.
      const cause = `${messageOf(error)}; raise fs.inotify.max_user_watches`;
      this.#status = {
        ...this.#status,
        watching: false,
        detail: `changes are reported only at the end of turns: ${cause}`,
      };
      for (const directory of [...this.#watchers.keys()]) this.#unwatch(directory);
    }
  }

  #unwatch(below: string): void {
    this.#watchers.get(below)?.close();
    this.#watchers.delete(below);
  }

  #onWatchEvent(directory: string, name: string | null): void {
    if (name !== null && this.#tree?.isIgnored(directory, name)) return;
    this.#dirty.add(directory);
    if (name !== null) this.#touched.add(directory === "" ? name : `${directory}/${name}`);
    if (this.#listeners.size === 0 || this.#collectTimer) return;
    this.#collectTimer = setTimeout(() => {
      this.#collectTimer = null;
      this.#inOrder(() => this.#scanAndEmit("dirty")).catch(() => {});
    }, collectMs);
  }

  async #scanAndEmit(where: "dirty" | "all"): Promise<void> {
    const isNew = this.#tree === null;
    const tree = await this.#open();
    if (isNew) return;
    const directories = where === "all" ? where : this.#dirty;
    this.#dirty = new Set();
    const changes = await tree.scan(directories).catch((error) => this.#onScanError(error, "has grown"));
    if (changes.some(({ path }) => path === ".gitignore" || path.endsWith("/.gitignore"))) tree.reloadRules();
    for (const { path, from } of changes) {
      this.#touched.add(path);
      if (from !== undefined) this.#touched.add(from);
    }
    if (changes.length > 0) for (const listener of this.#listeners) listener(changes);
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work, work);
    this.#work = done.catch(() => {});
    return done;
  }
}

/** A file may change while git reads it. Then the index is rebuilt from scratch. */
async function updated(shadow: Shadow, touched: Set<string>, tree: Tree): Promise<string> {
  const keeps = (path: string) => tree.keeps(path);
  try {
    return await shadow.update(touched, keeps);
  } catch {
    await startOver(shadow);
    return shadow.update(tree.paths(), keeps);
  }
}

async function startOver(shadow: Shadow): Promise<string[]> {
  shadow.reset();
  return [];
}
