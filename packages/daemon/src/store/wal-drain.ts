/**
 * Carries what has gathered in the write-ahead log over into the database. That waits for the disk, so a thread of its own
 * does it: events should not wait with it. To start it takes longer than a drain does, so it stays until nothing is written.
 */
import type { Database } from "bun:sqlite";
import { Watchdog } from "../watchdog.ts";
import type { DrainRequest } from "./wal-drain-worker.ts";

/** So much is written before it is carried over. Commits that are made meanwhile wait for the disk the longer, the more it is. */
export const drainBytes = 2 * 1024 * 1024;
const restMs = 2000;

/** When it cannot keep up, SQLite does the same inside a commit; `walPages` in database.ts says when. */
export class WalDrain {
  #worker: Worker | null = null;
  #isBusy = false;
  #written = 0;
  /** After a while without any more, the log is cut and the thread ends. */
  readonly #rest = new Watchdog(restMs, () => this.#ask("TRUNCATE"));
  readonly #file: string | null;

  constructor({ filename }: Database) {
    this.#file = filename === ":memory:" ? null : filename;
  }

  /** So many bytes more, about, are in the write-ahead log. */
  wrote(bytes: number): void {
    this.#written += bytes;
    this.#rest.feed();
    if (this.#written >= drainBytes) this.#ask("PASSIVE");
  }

  close(): void {
    this.#rest.stop();
    this.#worker?.terminate();
    this.#worker = null;
    this.#isBusy = false;
  }

  #ask(mode: DrainRequest["mode"]): void {
    if (this.#isBusy || this.#file === null) return;
    this.#written = 0;
    this.#isBusy = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage({ file: this.#file, mode } satisfies DrainRequest);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./wal-drain-worker.ts", import.meta.url));
    worker.unref();
    worker.addEventListener("message", ({ data }: MessageEvent<DrainRequest>) => this.#drained(data));
    // Nothing is lost without it: SQLite helps itself, and the next drain is a new attempt.
    worker.addEventListener("error", () => this.close());
    return worker;
  }

  /** What has been written meanwhile is copied with the next write or, if there is none, after the rest. */
  #drained({ mode }: DrainRequest): void {
    this.#isBusy = false;
    if (mode === "TRUNCATE") this.close();
    else this.#rest.start();
  }
}
