/** Writes the README's list of commands: a block per group, and in it one per command. */
import type { Argument, Command } from "commander";
import { connectionHelpGroup } from "../src/connection.ts";

const marks = { open: "<!-- cli commands -->", close: "<!-- /cli commands -->" };

export function withCommands(readme: string, program: Command): string {
  const [before, rest] = readme.split(marks.open);
  const after = rest?.split(marks.close)[1];
  if (before === undefined || after === undefined) throw new Error("the README has no place for the commands");
  return `${before}${marks.open}\n${commandBlocks(program)}\n${marks.close}${after}`;
}

/** Short forms of `api …` would say everything twice. */
function commandBlocks(program: Command): string {
  const api = program.commands.find((command) => command.name() === "api");
  const short = new Set(api?.commands.map((command) => command.name()));
  const groups = [
    ...program.commands.filter((command) => command !== api && !short.has(command.name())),
    ...(api?.commands ?? []),
  ];
  return groups.map(block).join("\n");
}

function block(command: Command): string {
  const title = `<summary><code>${pathOf(command)}</code> ${escapeHtml(command.description())}</summary>`;
  const content = command.commands.length > 0 ? command.commands.map(block).join("\n") : usage(command);
  return `<details>${title}\n\n${content}\n</details>`;
}

function usage(command: Command): string {
  const words = [pathOf(command), ...command.registeredArguments.map(argumentTerm), "[options]"];
  const options = command.options
    .filter((option) => !option.hidden && option.helpGroupHeading !== connectionHelpGroup)
    .map(({ flags, description }) => `| \`${flags.replaceAll("|", "\\|")}\` | ${description.replaceAll("|", "\\|")} |`);
  return ["```sh", words.join(" "), "```", ...(options.length > 0 ? ["", "| | |", "|---|---|", ...options] : [])].join(
    "\n",
  );
}

function argumentTerm(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function escapeHtml(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
