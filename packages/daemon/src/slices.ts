/**
 * Long work in slices. Work whose size depends on a log, list or tree pauses when its slice is over, so that it does not delay
 * other requests for long. All such work shares one queue, and each iteration of the event loop runs one slice of it, so many
 * tasks at once delay others no longer than one does.
 */
const sliceMs = 5;

interface Turn {
  run(): void;
  /** Whether the work continues after `run` has returned, and therefore gets the rest of the slice. */
  continues: boolean;
}

const queue: Turn[] = [];

/** Queues a piece of work that takes a few milliseconds at most. */
export function takeTurn(run: () => void): void {
  enqueue({ run, continues: false });
}

/** Resolves after other queued work has run. */
export function pause(): Promise<void> {
  return new Promise((resolve) => enqueue({ run: resolve, continues: true }));
}

function enqueue(turn: Turn): void {
  if (queue.push(turn) === 1) setImmediate(runSlice);
}

function runSlice(): void {
  const end = performance.now() + sliceMs;
  let done = 0;
  try {
    for (const { run, continues } of queue) {
      done += 1;
      run();
      if (continues || performance.now() > end) break;
    }
  } finally {
    queue.splice(0, done);
    if (queue.length > 0) setImmediate(runSlice);
  }
}

/** `if (slice.isOver) await slice.next();` inside a loop. */
export class Slice {
  #start = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#start > sliceMs;
  }

  async next(): Promise<void> {
    await pause();
    this.#start = performance.now();
  }
}

/** Serializes a long list as JSON, in slices. */
export async function jsonList(entries: Iterable<unknown> | AsyncIterable<unknown>): Promise<string> {
  const texts: string[] = [];
  const slice = new Slice();
  for await (const entry of entries) {
    texts.push(JSON.stringify(entry));
    if (slice.isOver) await slice.next();
  }
  return `[${texts.join(",")}]`;
}
