/** Watches for silence: calls back when `feed` was not called for some time. One timer, however often it is fed. */
export class Watchdog {
  #timer: Timer | null = null;
  #fedAt = 0;

  constructor(
    private readonly milliseconds: number,
    private readonly onSilence: () => void,
  ) {}

  start(): void {
    this.stop();
    if (this.milliseconds === 0) return;
    this.feed();
    this.#arm(this.milliseconds);
  }

  feed(): void {
    this.#fedAt = performance.now();
  }

  /** Starts it, or feeds it if it is running. */
  touch(): void {
    if (this.#timer) this.feed();
    else this.start();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #arm(wait: number): void {
    this.#timer = setTimeout(() => {
      const left = this.milliseconds - (performance.now() - this.#fedAt);
      if (left > 0) return this.#arm(left);
      this.#timer = null;
      this.onSilence();
    }, wait);
    this.#timer.unref();
  }
}
