/** Watches for silence: calls back when it was not fed for some time. To start, feed and stop it costs nothing. */

/** How often it looks in that time: silence is noticed by an eighth of it late at most. */
const looks = 8;

export class Watchdog {
  #isWatching = false;
  /** Goes on when the watching stops, since the next may begin soon. The first look at nothing ends it. */
  #timer: Timer | null = null;
  /** Looks since it was last fed. The first of them may come at once, so there is one more of them than in that time. */
  #hungry = 0;

  constructor(
    private readonly milliseconds: number,
    private readonly onSilence: () => void,
  ) {}

  /** Zero milliseconds mean never. */
  start(): void {
    if (this.milliseconds === 0) return;
    this.#isWatching = true;
    this.feed();
    this.#timer ??= setInterval(() => this.#look(), this.milliseconds / looks).unref();
  }

  feed(): void {
    this.#hungry = 0;
  }

  stop(): void {
    this.#isWatching = false;
  }

  #look(): void {
    this.#hungry += 1;
    if (this.#isWatching && this.#hungry <= looks) return;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    if (!this.#isWatching) return;
    this.#isWatching = false;
    this.onSilence();
  }
}
