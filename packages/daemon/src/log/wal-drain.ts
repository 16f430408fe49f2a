/**
 * Carries what has gathered in the write-ahead log over into the database. That waits for the disk, so a thread of its own
 * does it: events should not wait with it. The thread is there only while much is written.
 */
import type { Database } from "bun:sqlite";
import type { DrainRequest } from "./wal-drain-worker.ts";

/** So much is written before it is carried over. */
const drainBytes = 4 * 1024 * 1024;
const restMs = 2000;

/** When it cannot keep up, SQLite does the same inside a commit; `walPages` in database.ts says when. */
export class WalDrain {
  #worker: Worker | null = null;
  #isBusy = false;
  #written = 0;
  #rest: Timer | null = null;
  readonly #file: string | null;

  constructor({ filename }: Database) {
    this.#file = filename === ":memory:" ? null : filename;
  }

  /** So many bytes more, about, are in the write-ahead log. */
  wrote(bytes: number): void {
    this.#written += bytes;
    if (this.#written < drainBytes || this.#isBusy || this.#file === null) return;
    this.#worker ??= this.#start();
    this.#ask(this.#worker, { file: this.#file, mode: "PASSIVE" });
  }

  close(): void {
    this.#stopResting();
    this.#worker?.terminate();
    this.#worker = null;
    this.#isBusy = false;
  }

  #start(): Worker {
    const worker = new Worker(new URL("./wal-drain-worker.ts", import.meta.url));
    worker.unref();
    worker.addEventListener("message", ({ data }: MessageEvent<DrainRequest>) => this.#drained(worker, data));
    // Nothing is lost without it: SQLite helps itself, and the next drain is a new attempt.
    worker.addEventListener("error", () => this.close());
    return worker;
  }

  #ask(worker: Worker, request: DrainRequest): void {
    this.#stopResting();
    this.#written = 0;
    this.#isBusy = true;
    worker.postMessage(request);
  }

  /** Much may have come meanwhile. After a while without more, the log is cut and the thread ends. */
  #drained(worker: Worker, { file, mode }: DrainRequest): void {
    this.#isBusy = false;
    if (this.#written >= drainBytes) return this.#ask(worker, { file, mode: "PASSIVE" });
    if (mode === "TRUNCATE") return this.close();
    this.#rest = setTimeout(() => this.#ask(worker, { file, mode: "TRUNCATE" }), restMs);
    this.#rest.unref();
  }

  #stopResting(): void {
    if (this.#rest) clearTimeout(this.#rest);
    this.#rest = null;
  }
}
