/**
 * Checkpoints the write-ahead log into the database. A checkpoint waits for the disk, so it runs in a thread and does not
 * delay events. Starting the thread takes longer than a checkpoint, so it is kept until nothing more is written.
 */
import type { Database } from "bun:sqlite";
import { Watchdog } from "../watchdog.ts";
import type { DrainRequest } from "./wal-drain-worker.ts";

/** A checkpoint starts after this many bytes. The larger it is, the longer concurrent commits wait for the disk. */
export const drainBytes = 2 * 1024 * 1024;
const idleMs = 2000;

/** If it does not keep up, SQLite checkpoints inside a commit after `walPages` (database.ts). */
export class WalDrain {
  #worker: Worker | null = null;
  #isBusy = false;
  #written = 0;
  /** After `idleMs` without writes, the log is truncated and the thread ends. */
  readonly #idle = new Watchdog(idleMs, () => this.#request("TRUNCATE"));
  readonly #file: string | null;

  constructor({ filename }: Database) {
    this.#file = filename === ":memory:" ? null : filename;
  }

  /** Call after a commit, with the approximate bytes it added to the write-ahead log. */
  onWrite(bytes: number): void {
    this.#written += bytes;
    this.#idle.feed();
    if (this.#written >= drainBytes) this.#request("PASSIVE");
  }

  close(): void {
    this.#idle.stop();
    this.#worker?.terminate();
    this.#worker = null;
    this.#isBusy = false;
  }

  #request(mode: DrainRequest["mode"]): void {
    if (this.#isBusy || this.#file === null) return;
    this.#written = 0;
    this.#isBusy = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage({ file: this.#file, mode } satisfies DrainRequest);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./wal-drain-worker.ts", import.meta.url));
    worker.unref();
    worker.addEventListener("message", ({ data }: MessageEvent<DrainRequest>) => this.#onDrained(data));
    // Nothing is lost: SQLite checkpoints by itself, and the next request starts a new thread.
    worker.addEventListener("error", () => this.close());
    return worker;
  }

  /** What was written in the meantime is copied with the next write or after `idleMs`. */
  #onDrained({ mode }: DrainRequest): void {
    this.#isBusy = false;
    if (mode === "TRUNCATE") this.close();
    else this.#idle.start();
  }
}
