/** The directories that sessions work in, one workspace each, however many sessions share it. */
import { realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { CheckpointTable } from "./checkpoint-table.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import { Workspace } from "./workspace.ts";

export interface WorkspacesOptions {
  /** Where the shadow repositories lie. */
  shadows: string;
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
    const { idleMs, limits = defaultLimits } = this.options;
    const workspace = new Workspace({ directory, gitDirectory: this.#shadowOf(directory), limits, idleMs });
    this.#byDirectory.set(directory, workspace);
    return workspace;
  }

  /** Erases what was kept for checkpoints of a directory if there are none any more. */
  async sweep(directory: string): Promise<void> {
    if (this.table.isKept(directory) || this.#byDirectory.get(directory)?.inUse) return;
    await this.#byDirectory.get(directory)?.close();
    this.#byDirectory.delete(directory);
    await rm(this.#shadowOf(directory), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#byDirectory.values()].map((workspace) => workspace.close()));
  }

  #shadowOf(directory: string): string {
    return join(this.options.shadows, new Bun.CryptoHasher("sha256").update(directory).digest("hex").slice(0, 32));
  }
}

/** One name for a directory, however it is reached. */
export function canonical(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}
