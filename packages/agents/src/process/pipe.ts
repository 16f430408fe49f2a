/**
 * A pipe for what an agent says. Bun would give the agent one of a pair of sockets, which keeps each message apart: many
 * small ones cost both sides twice as much, and a socket cannot be opened under its name `/dev/stdout`.
 */
import { dlopen, ptr } from "bun:ffi";

export interface Pipe {
  readEnd: number;
  writeEnd: number;
}

type MakePipe = (ends: Int32Array) => boolean;

const closeOnExec = 0o2000000;
let makePipe: MakePipe | null | undefined;

/** Null where there is none to be had: then Bun's own will do. Whoever opens it closes both ends. */
export function openPipe(): Pipe | null {
  if (makePipe === undefined) makePipe = findPipe2();
  const ends = new Int32Array(2);
  if (!makePipe?.(ends)) return null;
  const [readEnd = -1, writeEnd = -1] = ends;
  return { readEnd, writeEnd };
}

/** Of Linux, where it makes pipes that processes started meanwhile do not inherit. Musl goes by this name as well. */
function findPipe2(): MakePipe | null {
  if (process.platform !== "linux") return null;
  try {
    const { symbols } = dlopen("libc.so.6", { pipe2: { args: ["ptr", "i32"], returns: "i32" } });
    return (ends) => symbols.pipe2(ptr(ends), closeOnExec) === 0;
  } catch {
    return null;
  }
}
