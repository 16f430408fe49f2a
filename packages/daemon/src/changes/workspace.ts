/**
 * One directory that sessions work in, shared by all of them: the files in it, the watch on them, and the shadow
 * repository that keeps their contents. Work is done one piece after the other.
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
  /** Kept ready for this long after it was last used. */
  idleMs: number;
}

/** Hints are gathered for this long. */
const gatherMs = 100;
const refusalMs = 10 * 60_000;

export class Workspace {
  readonly #listeners = new Set<ChangeListener>();
  readonly #watchers = new Map<string, FSWatcher>();
  /** Directories in which something happened since they were last looked at. */
  #dirty = new Set<string>();
  /** Paths that may differ from the index. */
  #touched = new Set<string>();
  #tree: Tree | null = null;
  #shadow: Shadow | null = null;
  /** The tree in the shadow repository; null when there is none or it may be out of date. */
  #kept: string | null = null;
  #status: ChangesStatus = { watching: true, checkpoints: true, detail: "" };
  #work: Promise<unknown> = Promise.resolve();
  #gathering: ReturnType<typeof setTimeout> | null = null;
  #idle: ReturnType<typeof setTimeout> | null = null;
  #users = 0;
  #turns = 0;
  /** A directory that was found too large is not looked through again before this moment. */
  #refusedUntil = 0;
  #stop = new AbortController();

  constructor(private readonly options: WorkspaceOptions) {}

  /** What does not work here, or null. */
  get trouble(): ChangesStatus | null {
    return this.#status.watching && this.#status.checkpoints ? null : this.#status;
  }

  get inUse(): boolean {
    return this.#users > 0;
  }

  /** Whether a turn is running here. */
  get isWorkedIn(): boolean {
    return this.#turns > 0;
  }

  /** A turn works here until its end; it uses the workspace until it has been released. */
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

