/** Limits how often refused requests are recorded: a page that tries again and again must fill neither log. */
const maxPerMinute = 20;
const minuteMs = 60_000;

export class RefusalLog {
  #minute = Number.NEGATIVE_INFINITY;
  #recorded = 0;
  #skipped = 0;

  /** Calls `record` with the number of refusals that were not recorded since the last one, or not at all. */
  add(record: (skipped: number) => void, now = performance.now()): void {
    if (now - this.#minute >= minuteMs) {
      this.#minute = now;
      this.#recorded = 0;
    }
    if (this.#recorded === maxPerMinute) {
      this.#skipped += 1;
      return;
    }
    this.#recorded += 1;
    const skipped = this.#skipped;
    this.#skipped = 0;
    record(skipped);
  }
}
