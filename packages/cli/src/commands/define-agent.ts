/** `agents define`: defines an agent that speaks ACP, from options or a file. */
import { AgentDefinition } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { usageError } from "../failure.ts";
import { addOperation } from "../operation-command.ts";
import { jsonFile, repeated, repeatedPair } from "../option-values.ts";

interface DefineOptions {
  file?: AgentDefinition;
  name?: string;
  command?: string;
  arg?: string[];
  env?: Record<string, string>;
  inheritEnv?: string[];
  npm?: string;
}

export function addDefineAgent(agents: Command): void {
  addOperation(agents, {
    operation: "defineAgent",
    usage: "define <agent>",
    request: (agent: string, options: DefineOptions) => ({ params: { agent }, body: definitionOf(options) }),
  })
    .option(
      "--file <file>",
      "JSON file with the definition: name, command, args, env, install, …",
      jsonFile(AgentDefinition()),
    )
    .option("--name <text>", "display name (default: the id)")
    .option("--command <program>", "program on PATH, or an absolute path")
    .option("--arg <text>", "argument that starts it in ACP mode; may be repeated", repeated)
    .option("--env <name=value>", "environment variable for it; may be repeated", repeatedPair)
    .option("--inherit-env <name>", "variable of the daemon that it gets although it looks like a secret", repeated)
    .option("--npm <package>", "install it from this npm package, with @ and a version")
    .addHelpText("after", examples);
}

function definitionOf({ file, name, command, arg, env, inheritEnv, npm }: DefineOptions): AgentDefinition {
  const given = [name, command, arg, env, inheritEnv, npm].some((value) => value !== undefined);
  if (file && given) throw usageError("--file cannot be combined with other options");
  if (file) return file;
  if (command === undefined && npm === undefined) throw usageError("--command, --npm or --file is required");
  return { name, command, args: arg, env, inheritEnv, ...(npm && { install: { type: "npm", package: npm } }) };
}

const examples = `
Examples:
  $ sandbox-agent agents define mine --command /opt/mine/agent --arg acp
  $ sandbox-agent agents define pi-acp-next --npm pi-acp@0.0.34
  $ sandbox-agent agents define mine --file mine.json`;
