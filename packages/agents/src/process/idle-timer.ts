/** Does something once nothing has happened for a while. */
export interface IdleTimer {
  /** Something has happened. */
  restart(): void;
  clear(): void;
}

/** `isResting` is asked before the waiting and after it. Zero milliseconds mean never. */
export function idleTimer(milliseconds: number, isResting: () => boolean, act: () => Promise<void>): IdleTimer {
  let timer: Timer | null = null;

  function clear(): void {
    if (timer) clearTimeout(timer);
    timer = null;
  }

  return {
    restart() {
      clear();
      if (milliseconds === 0 || !isResting()) return;
      timer = setTimeout(() => {
        if (isResting()) void act();
      }, milliseconds);
      timer.unref();
    },
    clear,
  };
}
