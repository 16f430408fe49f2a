/** What can be typed where: every command with the commands and options that may follow it. */
import type { Command } from "commander";

export interface Word {
  word: string;
  description: string;
}

export interface Place {
  /** The commands typed so far, without the name of the program. */
  path: string;
  commands: Word[];
  options: Word[];
}

export function placesIn(command: Command, path: readonly string[] = []): Place[] {
  const commands = command.commands.map((child) => ({ word: child.name(), description: child.description() }));
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ long, short, description }) => ({ word: long ?? short ?? "", description }));
  const below = command.commands.flatMap((child) => placesIn(child, [...path, child.name()]));
  return [{ path: path.join(" "), commands, options }, ...below];
}
