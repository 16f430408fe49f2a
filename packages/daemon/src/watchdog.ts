/** Calls back when it was not fed for some time. Starting, feeding and stopping it is cheap. */

/** Ticks in that time. The callback is late by one tick at most. */
const ticks = 8;

export class Watchdog {
  #isWatching = false;
  /** Keeps running after `stop`, because the next `start` may follow soon. The next tick ends it otherwise. */
  #timer: Timer | null = null;
  /** Ticks since it was last fed. The first one may follow at once, so one more is allowed. */
  #missedTicks = 0;

  constructor(
    private readonly milliseconds: number,
    private readonly onSilence: () => void,
  ) {}

  /** With 0 milliseconds it never calls back. */
  start(): void {
    if (this.milliseconds === 0) return;
    this.#isWatching = true;
    this.feed();
    this.#timer ??= setInterval(() => this.#tick(), this.milliseconds / ticks).unref();
  }

  feed(): void {
    this.#missedTicks = 0;
  }

  stop(): void {
    this.#isWatching = false;
  }

  #tick(): void {
    this.#missedTicks += 1;
    if (this.#isWatching && this.#missedTicks <= ticks) return;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    if (!this.#isWatching) return;
    this.#isWatching = false;
    this.onSilence();
  }
}
