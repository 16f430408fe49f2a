/** The token that a command line or the environment gives. */
import { closeSync, readFileSync, readSync } from "node:fs";
import { type Command, Option } from "commander";
import { reasonOf, usageError } from "../failure.ts";
import { path, wholeNumber } from "../option-values.ts";

export const tokenVariable = "SANDBOX_AGENT_TOKEN";

/** Taken by every command. `--token` must come first: declared alone, `--no-token` would make a token the default. */
export function tokenOptions(): Option[] {
  return [
    new Option("-t, --token <token>", "token of the daemon (env: SANDBOX_AGENT_TOKEN)"),
    new Option("--token-file <file>", "file that holds the token").argParser(path),
    new Option("-n, --no-token", "use no token"),
  ];
}

/** Taken by the server: the way for another program to hand over a token that nobody else can see. */
export function tokenDescriptorOption(): Option {
  return new Option("--token-fd <n>", "file descriptor whose first line is the token; it is closed then").argParser(
    wholeNumber(0, 2 ** 31 - 1),
  );
}

/** What is closest to the end of the command line counts, then the environment. null = `--no-token`; undefined = nothing. */
export function givenToken(command: Command): string | null | undefined {
  for (let current: Command | null = command; current !== null; current = current.parent) {
    const { token, tokenFile, tokenFd } = current.opts<{
      token?: string | false;
      tokenFile?: string;
      tokenFd?: number;
    }>();
    const given = [token, tokenFile, tokenFd].filter((value) => value !== undefined);
    if (given.length > 1) throw usageError("give one of --token, --token-file, --token-fd and --no-token");
    if (token === false) return null;
    if (typeof token === "string") return nonEmpty(token, "--token");
    if (tokenFile !== undefined) return nonEmpty(tokenIn(tokenFile), tokenFile);
    if (tokenFd !== undefined) return nonEmpty(firstLineFrom(tokenFd), "--token-fd");
  }
  return process.env[tokenVariable] || undefined;
}

/** What is wrong with an empty token, and what to do. */
export function emptyToken(source: string): Error {
  return usageError(
    `${source} is empty, which protects nothing; leave it out to have a token made, or use --no-token to go without one`,
  );
}

function nonEmpty(token: string, source: string): string {
  if (token === "") throw emptyToken(source);
  return token;
}

function tokenIn(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw usageError(`the token file ${file} cannot be read: ${reasonOf(error)}`);
  }
}

/** A pipe may hold more than the token: standard input stays open as a sign of life of the parent process. */
function firstLineFrom(descriptor: number): string {
  const bytes: number[] = [];
  const byte = Buffer.alloc(1);
  try {
    while (readSync(descriptor, byte) === 1 && byte[0] !== 0x0a) bytes.push(byte[0] ?? 0);
    if (descriptor > 2) closeSync(descriptor);
  } catch (error) {
    throw usageError(`--token-fd ${descriptor} cannot be read: ${reasonOf(error)}`);
  }
  return Buffer.from(bytes).toString("utf8").trim();
}
