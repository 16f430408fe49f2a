/**
 * Long work in slices. Whatever reads or computes an amount that depends on the size of a log, list or tree pauses when its
 * slice is over, so that no request holds up another for long. Each iteration of the event loop resumes one of those that
 * paused: many of them at once hold the others up no longer than one does.
 */
const sliceMs = 5;

const paused: (() => void)[] = [];

/** Resolves when other work had its chance. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    paused.push(resolve);
    if (paused.length === 1) setImmediate(resumeNext);
  });
}

function resumeNext(): void {
  paused.shift()?.();
  if (paused.length > 0) setImmediate(resumeNext);
}

/** `if (slice.isOver) await slice.next();` inside a loop. */
export class Slice {
  #began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#began > sliceMs;
  }

  async next(): Promise<void> {
    await pause();
    this.#began = performance.now();
  }
}

/** A long list as JSON. */
export async function jsonList(entries: Iterable<unknown> | AsyncIterable<unknown>): Promise<string> {
  const texts: string[] = [];
  const slice = new Slice();
  for await (const entry of entries) {
    texts.push(JSON.stringify(entry));
    if (slice.isOver) await slice.next();
  }
  return `[${texts.join(",")}]`;
}
