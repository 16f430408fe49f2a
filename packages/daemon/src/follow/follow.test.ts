import { onTaskFailure } from "@sandbox-agent/agents";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Follower, follow, type Sink, type Source, type SourceListener } from "./follow.ts";

/** A log of letters, read two at a time. */
class Letters implements Source<number, string> {
  readonly listeners = new Set<SourceListener<number, string>>();
  text = "";
  ended = false;
  pages = 0;

  page(after: number) {
    this.pages += 1;
    const data = this.text.slice(after, after + 2);
    if (data !== "") return { data, next: after + data.length };
    return this.ended ? { data: null, next: after, last: true } : null;
  }

  subscribe(listener: SourceListener<number, string>) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  append(data: string, last = false): void {
    const start = this.text.length;
    this.text += data;
    const end = this.text.length;
    for (const listener of this.listeners)
      listener.append({ follows: (cursor) => cursor === start, take: () => ({ data, last }), end });
  }

  changed(): void {
    for (const listener of this.listeners) listener.changed();
  }

  notice(data: string): void {
    for (const listener of this.listeners) listener.notice(data);
  }

  restart(cursor: number): number | null {
    return cursor > this.text.length ? 0 : null;
  }
}

/** A sink that is full after every write while `stalled`. */
class Paper implements Sink<string> {
  written: string[] = [];
  stalled = false;
  ends = 0;
  error: unknown;
  #release: (() => void)[] = [];

