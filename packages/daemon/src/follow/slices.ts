/**
 * Work of many readers, done in slices of a few milliseconds with other work in between: hundreds that catch up at the
 * same time hold up a request no longer than one of them.
 */
import { background } from "@sandbox-agent/agents";

const sliceMs = 4;
const queue: (() => void)[] = [];

/** Runs a short piece of work when it is its turn. */
export function takeTurn(work: () => void): void {
  if (queue.push(work) === 1) setImmediate(runSlice);
}

function runSlice(): void {
  const deadline = performance.now() + sliceMs;
  let done = 0;
  do {
    try {
      queue[done]?.();
    } catch (error) {
      background("read a page of a log", Promise.reject(error));
    }
    done += 1;
  } while (done < queue.length && performance.now() < deadline);
  queue.splice(0, done);
  if (queue.length > 0) setImmediate(runSlice);
}
