/** The token from the command line or the environment. */
import { closeSync, readFileSync, readSync } from "node:fs";
import { type Command, Option } from "commander";
import { reasonOf, usageError } from "../failure.ts";
import { path, wholeNumber } from "../option-values.ts";

export const tokenVariable = "SANDBOX_AGENT_TOKEN";

/** For every command. `--token` must come first: with `--no-token` alone, commander sets `token` to true by default. */
export function tokenOptions(): Option[] {
  return [
    new Option("-t, --token <token>", "token of the daemon (env: SANDBOX_AGENT_TOKEN)"),
    new Option("--token-file <file>", "file with the token").argParser(path),
    new Option("-n, --no-token", "use no token"),
  ];
}

/** For the server: another program can pass a token that no other process can read. */
export function tokenDescriptorOption(): Option {
  return new Option("--token-fd <n>", "file descriptor to read the token from; its first line is the token").argParser(
    wholeNumber(0, 2 ** 31 - 1),
  );
}

/** The option closest to the end of the command line wins, then the environment. Null: `--no-token`; undefined: none given. */
export function givenToken(command: Command): string | null | undefined {
  for (let current: Command | null = command; current !== null; current = current.parent) {
    const { token, tokenFile, tokenFd } = current.opts<{
      token?: string | false;
      tokenFile?: string;
      tokenFd?: number;
    }>();
    const given = [token, tokenFile, tokenFd].filter((value) => value !== undefined);
    if (given.length > 1) throw usageError("use only one of --token, --token-file, --token-fd and --no-token");
    if (token === false) return null;
    if (typeof token === "string") return nonEmpty(token, "--token");
    if (tokenFile !== undefined) return nonEmpty(tokenIn(tokenFile), tokenFile);
    if (tokenFd !== undefined) return nonEmpty(firstLineFrom(tokenFd), "--token-fd");
  }
  return process.env[tokenVariable] || undefined;
}

/** The error for an empty token. */
export function emptyToken(source: string): Error {
  return usageError(`${source} is empty; omit it to let the server create a token, or use --no-token for none`);
}

function nonEmpty(token: string, source: string): string {
  if (token === "") throw emptyToken(source);
  return token;
}

function tokenIn(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw usageError(`cannot read the token file ${file}: ${reasonOf(error)}`);
  }
}

/** Reads only the first line: standard input stays open, so that the server notices when the parent process ends. */
function firstLineFrom(descriptor: number): string {
  const bytes: number[] = [];
  const byte = Buffer.alloc(1);
  try {
    while (readSync(descriptor, byte) === 1 && byte[0] !== 0x0a) bytes.push(byte[0] ?? 0);
    if (descriptor > 2) closeSync(descriptor);
  } catch (error) {
    throw usageError(`cannot read --token-fd ${descriptor}: ${reasonOf(error)}`);
  }
  return Buffer.from(bytes).toString("utf8").trim();
}
