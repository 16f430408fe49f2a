import { operations } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { operationOf } from "./operation-of.ts";
import { createProgram } from "./program.ts";

const program = await createProgram();
const api = child(program, "api");

describe("every operation of the API is a command", () => {
  test("each exactly once, and no command performs anything else", () => {
    const performed = leaves(api).map((command) => operationOf(command) ?? `nothing: ${command.name()}`);
    expect(performed.toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  test("no other command performs one", () => {
    const others = [
      "server",
      "daemon",
      "install-agent",
      "credentials",
      "run",
      "chat",
      "acp",
      "attach",
      "doctor",
      "completion",
      "terminal",
      "opencode",
    ].flatMap((name) => leaves(child(program, name)));
    expect(others.filter((command) => operationOf(command) !== undefined)).toEqual([]);
  });

  test.each(["agents", "sessions", "registry", "fs", "processes", "terminals"])(
    "`%s` is the same as `api %s`",
    (name) => {
      expect(shape(child(program, name))).toEqual(shape(child(api, name)));
    },
  );

  test("`get-messages` is another name for `events`", () => {
    expect(child(child(api, "sessions"), "events").aliases()).toEqual(["get-messages"]);
  });
});

function child(parent: Command, name: string): Command {
  const command = parent.commands.find((command) => command.name() === name);
  if (command) return command;
  throw new Error(`no command ${name}`);
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function shape(command: Command): unknown {
  return {
    name: command.name(),
    operation: operationOf(command),
    flags: command.options.map(({ flags }) => flags),
    commands: command.commands.map(shape),
  };
}
