/** The CLI reference, `docs/reference/cli.md`: a section per command or group, in it one per subcommand. */
import type { Argument, Command, Option } from "commander";
import { connectionHelpGroup } from "../src/connection.ts";

export function cliReference(program: Command): string {
  const groups = groupsOf(program);
  const rows = groups.map((group) => `| ${link(group)} | ${group.description} |`);
  const head = `# CLI reference

<!-- Generated from the commands of the program by \`npm run generate\`. Do not edit. -->

Every command of \`sandbox-agent\`. \`sandbox-agent <command> --help\` prints the same. For an introduction, read [CLI](../cli.md).

Every endpoint of the API has a command, \`sandbox-agent api <group> <command>\`. Groups that are listed here without \`api\` are short for it:
\`sandbox-agent sessions list\` is \`sandbox-agent api sessions list\`.

| command | |
|---|---|
${rows.join("\n")}

Commands that talk to a daemon also take these options:

${optionTable(connectionOptions(program))}`;
  return `${[head, ...groups.map(section)].join("\n\n")}\n`;
}

interface Group {
  command: Command;
  description: string;
}

/** A short form has the description of what it is short for. */
function groupsOf(program: Command): Group[] {
  const api = program.commands.find((command) => command.name() === "api");
  const full = new Map(api?.commands.map((command) => [command.name(), command]));
  const isShort = (command: Command) => command.description() === `Same as \`api ${command.name()}\``;
  const shown = program.commands.filter((command) => command !== api);
  const short = new Set(shown.filter(isShort).map((command) => command.name()));
  return [...shown, ...[...full.values()].filter((command) => !short.has(command.name()))].map((command) => ({
    command,
    description: escapeHtml((isShort(command) ? (full.get(command.name()) ?? command) : command).description()),
  }));
}

function section({ command, description }: Group): string {
  return [`## ${pathOf(command)}`, `${description}.`, ...contentOf(command, "###")].join("\n\n");
}

function contentOf(command: Command, level: string): string[] {
  if (command.commands.length === 0) return usage(command);
  return command.commands.flatMap((inner) => [
    `${level} ${pathOf(inner)}`,
    `${escapeHtml(inner.description())}.`,
    ...contentOf(inner, `${level}#`),
  ]);
}

function usage(command: Command): string[] {
  const words = ["sandbox-agent", pathOf(command), ...command.registeredArguments.map(argumentTerm), "[options]"];
  const options = command.options.filter((option) => !option.hidden && option.helpGroupHeading !== connectionHelpGroup);
  return [["```text", words.join(" "), "```"].join("\n"), ...(options.length > 0 ? [optionTable(options)] : [])];
}

function optionTable(options: readonly Option[]): string {
  const rows = options.map(({ flags, description }) => `| \`${inCell(flags)}\` | ${inCell(escapeHtml(description))} |`);
  return ["| option | |", "|---|---|", ...rows].join("\n");
}

/** Those of any command that has them all. */
function connectionOptions(program: Command): Option[] {
  const lists = allCommands(program).map((command) =>
    command.options.filter((option) => !option.hidden && option.helpGroupHeading === connectionHelpGroup),
  );
  return lists.reduce((most, list) => (list.length > most.length ? list : most), []);
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

function argumentTerm(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Without the name of the program. */
function pathOf(command: Command): string {
  return command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function link({ command }: Group): string {
  const path = pathOf(command);
  return `[\`${path}\`](#${path.replaceAll(" ", "-")})`;
}

function inCell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
