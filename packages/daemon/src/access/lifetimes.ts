/** Principals of tokens that end: all requests with one token share a principal, and a signal for its end. */
import type { Principal } from "./principal.ts";

/** The longest a timer of the runtime can wait. */
const maxTimerMs = 2 ** 31 - 1;

interface Lifetime {
  principal: Principal;
  end: AbortController;
  timer: Timer;
}

export class Lifetimes {
  readonly #known = new Map<string, Lifetime>();

  /** The principal with that id, made if it is new. */
  principal(id: string, expiresAt: number, make: () => Omit<Principal, "expiresAt" | "ended">): Principal {
    const known = this.#known.get(id);
    if (known) return known.principal;
    const end = new AbortController();
    const principal = { ...make(), expiresAt, ended: end.signal };
    this.#known.set(id, { principal, end, timer: this.#endAt(id, expiresAt) });
    return principal;
  }

  #endAt(id: string, time: number): Timer {
    const timer = setTimeout(
      () => {
        const known = this.#known.get(id);
        if (known && Date.now() < time) known.timer = this.#endAt(id, time);
        else this.end(id);
      },
      Math.min(Math.max(0, time - Date.now()), maxTimerMs),
    );
    timer.unref();
    return timer;
  }

  end(id: string): void {
    const known = this.#known.get(id);
    if (!known) return;
    this.#known.delete(id);
    clearTimeout(known.timer);
    known.end.abort();
  }
}
