/** MCP servers and skills that are configured for a directory, in the database. */
import type { Database } from "bun:sqlite";
import { McpServerConfig, ProblemError, SkillsConfig } from "@sandbox-agent/schema";
import { canonical } from "../changes/workspaces.ts";
import { guarded } from "../store/database.ts";

const schemas = { mcp: McpServerConfig, skills: SkillsConfig } as const;

export type ConfigKind = keyof typeof schemas;
export type ConfigOf<Kind extends ConfigKind> = Kind extends "mcp" ? McpServerConfig : SkillsConfig;

export interface ConfigEntry<Kind extends ConfigKind> {
  directory: string;
  name: string;
  config: ConfigOf<Kind>;
}

type Row = Record<"directory" | "name" | "config", string>;

export class DirectoryConfig {
  /** Whether the table is empty, as in most daemons; null if not known. */
  #isEmpty: boolean | null = null;

  constructor(private readonly database: Database) {}

  /** The entries of one directory, or of all directories. */
  list<Kind extends ConfigKind>(kind: Kind, directory?: string): ConfigEntry<Kind>[] {
    this.#isEmpty ??= guarded(() => this.database.query("SELECT 1 FROM directory_config LIMIT 1").get() === null);
    // Every new session calls this, and resolving a path is slow.
    if (this.#isEmpty) return [];
    const where = directory === undefined ? null : canonical(directory);
    return guarded(() =>
      this.database
        .query<Row, [string, string | null]>(
          "SELECT directory, name, config FROM directory_config WHERE kind = ?1 AND (?2 IS NULL OR directory = ?2) ORDER BY directory, name",
        )
        .all(kind, where)
        .map((row) => ({ ...row, config: read(kind, row.config) })),
    );
  }

  find<Kind extends ConfigKind>(kind: Kind, directory: string, name: string): ConfigOf<Kind> | null {
    return this.list(kind, directory).find((entry) => entry.name === name)?.config ?? null;
  }

  get<Kind extends ConfigKind>(kind: Kind, directory: string, name: string): ConfigOf<Kind> {
    const found = this.find(kind, directory, name);
    if (found) return found;
    throw new ProblemError("not_found", `nothing named "${name}" is configured for ${directory}`);
  }

  set<Kind extends ConfigKind>(kind: Kind, { directory, name, config }: ConfigEntry<Kind>): void {
    this.#change(() =>
      this.database
        .query("INSERT OR REPLACE INTO directory_config (kind, directory, name, config) VALUES (?, ?, ?, ?)")
        .run(kind, canonical(directory), name, JSON.stringify(config)),
    );
  }

  delete(kind: ConfigKind, directory: string, name: string): void {
    this.#change(() =>
      this.database
        .query("DELETE FROM directory_config WHERE kind = ? AND directory = ? AND name = ?")
        .run(kind, canonical(directory), name),
    );
  }

  #change(work: () => void): void {
    this.#isEmpty = null;
    guarded(work);
  }
}

// Stored configurations match the schema of their kind, because they are checked before they are stored.
function read<Kind extends ConfigKind>(kind: Kind, text: string): ConfigOf<Kind> {
  return schemas[kind]().parse(JSON.parse(text)) as ConfigOf<Kind>;
}
