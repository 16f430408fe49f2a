/** A running program, on pipes or on its own terminal, in its own process group. */
import {
  background,
  descendants,
  isAlive,
  processVariable,
  signalTree,
  sweepLeftovers,
  within,
} from "@sandbox-agent/agents";
import { type OutputStream, ProblemError, type TerminalSize } from "@sandbox-agent/schema";
import { codeOf, messageOf } from "../failure.ts";

export interface ChildSpec {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Run it on a terminal of this size. */
  terminal: TerminalSize | null;
  /** Keep standard input open; a terminal always is. */
  interactive: boolean;
  /** Back-pressure: the next output is read when it resolves. Terminals do not wait. */
  onOutput(stream: OutputStream, bytes: Uint8Array): Promise<void> | void;
}

export interface ChildExit {
  code: number | null;
  signal: string | null;
}

export interface Child {
  readonly pid: number;
  /** Resolves when the program has ended and its output is read. */
  readonly ended: Promise<ChildExit>;
  /** Bytes that were written but not yet read by the program. */
  readonly pendingInput: number;
  write(bytes: Uint8Array): void;
  closeInput(): void;
  resize(size: TerminalSize): void;
  signal(signal: NodeJS.Signals): void;
  /** Asks the whole process tree to exit. */
  stop(): void;
  /** Kills the whole process tree, including processes that have left it. */
  kill(): void;
}

/** Output that a program leaves in its pipe is read, but not for longer: other programs may hold the pipe open. */
const quietMs = 200;
const lastWordsMs = 2000;
const hangUps = 5;
const hangUpMs = 300;

/** Throws a problem when the program cannot start. */
export function startChild(spec: ChildSpec): Child {
  const mark = crypto.randomUUID();
  const env = { ...spec.env, [processVariable]: mark };
  const started = guarded(spec, () => (spec.terminal ? onTerminal(spec, env, spec.terminal) : onPipes(spec, env)));
  const { process: child } = started;
  return {
    pid: child.pid,
    ended: child.exited.then(async () => {
      await started.drained();
      const { signalCode } = child;
      return { code: signalCode ? null : child.exitCode, signal: signalCode === null ? null : String(signalCode) };
    }),
    get pendingInput() {
      return started.pendingInput();
    },
    write: started.write,
    closeInput: started.closeInput,
    resize: started.resize,
    signal: (signal) => void child.kill(signal),
    stop() {
      signalTree(child.pid, "SIGTERM");
      // A stopped program cannot handle the signal.
      signalTree(child.pid, "SIGCONT");
      if (spec.terminal) background("hang up a terminal", hangUp(child));
    },
    kill() {
      const tree = descendants(child.pid);
      signalTree(child.pid, "SIGKILL");
      for (const pid of tree) if (isAlive(pid)) signalTree(pid, "SIGKILL");
      background("end what a process has left behind", sweepLeftovers(mark));
    },
  };
}

/**
 * Signals all programs on a terminal that it is closed. A shell that is about to wait for input notices the signal only
 * with the next one, so it is repeated.
 */
async function hangUp(child: Bun.Subprocess): Promise<void> {
  for (let attempt = 0; attempt < hangUps && child.exitCode === null && child.signalCode === null; attempt++) {
    signalTree(child.pid, "SIGHUP");
    await within(hangUpMs, child.exited);
  }
}

interface Started extends Pick<Child, "write" | "closeInput" | "resize"> {
  process: Bun.Subprocess;
  drained(): Promise<void>;
  pendingInput(): number;
}

function onPipes(spec: ChildSpec, env: Record<string, string>): Started {
  const child = Bun.spawn([spec.command, ...spec.args], {
    cwd: spec.cwd,
    env,
    stdin: spec.interactive ? "pipe" : "ignore",
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  });
  const activity = new Activity();
  const readers = [
    readAll(child.stdout, activity, (bytes) => spec.onOutput("stdout", bytes)),
    readAll(child.stderr, activity, (bytes) => spec.onOutput("stderr", bytes)),
  ];
  const { stdin } = child;
  let pending = 0;
  return {
    process: child,
    drained: async () => {
      await activity.quiet(Promise.all(readers.map(({ done }) => done)));
      for (const { cancel } of readers) cancel();
    },
    pendingInput: () => pending,
    write(bytes) {
      if (typeof stdin !== "object") return;
      pending += bytes.length;
      stdin.write(bytes);
      const taken = () => void (pending -= bytes.length);
      // A program that closes its input or dies reads no more.
      Promise.resolve(stdin.flush()).then(taken, taken);
    },
    closeInput() {
      if (typeof stdin === "object") Promise.resolve(stdin.end()).catch(() => {});
    },
    resize() {},
  };
}

function onTerminal(spec: ChildSpec, env: Record<string, string>, size: TerminalSize): Started {
  const activity = new Activity();
  const closed = Promise.withResolvers<void>();
  let pending = 0;
  const child = Bun.spawn([spec.command, ...spec.args], {
    cwd: spec.cwd,
    env,
    detached: true,
    // Created together with the process, so that it is the controlling terminal of the process.
    terminal: {
      ...size,
      data: (_, bytes) => background("store output", activity.taking(spec.onOutput("pty", bytes.slice()))),
      drain: () => void (pending = 0),
      exit: () => closed.resolve(),
    },
  });
  const { terminal } = child;
  if (!terminal) throw new Error("no terminal was made");
  return {
    process: child,
    drained: async () => {
      await activity.quiet(closed.promise);
      terminal.close();
    },
    pendingInput: () => pending,
    write(bytes) {
      if (terminal.closed) return;
      pending += bytes.length;
      terminal.write(new Uint8Array(bytes));
    },
    closeInput() {},
    resize: ({ cols, rows }) => {
      if (!terminal.closed) terminal.resize(cols, rows);
    },
  };
}

/** Detects when output stops. */
class Activity {
  #last = performance.now();
  #taking = 0;

  async taking(taken: Promise<void> | void): Promise<void> {
    this.#taking += 1;
    await taken;
    this.#taking -= 1;
    this.#last = performance.now();
  }

  /** Resolves when all work is done, or when no output has arrived for a while although all of it was read. */
  async quiet(done: Promise<unknown>): Promise<void> {
    let finished = false;
    const finish = done.then(() => {
      finished = true;
    });
    this.#last = performance.now();
    const deadline = this.#last + lastWordsMs;
    while (!finished && (this.#taking > 0 || performance.now() < Math.min(deadline, this.#last + quietMs)))
      await within(quietMs / 4, finish);
  }
}

function readAll(
  stream: ReadableStream<Uint8Array>,
  activity: Activity,
  take: (bytes: Uint8Array) => Promise<void> | void,
): { done: Promise<void>; cancel(): void } {
  const reader = stream.getReader();
  async function read(): Promise<void> {
    for (let { value, done } = await reader.read(); !done && value; { value, done } = await reader.read()) {
      await activity.taking(take(value));
    }
  }
  return { done: read().catch(() => {}), cancel: () => void reader.cancel().catch(() => {}) };
}

function guarded<T>({ command }: ChildSpec, start: () => T): T {
  try {
    return start();
  } catch (error) {
    const isMissing = codeOf(error) === "ENOENT";
    const cause = isMissing ? "there is no such program; give its path or install it" : messageOf(error);
    throw new ProblemError("process_not_started", `${command} cannot be started: ${cause}`, { details: { command } });
  }
}
