/** The thread of `WalDrain`: does what it is asked and says so. */
import { Database } from "bun:sqlite";

export interface DrainRequest {
  file: string;
  /** How SQLite calls it: what can be done beside others who write, or all of it, with the log cut to nothing. */
  mode: "PASSIVE" | "TRUNCATE";
}

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<DrainRequest>) => {
  try {
    using database = new Database(data.file, { create: false, readwrite: true });
    database.run(`PRAGMA wal_checkpoint(${data.mode})`);
  } catch {
    // A disk that refuses now will be asked again, here or by a commit.
  }
  self.postMessage(data);
};
