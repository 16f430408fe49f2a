/** The directories that sessions work in, one workspace each, however many sessions share it. */
import { existsSync, readdirSync, realpathSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { CheckpointTable } from "./checkpoint-table.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import { Workspace } from "./workspace.ts";

export interface WorkspacesOptions {
  /** The directory of the shadow repositories. */
  shadows: string;
  /** The data directory of the daemon, which is no part of any workspace. */
  dataDir?: string;
  idleMs: number;
  limits?: Limits;
}

export class Workspaces {
  readonly #byDirectory = new Map<string, Workspace>();

  constructor(
    readonly table: CheckpointTable,
    private readonly options: WorkspacesOptions,
  ) {}

  at(directory: string): Workspace {
    const known = this.#byDirectory.get(directory);
    if (known) return known;
    const { idleMs, limits = defaultLimits, dataDir } = this.options;
    const workspace = new Workspace({
      directory,
      gitDirectory: this.#shadowOf(directory),
      dataDir: dataDir === undefined ? null : canonical(dataDir),
      limits,
      idleMs,
    });
    this.#byDirectory.set(directory, workspace);
    return workspace;
  }

  /** Deletes the shadow repository of a directory without checkpoints. */
  async sweep(directory: string): Promise<void> {
    if (this.table.hasCheckpoint(directory) || this.#byDirectory.get(directory)?.inUse) return;
    await this.#byDirectory.get(directory)?.close();
    this.#byDirectory.delete(directory);
    await rm(this.#shadowOf(directory), { recursive: true, force: true });
  }

  /**
   * Deletes shadow repositories without a checkpoint, which a crash may leave. They are renamed first, so that sessions that
   * start in the meantime are not affected.
   */
  async sweepAll(): Promise<void> {
    const { shadows } = this.options;
    const kept = new Set(this.table.directories().map((directory) => this.#shadowOf(directory)));
    const found = existsSync(shadows) ? readdirSync(shadows).map((name) => join(shadows, name)) : [];
    const stale = found.filter((path) => !kept.has(path));
    const aside = stale.map((path) => (path.endsWith(staleSuffix) ? path : `${path}${staleSuffix}`));
    for (const [index, path] of stale.entries()) renameSync(path, aside[index] ?? path);
    await Promise.all(aside.map((path) => rm(path, { recursive: true, force: true })));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#byDirectory.values()].map((workspace) => workspace.close()));
  }

  #shadowOf(directory: string): string {
    return join(this.options.shadows, new Bun.CryptoHasher("sha256").update(directory).digest("hex").slice(0, 32));
  }
}

const staleSuffix = ".stale";

/** The real path of a directory. */
export function canonical(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}
