/**
 * The words of this project: code, comments, messages and docs are written in the English of the field. These words were once used
 * here with meanings of their own; a reader had to translate them.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

interface Rule {
  words: RegExp;
  write: string;
}

const rules: Rule[] = [
  { words: /\b(?:tells?|told|telling|untold|retold)\b/i, write: "emit, send, notify, report" },
  { words: /\b(?:says?|said|saying)\b/i, write: "emit, send, state, name" },
  { words: /\b(?:heard|hears?|hearing)\b/i, write: "receive, be notified" },
  { words: /\b(?:spoken|speaker)\b/i, write: "send, prompt" },
  { words: /\bpour(?:s|ed|ing)?\b/i, write: "burst" },
  { words: /\bdoors?\b/i, write: "compatibility API" },
  { words: /\bwish(?:es|ed)?\b/i, write: "request, override" },
  { words: /\bmend(?:s|ed)?\b/i, write: "fix" },
  { words: /\b(?:lets?|letting) go\b/i, write: "disconnect, release" },
  { words: /\b(?:take|takes|took|taken|taking) over\b/i, write: "copy, flush, replace" },
  {
    words: /\b(?:heritage|breathe|hungry|patiently|patience)\b/i,
    write: "fork seed, yield to the loop, missed ticks, timeout",
  },
  { words: /\blazily\b/i, write: "lazy" },
];

interface Exception {
  file: RegExp;
  line: RegExp;
  reason: string;
}

const exceptions: Exception[] = [
  {
    file: /mock\/commands(?:\.test)?\.ts$|^docs\/testing\.md$/,
    line: /\bsay\b/,
    reason: "a command of the mock agent",
  },
  { file: /^CONTRIBUTING\.md$/, line: /\[\[say /, reason: "a command of the scripted model" },
  {
    file: /schema\/src\/session-state/,
    line: /untoldFork/,
    reason: "the name of a field in databases of version 0.1.0",
  },
];

const checked = /^(?:packages\/.*\.tsx?|docs\/.*\.md|examples\/.*|[A-Z]+\.md)$/;
const left = /\/generated\/|\/fixtures\/|^docs\/reference\/|^CHANGELOG\.md$/;

function files(): string[] {
  const listed = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  return listed.filter((file) => checked.test(file) && !left.test(file));
}

/** Names are made of words, too. */
function words(line: string): string {
  return line.replace(/([a-z0-9])(?=[A-Z])/g, "$1 ").replaceAll("_", " ");
}

function problemsIn(file: string): string[] {
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  return lines.flatMap((line, index) => {
    const rule = rules.find(({ words: pattern }) => pattern.test(words(line)));
    if (!rule || exceptions.some((exception) => exception.file.test(file) && exception.line.test(line))) return [];
    return [`${file}:${index + 1}: ${line.trim()} (write: ${rule.write})`];
  });
}

describe("words", () => {
  test("code, comments, messages and docs use those of the field", () => {
    expect(files().flatMap(problemsIn)).toEqual([]);
  });

  test("every exception is needed", () => {
    const texts = files().map((file) => ({ file, lines: readFileSync(join(root, file), "utf8").split("\n") }));
    const unused = exceptions.filter(
      (exception) =>
        !texts.some(({ file, lines }) => exception.file.test(file) && lines.some((line) => exception.line.test(line))),
    );
    expect(unused).toEqual([]);
  });
});
