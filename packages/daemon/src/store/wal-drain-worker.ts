/** The thread of `WalDrain`: runs a checkpoint per request and replies when it is done. */
import { Database } from "bun:sqlite";

export interface DrainRequest {
  file: string;
  /** The mode of SQLite's checkpoint: PASSIVE does not block writers, TRUNCATE copies everything and empties the log. */
  mode: "PASSIVE" | "TRUNCATE";
}

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<DrainRequest>) => {
  try {
    using database = new Database(data.file, { create: false, readwrite: true });
    database.run(`PRAGMA wal_checkpoint(${data.mode})`);
  } catch {
    // The next request or a commit tries again.
  }
  self.postMessage(data);
};
