import { background } from "../tasks/background.ts";

/** Does something once nothing has happened for a while. */
export interface IdleTimer {
  /** Something has happened. */
  restart(): void;
  /** Nothing is to be done any more. */
  end(): void;
}

/**
 * Acts when there was rest at the beginning and at the end of the waiting. What brings rest need not tell: as long as there is
 * none, it is looked for again. Zero milliseconds mean never.
 */
export function idleTimer(milliseconds: number, isResting: () => boolean, act: () => Promise<void>): IdleTimer {
  let timer: Timer | null = null;
  let wasResting = false;
  let isOver = milliseconds === 0;

  function clear(): void {
    if (timer) clearTimeout(timer);
    timer = null;
  }

  function restart(): void {
    if (isOver) return;
    const rests = isResting();
    // In the middle of something much happens, and the look that is due is as good as a later one.
    if (timer && !rests && !wasResting) return;
    clear();
    wasResting = rests;
    timer = setTimeout(look, milliseconds);
    timer.unref();
  }

  function look(): void {
    timer = null;
    if (wasResting && isResting()) background("stop what is idle", act());
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
