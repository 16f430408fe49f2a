/**
 * A pipe for the output of an agent. Bun would use a socket pair, which preserves message boundaries: many small messages
 * cost both sides twice as much, and a socket cannot be opened as `/dev/stdout`.
 */
import { dlopen, ptr } from "bun:ffi";

export interface Pipe {
  readEnd: number;
  writeEnd: number;
}

type MakePipe = (ends: Int32Array) => boolean;

const closeOnExec = 0o2000000;
let makePipe: MakePipe | null | undefined;

/** Null if `pipe2` is not available; the caller then uses Bun's own. The caller closes both ends. */
export function openPipe(): Pipe | null {
  if (makePipe === undefined) makePipe = findPipe2();
  const ends = new Int32Array(2);
  if (!makePipe?.(ends)) return null;
  const [readEnd = -1, writeEnd = -1] = ends;
  return { readEnd, writeEnd };
}

/** Linux only: `pipe2` sets close-on-exec, so that other processes do not inherit the pipe. Musl also has this name. */
function findPipe2(): MakePipe | null {
  if (process.platform !== "linux") return null;
  try {
    const { symbols } = dlopen("libc.so.6", { pipe2: { args: ["ptr", "i32"], returns: "i32" } });
    return (ends) => symbols.pipe2(ptr(ends), closeOnExec) === 0;
  } catch {
    return null;
  }
}