  /** Hears of changes until the answer is called. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * The tree of the files as they are. `hinted` trusts the watch to have told of every change: it costs nothing when
   * there was none. `now` looks at everything.
   */
  async snapshot(how: "hinted" | "now"): Promise<string> {
    this.#restartIdle();
    if (how === "hinted" && this.#kept !== null && this.#dirty.size === 0 && this.#status.watching) return this.#kept;
    return this.#inOrder(async () => {
      await this.#lookAndTell(how === "now" || !this.#status.watching ? "all" : "dirty");
      return this.#keep();
    });
  }

  diff(from: string, to: string): Promise<DiffResponse> {
    return this.#inOrder(async () => (await this.#requireShadow()).diff(from, to));
  }

  /** Puts a tree in the place of the files. Answers the tree they were before, with everything that is overwritten. */
  restore(tree: string, mayStart: () => void): Promise<string> {
    return this.#inOrder(async () => {
      mayStart();
      this.#kept = null; // A turn that starts meanwhile waits.
      await this.#lookAndTell("all");
      const before = await this.#keep();
      if (before === tree) return before;
      const shadow = await this.#requireShadow();
      // Files that were kept once and are ignored now are no part of any tree, but they would be overwritten too.
      const overwritten = await shadow.added(before, tree);
      const undo = overwritten.length === 0 ? before : await shadow.update(overwritten, () => true);
      this.#kept = null;
      await shadow.checkOut(tree);
      for (const { path } of await this.#requireTree().look("all")) this.#touched.add(path);
      await this.#keep();
      return undo;
    });
  }

  /** Lets go of everything; the next use starts over. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#work.catch(() => {});
    this.#release();
  }

  // ── Opening ─────────────────────────────────────────────────────────────────────────────────────────────────────

  async #open(): Promise<Tree> {
    if (this.#tree) return this.#tree;
    if (performance.now() < this.#refusedUntil) throw new Error(this.#status.detail);
    const { directory, dataDir = null, limits } = this.options;
    const unwatched = whyUnwatched(directory, dataDir);
    if (unwatched) throw this.#giveUp(`${unwatched}; start sessions in a project directory`);
    this.#status = { watching: true, checkpoints: true, detail: "" };
    const listener = {
      added: (below: string) => this.#watch(below),
      removed: (below: string) => this.#unwatch(below),
    };
    const tree = new Tree(directory, limits, listener, dataDir);
    await tree.look("all").catch((error) => this.#failLook(error, "is too large to watch"));
    this.#tree = tree;
    return tree;
  }

  async #openShadow(tree: Tree): Promise<Shadow> {
    if (this.#shadow) return this.#shadow;
    const { directory, gitDirectory, limits } = this.options;
    if (tree.bytes > limits.totalBytes)
      throw new Error(`${directory} has more than ${limits.totalBytes} bytes, too much for checkpoints`);
    const shadow = await createShadow(gitDirectory, directory, this.#stop.signal);
    for (const path of await shadow.known().catch(() => startOver(shadow))) this.#touched.add(path);
    for (const path of tree.paths()) this.#touched.add(path);
    this.#shadow = shadow;
    return shadow;
  }

  /** Brings the shadow repository up to date with the last look. */
  async #keep(): Promise<string> {
    const tree = this.#requireTree();
    try {
      const shadow = await this.#openShadow(tree);
      if (this.#kept !== null && this.#touched.size === 0) return this.#kept;
      const touched = this.#touched;
      this.#touched = new Set();
      this.#kept = null;
      this.#kept = await updated(shadow, touched, tree);
      this.#status = { ...this.#status, checkpoints: true };
      return this.#kept;
    } catch (error) {
      // Everything is compared again the next time.
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

  #failLook(error: unknown, how: string): never {
    throw error instanceof TooLarge ? this.#giveUp(`${this.options.directory} ${how}: ${error.message}`) : error;
  }

  #giveUp(detail: string): Error {
    this.#release();
    this.#status = { watching: false, checkpoints: false, detail };
    this.#refusedUntil = performance.now() + refusalMs;
    return new Error(detail);
  }

  #release(): void {
    for (const directory of [...this.#watchers.keys()]) this.#unwatch(directory);
    if (this.#gathering) clearTimeout(this.#gathering);
    if (this.#idle) clearTimeout(this.#idle);
    this.#gathering = this.#idle = null;
    this.#tree = this.#shadow = this.#kept = null;
    this.#dirty = new Set();
    this.#touched = new Set();
    this.#stop = new AbortController();
  }

  #restartIdle(): void {
    if (this.#idle) clearTimeout(this.#idle);
    this.#idle = null;
    if (this.#users > 0 || this.options.idleMs === 0) return;
    this.#idle = setTimeout(
      () =>
        background(
          "release a directory",
          this.#inOrder(async () => this.inUse || this.#release()),
        ),
      this.options.idleMs,
    );
    this.#idle.unref();
  }

  // ── Watching ────────────────────────────────────────────────────────────────────────────────────────────────────

  #watch(below: string): void {
    if (!this.#status.watching) return;
    try {
      const watcher = watch(join(this.options.directory, below), (_, name) => this.#hint(below, name));
      watcher.on("error", () => this.#hint(below, null));
      watcher.unref();
      this.#watchers.set(below, watcher);
    } catch (error) {
      const isGone = codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
      if (isGone) return; // The look that follows finds out.
      const cause = `${messageOf(error)}; raise fs.inotify.max_user_watches`;
      this.#status = {
        ...this.#status,
        watching: false,
        detail: `changes are found at the end of turns only: ${cause}`,
      };
      for (const directory of [...this.#watchers.keys()]) this.#unwatch(directory);
    }
  }

  #unwatch(below: string): void {
    this.#watchers.get(below)?.close();
    this.#watchers.delete(below);
  }

  #hint(directory: string, name: string | null): void {
    if (name !== null && this.#tree?.isIgnored(directory, name)) return;
    this.#dirty.add(directory);
    if (name !== null) this.#touched.add(directory === "" ? name : `${directory}/${name}`);
    if (this.#listeners.size === 0 || this.#gathering) return;
    this.#gathering = setTimeout(() => {
      this.#gathering = null;
      this.#inOrder(() => this.#lookAndTell("dirty")).catch(() => {});
    }, gatherMs);
  }

  async #lookAndTell(where: "dirty" | "all"): Promise<void> {
    const isNew = this.#tree === null;
    const tree = await this.#open();
    if (isNew) return;
    const directories = where === "all" ? where : this.#dirty;
    this.#dirty = new Set();
    const changes = await tree.look(directories).catch((error) => this.#failLook(error, "has grown"));
    if (changes.some(({ path }) => path === ".gitignore" || path.endsWith("/.gitignore"))) tree.forgetRules();
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

/** A file may change under git's hands. It is tried again, the last time from scratch. */
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
