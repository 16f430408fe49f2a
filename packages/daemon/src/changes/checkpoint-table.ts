/** The rows of checkpoints: which tree a session's directory had, when, and why it was kept. */
import type { Database } from "bun:sqlite";
import type { Checkpoint, CheckpointReason } from "@sandbox-agent/schema";
import { guarded } from "../store/database.ts";

export interface NewCheckpoint {
  session: number;
  directory: string;
  turn: number | null;
  reason: CheckpointReason;
  title: string | null;
  tree: string;
}

interface Row {
  id: number;
  turn: number | null;
  reason: CheckpointReason;
  title: string | null;
  tree: string;
  created_at: number;
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
        .query<Row, [number]>("SELECT * FROM checkpoints WHERE session = ? ORDER BY id")
        .all(session)
        .map(checkpoint),
    );
  }

  /** Every directory of which there is a checkpoint. */
  directories(): string[] {
    return guarded(() =>
      this.database
        .query<{ directory: string }, []>("SELECT DISTINCT directory FROM checkpoints")
        .all()
        .map(({ directory }) => directory),
    );
  }

  isKept(directory: string): boolean {
    return guarded(
      () => this.database.query("SELECT 1 FROM checkpoints WHERE directory = ? LIMIT 1").get(directory) !== null,
    );
  }
}

function checkpoint({ id, turn, reason, title, tree, created_at }: Row): Checkpoint {
  return { checkpointId: `ckp_${id}`, turn, reason, title, tree, createdAt: created_at };
}
