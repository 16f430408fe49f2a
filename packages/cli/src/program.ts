/** The whole command tree. */
import { type Argument, Command } from "commander";
import { addEndpointOption, addTokenOptions } from "./connection.ts";
import { operationOf } from "./operation-of.ts";
import { version } from "./version.ts";

/** Adds a command to the program. */
type Add = (program: Command) => void;

/** In the order of help. Each command is loaded on demand, so that a server starts fast. */
const commands: Record<string, () => Promise<Add>> = {
  run: async () => (await import("./commands/run.ts")).addRun,
  chat: async () => (await import("./commands/chat.ts")).addChat,
  acp: async () => (await import("./commands/acp.ts")).addAcp,
  server: async () => (await import("./commands/server.ts")).addServer,
  daemon: async () => (await import("./commands/daemon.ts")).addDaemon,
  "install-agent": async () => (await import("./commands/install-agent.ts")).addInstallAgent,
  credentials: async () => (await import("./commands/credentials.ts")).addCredentials,
  doctor: async () => (await import("./commands/doctor.ts")).addDoctor,
  completion: async () => (await import("./commands/completion.ts")).addCompletion,
  opencode: async () => (await import("./commands/opencode.ts")).addOpenCode,
  api: async () => (await import("./commands/api.ts")).addApi,
  agents: async () => sameAsApi("agents", (await import("./commands/agents.ts")).addAgents),
  sessions: async () => sameAsApi("sessions", (await import("./commands/sessions.ts")).addSessions),
  registry: async () => sameAsApi("registry", (await import("./commands/registry.ts")).addRegistry),
  fs: async () => sameAsApi("fs", (await import("./commands/files.ts")).addFiles),
  processes: async () => sameAsApi("processes", (await import("./commands/processes.ts")).addProcesses),
  terminals: async () => sameAsApi("terminals", (await import("./commands/terminals.ts")).addTerminals),
  tokens: async () => sameAsApi("tokens", (await import("./commands/tokens.ts")).addTokens),
  audit: async () => (await import("./commands/tokens.ts")).addAudit,
  terminal: async () => (await import("./commands/terminals.ts")).addTerminal,
};

function sameAsApi(name: string, add: (program: Command, description: string) => void): Add {
  return (program) => add(program, `Same as \`api ${name}\``);
}

/** With `only`, loads just that command; loading all of them takes longer than most of them run. */
export async function createProgram(only?: string): Promise<Command> {
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

  // Completion needs all commands.
  const isEnough = only !== undefined && Object.hasOwn(commands, only) && only !== "completion";
  const chosen = isEnough ? [only] : Object.keys(commands);
  for (const name of chosen) {
    const add = await commands[name]?.();
    add?.(program);
  }

  addConnectionOptions(program);
  return program;
}

/** Omits `[options]`, because every command has options. */
function subcommandTerm(command: Command): string {
  const names = [command.name(), ...command.aliases()].join("|");
  return [names, ...command.registeredArguments.map(argumentTerm)].join(" ");
}

function argumentTerm(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

/** Commands that use a daemon with more than one operation. */
const conversational = new Set(["run", "chat", "attach", "acp", "doctor", "terminal"]);

/** Added last, so that help lists them last. Command groups accept a token too, but hide it. */
function addConnectionOptions(command: Command): void {
  const isConversation = command.commands.length === 0 && conversational.has(command.name());
  if (operationOf(command) || isConversation) addEndpointOption(command);
  addTokenOptions(command, command.parent === null || command.commands.length === 0);
  for (const child of command.commands) addConnectionOptions(child);
}

const examples = `
Environment:
  SANDBOX_AGENT_TOKEN     token of a server. Without one, a server creates its own, and commands of the same user find
                          it automatically
  SANDBOX_AGENT_ENDPOINT  URL of the daemon, for all commands that use one

Examples:
  $ sandbox-agent run --agent claude "Fix the failing test"   one prompt, with or without a daemon
  $ sandbox-agent acp --agent claude                          for editors that speak ACP
  $ sandbox-agent server                                      run in the foreground
  $ sandbox-agent daemon start                                run in the background
  $ sandbox-agent install-agent claude                        install an agent in advance
  $ sandbox-agent opencode                                    OpenCode's terminal interface with any agent
  $ sandbox-agent agents list
  $ sandbox-agent sessions create demo --agent mock
  $ sandbox-agent sessions send-message-stream demo -m "hello"
  $ sandbox-agent sessions events-sse demo                    follow the events of a session
  $ sandbox-agent processes create --tty -- bash              start a shell
  $ sandbox-agent terminal <id>                               attach to it; Ctrl-] detaches`;
