/** Linux system calls that the runtime does not offer. musl provides a library with the same name. */

import { dlopen, type Pointer, ptr } from "bun:ffi";
import { closeSync, writeSync } from "node:fs";

const library = "libc.so.6";

export interface Replacement {
  program: string;
  /** `descriptor`: the file descriptor of the input; null if there is none. */
  args(descriptor: number | null): string[];
  env: Readonly<Record<string, string | undefined>>;
  input: string | null;
}

/**
 * Replaces this process by another program, with the same process id, standard input and output. Returns only if that is not possible.
 * (`process.execve` would close the descriptor of the input.)
 */
export function replaceProcess({ program, args, env, input }: Replacement): void {
  if (process.platform !== "linux") return;
  try {
    const { symbols } = dlopen(library, {
      pipe: { args: ["ptr"], returns: "i32" },
      execve: { args: ["ptr", "ptr", "ptr"], returns: "i32" },
    });
    const descriptor = input === null ? null : filledPipe(input, symbols.pipe);
    const variables = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
    const words = stringArray([program, ...args(descriptor)]);
    const environment = stringArray(variables);
    symbols.execve(ptr(cString(program)), ptr(words.pointers), ptr(environment.pointers));
    if (descriptor !== null) closeSync(descriptor);
  } catch {
    // The library is missing or the system forbids it; this process continues.
  }
}

/** Returns the read end. A pipe can hold more than any token, so writing does not block. */
function filledPipe(text: string, pipe: (ends: Pointer) => number): number {
  const ends = new Int32Array(2);
  if (pipe(ptr(ends)) !== 0) throw new Error("no pipe");
  const [readEnd = -1, writeEnd = -1] = ends;
  writeSync(writeEnd, text);
  closeSync(writeEnd);
  return readEnd;
}

/** The strings must stay referenced for as long as their addresses are used. */
function stringArray(values: string[]): { pointers: BigUint64Array; strings: Buffer[] } {
  const strings = values.map(cString);
  return { strings, pointers: new BigUint64Array([...strings.map((each) => BigInt(ptr(each))), 0n]) };
}

function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}

const setDumpable = 4;

/**
 * Prevents other processes of the same user, such as agents, from reading memory, environment and open files of this one. Does not
 * apply to root. Programs that this process starts are not affected.
 */
export function protectMemory(): void {
  if (process.platform !== "linux") return;
  try {
    const { symbols } = dlopen(library, { prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" } });
    symbols.prctl(setDumpable, 0n, 0n, 0n, 0n);
  } catch {
    // Without it, other processes of the user could read the token.
  }
}
