/**
 * Long work in slices. Whatever reads or computes an amount that depends on the size of a log, list or tree pauses when its
 * slice is over, so that no request holds up another for long. All of it shares one queue, of which each iteration of the
 * event loop does a slice: many at once hold the others up no longer than one does.
 */
const sliceMs = 5;

interface Turn {
  run(): void;
  /** Goes on after `run` has returned, so it gets the rest of the slice. */
  goesOn: boolean;
}

const queue: Turn[] = [];

/** Runs a piece of work, of a few milliseconds at most, when it is its turn. */
export function takeTurn(run: () => void): void {
  enqueue({ run, goesOn: false });
}

/** Resolves when other work had its chance. */
export function pause(): Promise<void> {
  return new Promise((resolve) => enqueue({ run: resolve, goesOn: true }));
}

function enqueue(turn: Turn): void {
  if (queue.push(turn) === 1) setImmediate(runSlice);
}

function runSlice(): void {
  const end = performance.now() + sliceMs;
  let done = 0;
  try {
    for (const { run, goesOn } of queue) {
      done += 1;
      run();
      if (goesOn || performance.now() > end) break;
    }
  } finally {
    queue.splice(0, done);
    if (queue.length > 0) setImmediate(runSlice);
  }
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
