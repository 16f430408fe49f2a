import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { cli } from "../test/cli-process.ts";
import { createProgram } from "./program.ts";

const commands = withDescendants(await createProgram());

describe.each(commands.map((command) => [pathOf(command), command] as const))("help of %s", (path, command) => {
  test("names the command and describes it and all its options", () => {
    const help = command.helpInformation();
    expect(help).toContain(`Usage: ${path}`);
    expect(command.description()).not.toBe("");
    expect(command.options.filter(({ description }) => description === "")).toEqual([]);
  });

  test("has no two options of the same name", () => {
    const names = command.options.flatMap(({ short, long }) => [short, long]).filter((name) => name !== undefined);
    expect(names).toEqual([...new Set(names)]);
  });
});

describe("asking for help", () => {
  test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("%j prints the overview with examples", async (args) => {
    const { code, stdout } = await cli(args);
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: sandbox-agent [options] [command]");
    expect(stdout).toContain("Examples:");
  });

  test.each(["create", "send-message"])("`sessions %s --help` has examples", async (name) => {
    const { code, stdout } = await cli(["api", "sessions", name, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Examples:\n  $ sandbox-agent api sessions ");
  });

  test("`--version` prints the version alone", async () => {
    expect(await cli(["--version"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });
});

function withDescendants(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withDescendants)];
}

function pathOf(command: Command): string {
  const names = [command.name(), ...command.aliases()].join("|");
  return command.parent === null ? names : `${pathOf(command.parent)} ${names}`;
}
