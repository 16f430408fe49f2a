/** `completion`: prints the completion script of a shell. */
import { Argument, type Command } from "commander";
import { shells } from "../completion/shells.ts";
import { completionNodes } from "../completion/tree.ts";
import { print } from "../print.ts";

export function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("Print a completion script for your shell")
    .addArgument(new Argument("<shell>", "your shell").choices(Object.keys(shells)))
    .addHelpText("after", help)
    .action(async (shell: string) => print(shells[shell]?.(completionNodes(program)).trimEnd() ?? ""));
}

const help = `
Examples:
  $ source <(sandbox-agent completion bash)                                         in ~/.bashrc
  $ source <(sandbox-agent completion zsh)                                          in ~/.zshrc, after compinit
  $ sandbox-agent completion fish > ~/.config/fish/completions/sandbox-agent.fish`;
