/** The whole command tree. */
import { type Argument, Command } from "commander";
import { addAcp, addAcpServers } from "./commands/acp.ts";
import { addAgents } from "./commands/agents.ts";
import { addChat } from "./commands/chat.ts";
import { addCompletion } from "./commands/completion.ts";
import { addConfig } from "./commands/config.ts";
import { addCredentials } from "./commands/credentials.ts";
import { addDaemon } from "./commands/daemon.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addFiles } from "./commands/files.ts";
import { addInstallAgent } from "./commands/install-agent.ts";
import { addMeta } from "./commands/meta.ts";
import { addOpenCode } from "./commands/opencode.ts";
import { addProcesses } from "./commands/processes.ts";
import { addRegistry } from "./commands/registry.ts";
import { addRun } from "./commands/run.ts";
import { addServer } from "./commands/server.ts";
import { addSessions } from "./commands/sessions.ts";
import { addTerminal, addTerminals } from "./commands/terminals.ts";
import { addEndpointOption, addTokenOptions } from "./connection.ts";
import { operationOf } from "./operation-command.ts";
import { version } from "./version.ts";

/** In the order of help. */
const commands: Record<string, (program: Command) => void> = {
  run: addRun,
  chat: addChat,
  acp: addAcp,
  server: addServer,
  daemon: addDaemon,
  "install-agent": addInstallAgent,
  credentials: addCredentials,
  doctor: addDoctor,
  completion: addCompletion,
  opencode: addOpenCode,
  api: addApi,
  agents: (program) => addAgents(program, "Same as `api agents`"),
  sessions: (program) => addSessions(program, "Same as `api sessions`"),
  registry: (program) => addRegistry(program, "Same as `api registry`"),
  fs: (program) => addFiles(program, "Same as `api fs`"),
  processes: (program) => addProcesses(program, "Same as `api processes`"),
  terminals: (program) => addTerminals(program, "Same as `api terminals`"),
  terminal: addTerminal,
};

function addApi(program: Command): void {
  const api = program.command("api").description("Call the API of a running daemon");
  addAgents(api, "Agents: what is there, installing, modes and models");
  addSessions(api, "Sessions: create, talk, watch, answer, end");
  addRegistry(api, "The public registry of agents that speak ACP");
  addFiles(api, "Files: list, read, write, move, delete, archives, search");
  addProcesses(api, "Processes: start, watch, write to, end");
  addTerminals(api, "Terminals: watch and type, of processes and of tmux");
  addConfig(api);
  addAcpServers(api);
  addMeta(api);
}

/** With the first word of a command line, only what it names: all of them take longer than most of them run. */
export function createProgram(only?: string): Command {
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

  // Completion tells of all the others.
  const isEnough = only !== undefined && Object.hasOwn(commands, only) && only !== "completion";
  const chosen = isEnough ? [only] : Object.keys(commands);
  for (const name of chosen) commands[name]?.(program);

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

/** These talk to a daemon too, by more than one operation. */
const conversational = new Set(["run", "chat", "attach", "acp", "doctor", "terminal"]);

/** Added last, so that help lists them last. Groups of commands take a token too, but do not show it. */
function addConnectionOptions(command: Command): void {
  const isConversation = command.commands.length === 0 && conversational.has(command.name());
  if (operationOf(command) || isConversation) addEndpointOption(command);
  addTokenOptions(command, command.parent === null || command.commands.length === 0);
  for (const child of command.commands) addConnectionOptions(child);
}

const examples = `
Environment:
  SANDBOX_AGENT_TOKEN     token to protect a server with, and to call it with
  SANDBOX_AGENT_ENDPOINT  where the daemon is, for all commands that talk to one

Examples:
  $ sandbox-agent run --agent claude "Fix the failing test"   one prompt, with or without a daemon
  $ sandbox-agent acp --agent claude                          for editors that speak ACP
  $ sandbox-agent server --token "$SANDBOX_AGENT_TOKEN"       run in the foreground
  $ sandbox-agent daemon start                                run in the background
  $ sandbox-agent install-agent claude                        install an agent beforehand
  $ sandbox-agent opencode                                    OpenCode's terminal interface, any agent
  $ sandbox-agent agents list
  $ sandbox-agent sessions create demo --agent mock
  $ sandbox-agent sessions send-message-stream demo -m "hello"
  $ sandbox-agent sessions events-sse demo                    follow everything that happens in it
  $ sandbox-agent processes create --tty -- bash              start a shell
  $ sandbox-agent terminal <id>                               attach to it; Ctrl-] detaches`;
