/** Completion in the real shells: what is offered behind a half-typed command line. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { need } from "../../../../test/harness/programs.ts";
import { createProgram } from "../program.ts";
import { shells } from "./shells.ts";
import { completionNodes } from "./tree.ts";

const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-completion-"));
afterAll(() => rmSync(directory, { recursive: true }));
const places = completionNodes(await createProgram());

function scriptFor(shell: string): string {
  const file = join(directory, shell);
  writeFileSync(file, shells[shell]?.(places) ?? "");
  return file;
}

function run(command: string[]): string[] {
  const { stdout, stderr } = Bun.spawnSync(command, { env: { ...process.env, HOME: directory } });
  expect(stderr.toString()).toBe("");
  return stdout.toString().split(/\s+/).filter(Boolean);
}

/** What each shell offers for this line, of which the last word is being typed. */
const offered: Record<string, (words: string[]) => string[]> = {
  bash(words) {
    const array = words.map((word) => `'${word}'`).join(" ");
    const script = `source ${scriptFor("bash")}; COMP_WORDS=(${array}); COMP_CWORD=${words.length - 1}; _sandbox_agent; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run(["bash", "--norc", "-c", script]);
  },
  zsh(words) {
    // compadd works only inside of the line editor, so here it prints what it is given.
    const array = words.map((word) => `'${word}'`).join(" ");
    const script = `compdef() { :; }; compadd() { shift; print -l -- "$@"; }; _files() { :; }; source ${scriptFor("zsh")}; words=(${array}); CURRENT=${words.length}; _sandbox_agent`;
    return run(["zsh", "-f", "-c", script]).filter((word) => word.startsWith(words.at(-1) ?? ""));
  },
  fish(words) {
    const line = words.join(" ");
    const script = `source ${scriptFor("fish")}; complete -C '${line}' | string split -f1 \\t`;
    return run(["fish", "--no-config", "-c", script]);
  },
};

for (const [shell, complete] of Object.entries(offered)) {
  describe(shell, () => {
    beforeEach((context) => need(context, shell));

    test("commands", () => {
      expect(complete(["sandbox-agent", "ser"])).toEqual(["server"]);
    });
    test("commands of a group", () => {
      expect(complete(["sandbox-agent", "api", "sessions", "send"]).toSorted()).toEqual([
        "send-message",
        "send-message-stream",
      ]);
    });
    test("options of a command, after its arguments", () => {
      expect(complete(["sandbox-agent", "sessions", "events", "my-session", "--off"])).toEqual(["--offset"]);
    });
  });
}
