/** Agents without the daemon: each driven over its own protocol, to see what the daemon adds. */
export interface BareAgent {
  /** Milliseconds from handing over a message to its first text delta. Resolves when the turn is over. */
  turn(prompt: string): Promise<number>;
  close(): Promise<void>;
}

export interface BareOptions {
  /** The agent's executable. */
  program: string;
  directory: string;
  home: string;
  /** Base of the scripted model. */
  modelUrl: string;
}

/** Measures from `start` to the moment `first` is told, and waits for `done`. */
export function stopwatch() {
  const done = Promise.withResolvers<number>();
  const started = performance.now();
  let firstAfter: number | null = null;
  return {
    first: () => void (firstAfter ??= performance.now() - started),
    done: () => done.resolve(firstAfter ?? Number.NaN),
    result: done.promise,
  };
}

export function baseEnvironment({ home }: BareOptions): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: home, XDG_DATA_HOME: `${home}/data`, XDG_CONFIG_HOME: `${home}/config` };
}
