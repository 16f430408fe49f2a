/** Command lines in samples, held against the programs they call. */
import type { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };

/** What a sample may consist of to be run; others are only checked. */
const runnable = /^(curl|echo|export|sandbox-agent|npx sandbox-agent|\w+=)/;

export function isRunnable(text: string): boolean {
  return linesOf(text).every((line) => runnable.test(line));
}

/** What is wrong with the command lines of a sample. */
export function mistakesIn(text: string, program: Command): string[] {
  return linesOf(text).flatMap((line) => [...cliMistakes(line, program), ...npmMistakes(line)]);
}

/** Command lines without comments, continued lines joined. */
function linesOf(text: string): string[] {
  return text
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");
}

function cliMistakes(line: string, program: Command): string[] {
  const call = /(?:^|[\s(|])(?:sandbox-agent|@sandbox-agent\/cli)((?:\s+[^|&;)]+)?)/.exec(line);
  if (!call || /\b(install|npm|docker|COPY)\b/.test(line.slice(0, call.index))) return [];
  const words = wordsOf(call[1] ?? "");
  let command = program;
  while (words[0] !== undefined) {
    const inner = command.commands.find((each) => each.name() === words[0] || each.aliases().includes(words[0] ?? ""));
    if (!inner) break;
    command = inner;
    words.shift();
  }
  if (command.commands.length > 0 && words[0] !== undefined && !words[0].startsWith("-"))
    return [`${line}: there is no command ${words[0]}`];
  const own = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  const flags = own.filter((word) => /^--?[a-z]/i.test(word)).map((word) => word.split("=")[0] ?? "");
  return flags.filter((flag) => !hasFlag(command, flag)).map((flag) => `${line}: there is no ${flag}`);
}

function hasFlag(command: Command, flag: string): boolean {
  if (["--help", "-h", "--version"].includes(flag)) return true;
  for (let current: Command | null = command; current !== null; current = current.parent) {
    if (current.options.some(({ long, short }) => long === flag || short === flag)) return true;
  }
  return false;
}

/** `npm run name` and `npm start` of this repository; other forms are not ours. */
function npmMistakes(line: string): string[] {
  const name = /\bnpm run (?:--silent )?([\w:-]+)(?!.* -w )/.exec(line)?.[1];
  return name === undefined || name in packageJson.scripts ? [] : [`${line}: there is no script ${name}`];
}

/** Words of a command line; what is quoted is one word, and no flag. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(([word]) => word);
}
