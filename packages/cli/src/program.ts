/** The whole command tree. */
import { type Argument, Command } from "commander";
import { addAgents } from "./commands/agents.ts";
import { addCredentials } from "./commands/credentials.ts";
import { addDaemon } from "./commands/daemon.ts";
import { addInstallAgent } from "./commands/install-agent.ts";
import { addMeta } from "./commands/meta.ts";
import { addOpenCode } from "./commands/opencode.ts";
import { addServer } from "./commands/server.ts";
import { addSessions } from "./commands/sessions.ts";
import { addEndpointOption, addTokenOptions } from "./connection.ts";
import { operationOf } from "./operation-command.ts";
import { version } from "./version.ts";

export function createProgram(): Command {
  const program = new Command("sandbox-agent")
    .description("Run coding agents behind one HTTP and SSE API.")
    .version(version, "--version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "Print help for a command")
    // Options belong to the command they follow, so that `-m -t` means a message "-t".
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ subcommandTerm })
    .showHelpAfterError("(add --help for help)")
    .addHelpText("after", examples);

  addServer(program);
  addDaemon(program);
  addInstallAgent(program);
  addCredentials(program);
  addOpenCode(program);

  const api = program.command("api").description("Call the API of a running daemon");
  addAgents(api, "Agents: what is there, installing, modes and models");
  addSessions(api, "Sessions: create, talk, watch, answer, end");
  addMeta(api);
  addAgents(program, "Same as `api agents`");
  addSessions(program, "Same as `api sessions`");

  addConnectionOptions(program);
  return program;
}

/** Every command has options, so the list of commands need not say so. */
function subcommandTerm(command: Command): string {
  const names = [command.name(), ...command.aliases()].join("|");
  return [names, ...command.registeredArguments.map(argumentTerm)].join(" ");
}

function argumentTerm(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

/** Added last, so that help lists them last. Groups of commands take a token too, but do not show it. */
function addConnectionOptions(command: Command): void {
  if (operationOf(command)) addEndpointOption(command);
  addTokenOptions(command, command.parent === null || command.commands.length === 0);
  for (const child of command.commands) addConnectionOptions(child);
}

const examples = `
Environment:
  SANDBOX_AGENT_TOKEN     token to protect a server with, and to call it with
  SANDBOX_AGENT_ENDPOINT  where the daemon is, for \`api\`, \`agents\` and \`sessions\`

Examples:
  $ sandbox-agent server --token "$SANDBOX_AGENT_TOKEN"       run in the foreground
  $ sandbox-agent daemon start                                run in the background
  $ sandbox-agent install-agent claude                        install an agent beforehand
  $ sandbox-agent opencode                                    OpenCode's terminal interface, any agent
  $ sandbox-agent agents list
  $ sandbox-agent sessions create demo --agent mock
  $ sandbox-agent sessions send-message-stream demo -m "hello"
  $ sandbox-agent sessions events-sse demo                    follow everything that happens in it`;
