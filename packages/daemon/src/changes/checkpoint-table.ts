/** The rows of checkpoints: the tree of a session's directory, when it was stored, and why. */
import type { Database } from "bun:sqlite";
import type { Checkpoint } from "@sandbox-agent/schema";
import { guarded } from "../store/database.ts";

interface NewCheckpoint extends Pick<Checkpoint, "turn" | "reason" | "title" | "tree"> {
  session: number;
  directory: string;
}

export class CheckpointTable {
  constructor(private readonly database: Database) {}

  insert({ session, directory, turn, reason, title, tree }: NewCheckpoint): Checkpoint {
    return guarded(() => {
      const createdAt = Date.now();
      const { lastInsertRowid } = this.database
        .query(
          "INSERT INTO checkpoints (session, directory, turn, reason, title, tree, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .run(session, directory, turn, reason, title, tree, createdAt);
      return { checkpointId: `ckp_${lastInsertRowid}`, turn, reason, title, tree, createdAt };
    });
  }

  /** Oldest first. */
  ofSession(session: number): Checkpoint[] {
    return guarded(() =>
      this.database
        .query<Checkpoint, [number]>(
          `SELECT 'ckp_' || id AS checkpointId, turn, reason, title, tree, created_at AS createdAt
           FROM checkpoints WHERE session = ? ORDER BY id`,
        )
        .all(session),
    );
  }

  /** Every directory with a checkpoint. */
  directories(): string[] {
    return guarded(() =>
      this.database
        .query<{ directory: string }, []>("SELECT DISTINCT directory FROM checkpoints")
        .all()
        .map(({ directory }) => directory),
    );
  }

  hasCheckpoint(directory: string): boolean {
    return guarded(
      () => this.database.query("SELECT 1 FROM checkpoints WHERE directory = ? LIMIT 1").get(directory) !== null,
    );
  }
}
