/** Watches for silence: calls back when `feed` was not called for some time. To feed it costs nothing. */

/** How often it looks in that time: silence is noticed by an eighth of it late at most. */
const looks = 8;

export class Watchdog {
  #timer: Timer | null = null;
  /** Looks since it was last fed. */
  #hungry = 0;

  constructor(
    private readonly milliseconds: number,
    private readonly onSilence: () => void,
  ) {}

  start(): void {
    this.stop();
    if (this.milliseconds === 0) return;
    this.feed();
    this.#timer = setInterval(() => this.#look(), this.milliseconds / looks);
    this.#timer.unref();
  }

  feed(): void {
    this.#hungry = 0;
  }

  /** Starts it, or feeds it if it is running. */
  touch(): void {
    if (this.#timer) this.feed();
    else this.start();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    this.#hungry += 1;
    if (this.#hungry <= looks) return;
    this.stop();
    this.onSilence();
  }
}
