/** The commands and flags that scripts rely on. What is listed here may be added to, never renamed or taken away. */
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { createProgram } from "./program.ts";

const contract: Record<string, string> = {
  server:
    "-H --host -p --port -O --cors-allow-origin -M --cors-allow-method -A --cors-allow-header -C --cors-allow-credentials --data-dir --ephemeral --retain-days --retain-events --turn-stall-ms --no-telemetry",
  "api agents list": "--json",
  "api agents install": "-r --reinstall",
  "api agents modes": "",
  "api agents models": "",
  "api sessions list": "--json",
  "api sessions create":
    "-a --agent -g --agent-mode -p --permission-mode -m --model -v --variant -A --agent-version --mcp-config --skill",
  "api sessions send-message": "-m --message",
  "api sessions send-message-stream": "-m --message --include-raw",
  "api sessions terminate": "",
  "api sessions events": "-o --offset -l --limit --include-raw",
  "api sessions get-messages": "-o --offset -l --limit --include-raw",
  "api sessions events-sse": "-o --offset --include-raw",
  "api sessions reply-question": "-a --answers",
  "api sessions reject-question": "",
  "api sessions reply-permission": "-r --reply",
  "api fs entries": "--path --session-id",
  "api fs read": "--session-id",
  "api fs stat": "--session-id",
  "api fs mkdir": "--session-id",
  "api fs write": "--content --from-file",
  "api fs delete": "--recursive",
  "api fs move": "--overwrite",
  "api fs upload-batch": "--tar --path",
  opencode: "-H --host -p --port --session-title --yolo",
  "daemon start": "-H --host -p --port --upgrade",
  "daemon stop": "-H --host -p --port",
  "daemon status": "-H --host -p --port --json",
  "install-agent": "-r --reinstall",
  "credentials extract": "-a --agent -p --provider -d --home-dir --no-oauth -r --reveal",
  "credentials extract-env": "-e --export -d --home-dir --no-oauth",
};

const program = await createProgram();

describe("every command of the contract", () => {
  test.each(Object.entries(contract))("%s accepts its flags and a token", (path, flags) => {
    const promised = [...flags.split(" ").filter(Boolean), "-t", "--token", "-n", "--no-token"];
    expect(flagsOf(find(path))).toEqual(expect.arrayContaining(promised));
  });

  test.each(Object.keys(contract).filter((path) => path.startsWith("api ")))("%s accepts an endpoint", (path) => {
    expect(flagsOf(find(path))).toEqual(expect.arrayContaining(["-e", "--endpoint"]));
  });
});

function find(path: string): Command {
  return path.split(" ").reduce((parent: Command, name) => {
    const child = parent.commands.find((command) => command.name() === name || command.aliases().includes(name));
    if (child) return child;
    throw new Error(`no command ${path}`);
  }, program);
}

function flagsOf(command: Command): string[] {
  return command.options.flatMap(({ short, long }) => [short, long].filter((flag) => flag !== undefined));
}
