/**
 * A token on the command line or in the environment of a process can be read by every process of the same user
 * (`/proc/<pid>/environ`, `cmdline`), also after the variable is deleted, and agents are such processes. So the server replaces
 * itself with the same program, same process id, which gets the token on a file descriptor.
 */
import type { Command, Option } from "commander";
import { ownArguments } from "../daemon/own-arguments.ts";
import { tokenVariable } from "./given-token.ts";

/** Does not return if that works; otherwise the variable is at least deleted. `token` is the given one. */
export async function scrub(command: Command, token: string | null | undefined): Promise<void> {
  const { [tokenVariable]: variable, ...env } = process.env;
  delete process.env[tokenVariable];
  const isOnCommandLine = [command, command.parent].some((each) => typeof each?.getOptionValue("token") === "string");
  if (variable === undefined && !isOnCommandLine) return;
  const args = withoutToken(process.argv.slice(2), [...command.options, ...(command.parent?.options ?? [])]);
  const afterName = args.indexOf(command.name()) + 1;
  const { replaceProcess } = await import("./native.ts");
  replaceProcess({
    program: process.execPath,
    args(descriptor) {
      const tokenArgs = descriptor === null ? [] : ["--token-fd", String(descriptor)];
      return [...ownArguments(), ...args.toSpliced(afterName, 0, ...tokenArgs)];
    },
    env,
    input: token ? `${token}\n` : null,
  });
}

const tokenAttributes: ReadonlySet<string> = new Set(["token", "tokenFile", "tokenFd"]);

/** The arguments without token options, parsed like commander does. */
export function withoutToken(args: readonly string[], options: readonly Option[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    const { option, flags, hasValue } = valueOptionIn(word, options);
    const words = option && !hasValue ? args.slice(at, at + 2) : [word];
    at += words.length - 1;
    if (!option || !tokenAttributes.has(option.attributeName())) kept.push(...words);
    else if (flags !== "") kept.push(flags);
  }
  return kept;
}

interface ValueOption {
  /** The option of this word that takes a value. */
  option?: Option;
  /** Flags before it in the same word, as in `-Ct`. */
  flags: string;
  /** Its value is in this word. */
  hasValue: boolean;
}

function valueOptionIn(word: string, options: readonly Option[]): ValueOption {
  const none = { flags: "", hasValue: false };
  if (word.startsWith("--")) {
    const [name] = word.split("=", 1);
    const option = options.find(({ long, required }) => long === name && required);
    return option ? { option, flags: "", hasValue: word.includes("=") } : none;
  }
  if (!word.startsWith("-")) return none;
  for (const [index, letter] of [...word.slice(1)].entries()) {
    const option = options.find(({ short }) => short === `-${letter}`);
    if (!option) return none;
    if (!option.required) continue;
    return { option, flags: index === 0 ? "" : word.slice(0, index + 1), hasValue: word.length > index + 2 };
  }
  return none;
}
