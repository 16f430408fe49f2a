/** docs/configuration.md against the flags, variables and files in the code. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AgentDefinition } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { createProgram } from "../../packages/cli/src/program.ts";
import { code, page, root, rows, section } from "./page.ts";

const text = page("configuration.md");

describe.each([["server"], ["daemon start"], ["opencode"]])("the flags of %s", (path) => {
  test("are those of its help", async () => {
    const command = path.split(" ").reduce(subcommand, await createProgram());
    const flags = command.options.filter(({ hidden }) => !hidden).map((option) => option.flags);
    const described = rows(section(text, `\`${path}\``)).flatMap(([flag]) => code(flag));
    expect(described.sort()).toEqual(flags.sort());
  });
});

function subcommand(parent: Command, name: string): Command {
  const found = parent.commands.find((command) => command.name() === name);
  if (!found) throw new Error(`there is no command ${name}`);
  return found;
}

/** In capital letters, but no variables: constants of the system, of SQLite and of JavaScript; shells; examples. */
const noVariables =
  /^(SQLITE_\w+|[ORX]_[A-Z]+|MAX_SAFE_INTEGER|(?:POSITIVE|NEGATIVE)_INFINITY|PR_SET_\w+|COMP_\w+|FETCH_HEAD|MY_KEY|MODE_UPDATE|SANDBOX_AGENT|OPENCODE_SERVER)$/;

/** Variables of programs that are not ours, which we neither read nor set. */
const ofOthers = new Set([
  // The copy of the ACP registry has them.
  "AUGMENT_DISABLE_AUTO_UPDATE",
  "DROID_DISABLE_AUTO_UPDATE",
  "FACTORY_DROID_AUTO_UPDATE_ENABLED",
  "FAST_AGENT_MODEL",
  "VT_ACP_ENABLED",
  "VT_ACP_ZED_ENABLED",
  // Named in a comment.
  "CLAUDE_CODE_ENABLE_TASKS",
  // Passed on or set for one call of a program.
  "LC_ALL",
  "LD_LIBRARY_PATH",
  "SSH_ASKPASS",
  "SSH_COMMAND",
  "SSH_VARIANT",
  // Given to a gate by Amp.
  "AGENT_TOOL_NAME",
  "AGENT_TOOL_USE_ID",
]);

const sources = [
  ...new Bun.Glob("packages/{agents,cli,daemon,sdk}/{src,bin}/**/*").scanSync(root),
  "install.sh",
  "Dockerfile",
].filter((file) => !/\.test\.ts$|\/generated\//.test(file));

test("every environment variable in the sources is described", () => {
  const described = new Set(text.match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\b/g));
  const missing = variablesInSources().filter((name) => !described.has(name) && !/^GIT_/.test(name));
  expect(missing).toEqual([]);
});

test("every described variable occurs in the sources", () => {
  const known = new Set(variablesInSources());
  const described = rows(section(text, "Environment variables")).flatMap((cells) => code(cells.join(" ")));
  const variables = described.filter((name) => /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(name));
  expect(variables.filter((name) => !known.has(name))).toEqual([]);
});

function variablesInSources(): string[] {
  const words = sources.flatMap(
    (file) => readFileSync(join(root, file), "utf8").match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\b/g) ?? [],
  );
  return [...new Set(words)].filter((word) => !noVariables.test(word) && !ofOthers.has(word)).sort();
}

test("the sample of agents.json is valid, and its fields are described", () => {
  const [, json = ""] = /```json\n([\s\S]*?)```/.exec(section(text, "`agents.json`")) ?? [];
  for (const definition of Object.values(JSON.parse(json).agents)) AgentDefinition().parse(definition);
  const described = rows(section(text, "`agents.json`")).flatMap(([field]) => code(field));
  expect(described.sort()).toEqual(Object.keys(AgentDefinition().shape).sort());
});