  write(chunk: string) {
    this.written.push(chunk);
    return this.stalled ? new Promise<void>((resolve) => this.#release.push(resolve)) : null;
  }

  end(error?: unknown) {
    this.ends += 1;
    this.error = error;
  }

  get text(): string {
    return this.written.join("");
  }

  drain(): void {
    for (const release of this.#release.splice(0)) release();
  }
}

function start(text = "", cursor = 0): { log: Letters; sink: Paper; follower: Follower<number, string> } {
  const log = new Letters();
  log.text = text;
  const sink = new Paper();
  return { log, sink, follower: follow(log, cursor, sink) };
}

/** Resolves when a reader with an idle sink has read everything. */
async function settled(): Promise<void> {
  for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
}

describe("a reader", () => {
  test("gets the log after its cursor, then what is appended, each once", async () => {
    const { log, sink } = start("abcde", 1);
    expect(sink.written).toEqual([]);
    await settled();
    log.append("fgh");
    log.append("i");
    expect(sink.written).toEqual(["bc", "de", "fgh", "i"]);
  });

  test("that is live does not read from the log", async () => {
    const { log } = start();
    await settled();
    const { pages } = log;
    for (let count = 0; count < 100; count++) log.append("x");
    await settled();
    expect(log.pages).toBe(pages);
  });

  test("misses nothing that is appended while it reads", async () => {
    const { log, sink } = start("abcd");
    log.append("ef");
    await Promise.resolve();
    log.append("gh");
    await settled();
    log.append("ij");
    expect(sink.text).toBe("abcdefghij");
  });

  test("whose cursor an append does not follow reads the log", async () => {
    const { log, sink } = start("ab");
    await settled();
    log.text += "cd";
    log.append("ef");
    await settled();
    expect(sink.text).toBe("abcdef");
  });

  test("reads the log when it has changed", async () => {
    const { log, sink } = start("ab");
    await settled();
    log.text += "cde";
    log.changed();
    await settled();
    expect(sink.written).toEqual(["ab", "cd", "e"]);
  });

  test("with a cursor beyond the end starts where the source restarts", async () => {
    const { sink } = start("abc", 99);
    await settled();
    expect(sink.text).toBe("abc");
  });

  test("reports each time it has everything that is in the log", async () => {
    const log = new Letters();
    log.text = "abcd";
    const steps: string[] = [];
    const write = (chunk: string) => {
      steps.push(chunk);
      return null;
    };
    follow(log, 0, { write, caughtUp: () => steps.push("caught up"), end: () => {} });
    await settled();
    log.append("e");
    log.changed();
    await settled();
    expect(steps).toEqual(["ab", "cd", "caught up", "e", "caught up"]);
  });

  test("that is notified of several changes reads the log once", async () => {
    const { log } = start("ab");
    await settled();
    const { pages } = log;
    for (let count = 0; count < 5; count++) log.changed();
    await settled();
    expect(log.pages).toBe(pages + 1);
  });
});

describe("a sink that is full", () => {
  test("gets nothing until it has drained, and then everything, once", async () => {
    const { log, sink } = start("ab");
    await settled();
    sink.stalled = true;
    log.append("c");
    for (const letter of "defghij") log.append(letter);
    await settled();
    expect(sink.text).toBe("abc");
    sink.stalled = false;
    sink.drain();
    await settled();
    log.append("k");
    expect(sink.text).toBe("abcdefghijk");
  });

  test("holds back pages too", async () => {
    const { sink } = start("abcdef");
    sink.stalled = true;
    await settled();
    expect(sink.text).toBe("ab");
    sink.drain();
    await settled();
    expect(sink.text).toBe("abcd");
  });

  test("gets no notices, and one that fills it makes what follows wait", async () => {
    const { log, sink } = start();
    log.notice("early");
    await settled();
    sink.stalled = true;
    log.notice("[1]");
    log.notice("[2]");
    log.append("a");
    await settled();
    expect(sink.written).toEqual(["[1]"]);
    sink.stalled = false;
    sink.drain();
    await settled();
    log.notice("[3]");
    expect(sink.written).toEqual(["[1]", "a", "[3]"]);
  });

  test("that seeks skips what lies between", async () => {
    const { sink, follower } = start("abcdefgh");
    sink.stalled = true;
    await settled();
    follower.seek(6);
    sink.drain();
    await settled();
    expect(sink.written).toEqual(["ab", "gh"]);
  });

  test("that fails ends its reader", async () => {
    const log = new Letters();
    log.text = "abcd";
    let ended: unknown = null;
    const failure = new Error("the peer is gone");
    follow(log, 0, { write: () => Promise.reject(failure), end: (error) => (ended = error) });
    await settled();
    expect(ended).toBe(failure);
    expect(log.listeners.size).toBe(0);
  });
});

describe("the end", () => {
  test("of the log comes after everything in it", async () => {
    const { log, sink } = start("abcde");
    log.ended = true;
    await settled();
    expect([sink.text, sink.ends, log.listeners.size]).toEqual(["abcde", 1, 0]);
  });

  test("that is appended comes when the sink has drained", async () => {
    const { log, sink } = start();
    await settled();
    sink.stalled = true;
    log.append("a", true);
    await settled();
    expect(sink.ends).toBe(0);
    sink.drain();
    await settled();
    expect([sink.text, sink.ends]).toEqual(["a", 1]);
  });

  test("on finish comes at once for a reader that is live", async () => {
    const { sink, follower } = start("ab");
    await settled();
    follower.finish();
    expect([sink.text, sink.ends]).toEqual(["ab", 1]);
  });

  test("on finish comes at the end of the log for one that is behind", async () => {
    const { log, sink, follower } = start("abcd");
    sink.stalled = true;
    await settled();
    follower.finish();
    log.append("ef");
    expect([sink.text, sink.ends]).toEqual(["ab", 0]);
    sink.stalled = false;
    sink.drain();
    await settled();
    expect([sink.text, sink.ends, log.listeners.size]).toEqual(["abcdef", 1, 0]);
  });

  test("on stop comes at once, and only once", async () => {
    const { log, sink, follower } = start("abcd");
    sink.stalled = true;
    await settled();
    follower.stop();
    follower.stop();
    sink.drain();
    log.append("x");
    await settled();
    expect([sink.text, sink.ends]).toEqual(["ab", 1]);
  });

  test("comes with the error of a source that fails, which is reported", async () => {
    const failures: unknown[] = [];
    onTestFinished(onTaskFailure(({ error }) => failures.push(error)));
    const { log, sink } = start();
    await settled();
    log.page = () => {
      throw new Error("the disk is gone");
    };
    log.changed();
    await settled();
    expect([sink.ends, String(sink.error)]).toEqual([1, "Error: the disk is gone"]);
    expect(failures.map(String)).toEqual(["Error: the disk is gone"]);
  });

  test("comes with the error of a sink that throws, and does not affect other readers", async () => {
    const failures: unknown[] = [];
    onTestFinished(onTaskFailure(({ error }) => failures.push(String(error))));
    const { log, sink } = start();
    let ended: unknown = null;
    const throwing = () => {
      throw new Error("no room");
    };
    follow(log, 0, { write: throwing, end: (error) => (ended = error) });
    await settled();
    log.append("a");
    expect([sink.text, String(ended), log.listeners.size]).toEqual(["a", "Error: no room", 1]);
    await settled();
    expect(failures).toEqual(["Error: no room"]);
  });

  test("of a sink that throws at its end is reported, and nothing else fails", async () => {
    const failures: unknown[] = [];
    onTestFinished(onTaskFailure(({ error }) => failures.push(String(error))));
    const log = new Letters();
    const end = () => {
      throw new Error("closed already");
    };
    const follower = follow(log, 0, { write: () => null, end });
    follower.stop();
    await settled();
    expect(failures).toEqual(["Error: closed already"]);
    expect(log.listeners.size).toBe(0);
  });

  test("during a write that fails is not reported", async () => {
    const failures: unknown[] = [];
    onTestFinished(onTaskFailure(({ error }) => failures.push(error)));
    const errors: unknown[] = [];
    const log = new Letters();
    log.text = "ab";
    const write = () => {
      follower.stop();
      throw new Error("the peer is gone");
    };
    const follower = follow(log, 0, { write, end: (error) => errors.push(error) });
    await settled();
    expect([errors, failures]).toEqual([[undefined], []]);
  });

  test("of the log ends readers where they are", async () => {
    const { log, sink } = start("abcd");
    sink.stalled = true;
    await settled();
    for (const { end } of log.listeners) end();
    sink.drain();
    await settled();
    expect([sink.text, sink.ends, sink.error]).toEqual(["ab", 1, undefined]);
  });

  test("stops all writes, including notices", async () => {
    const { sink, follower } = start("ab");
    await settled();
    follower.notice("[1]");
    follower.stop();
    follower.notice("[2]");
    expect(sink.written).toEqual(["ab", "[1]"]);
  });
});

test("many readers that catch up do not delay other work", async () => {
  const slowSource = (): Source<number, string> => ({
    page(after) {
      const until = performance.now() + 2;
      while (performance.now() < until);
      return after < 5 ? { data: "x", next: after + 1 } : null;
    },
    subscribe: () => () => {},
  });
  const sinks = Array.from({ length: 40 }, () => new Paper());
  await new Promise((resolve) => setImmediate(resolve));
  for (const sink of sinks) setImmediate(() => follow(slowSource(), 0, sink));
  await expect.poll(() => sinks.every(({ text }) => text.length >= 1)).toBe(true);
  let rounds = 0;
  while (sinks.some(({ text }) => text.length < 5)) {
    rounds += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  // About 320 ms of work; with all readers in one round there would be four.
  expect(rounds).toBeGreaterThan(20);
});
