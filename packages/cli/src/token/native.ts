/** System calls that the runtime has no function for. Of Linux; musl's library goes by the same name. */

import { dlopen, type Pointer, ptr } from "bun:ffi";
import { closeSync, writeSync } from "node:fs";

const library = "libc.so.6";

export interface Replacement {
  program: string;
  /** `descriptor`: where it can read the input; null when there is none. */
  args(descriptor: number | null): string[];
  env: Readonly<Record<string, string | undefined>>;
  input: string | null;
}

/**
 * Replaces this process by another program, with the same process id, standard input and output. Returns where that is not
 * possible. (`process.execve` would close the descriptor of the input.)
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
    // There is no such library, or the system forbids it: this process goes on.
  }
}

/** The end to read from. A pipe holds more than any token, so writing does not wait for a reader. */
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
 * Keeps other processes of the same user, agents among them, from reading memory, environment and open files of this one. Not
 * root, which can read everything. Programs that this process starts are not affected.
 */
export function protectMemory(): void {
  if (process.platform !== "linux") return;
  try {
    const { symbols } = dlopen(library, { prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" } });
    symbols.prctl(setDumpable, 0n, 0n, 0n, 0n);
  } catch {
    // Then the token is as safe as the account of the user.
  }
}
