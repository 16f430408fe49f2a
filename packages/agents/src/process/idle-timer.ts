import { background } from "../tasks/background.ts";

/** Runs an action after a period without activity. */
export interface IdleTimer {
  /** Reports activity. */
  restart(): void;
  /** Stops the timer for good. */
  end(): void;
}

/**
 * Acts if it was idle both at the start and at the end of a period. While busy, it checks again after each period, so
 * becoming idle need not be reported. Zero milliseconds mean never.
 */
export function idleTimer(milliseconds: number, isIdle: () => boolean, act: () => Promise<void>): IdleTimer {
  let timer: Timer | null = null;
  let wasIdle = false;
  let isOver = milliseconds === 0;

  function clear(): void {
    if (timer) clearTimeout(timer);
    timer = null;
  }

  function restart(): void {
    if (isOver) return;
    const idle = isIdle();
    // While busy there is much activity, and the check that is scheduled is as good as a later one.
    if (timer && !idle && !wasIdle) return;
    clear();
    wasIdle = idle;
    timer = setTimeout(check, milliseconds);
    timer.unref();
  }

  function check(): void {
    timer = null;
    if (wasIdle && isIdle()) background("stop an idle process", act());
    else restart();
  }

  return {
    restart,
    end() {
      isOver = true;
      clear();
    },
  };
}
