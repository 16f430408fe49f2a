/** The completion tree: every command with the commands and options that may follow it. */
import type { Command } from "commander";

export interface Word {
  word: string;
  description: string;
}

export interface CompletionNode {
  /** The commands typed so far, without the name of the program. */
  path: string;
  commands: Word[];
  options: Word[];
}

export function completionNodes(command: Command, path: readonly string[] = []): CompletionNode[] {
  const commands = command.commands.map((child) => ({ word: child.name(), description: child.description() }));
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ long, short, description }) => ({ word: long ?? short ?? "", description }));
  const below = command.commands.flatMap((child) => completionNodes(child, [...path, child.name()]));
  return [{ path: path.join(" "), commands, options }, ...below];
}
