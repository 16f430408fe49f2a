/** `api sessions create` and `update`: the settings of a session. */
import { CreateSessionRequest, type McpServerConfig, PermissionMode, type SkillSource } from "@sandbox-agent/schema";
import { type Command, Option } from "commander";
import { usageError } from "../failure.ts";
import { addOperation } from "../operation-command.ts";
import { jsonFile, path, repeatedPair, repeatedPath, repeatedSecret, wholeNumber } from "../option-values.ts";

interface Settings {
  agentMode?: string;
  permissionMode?: PermissionMode;
  model?: string;
  variant?: string;
  title?: string;
}

interface CreateOptions extends Settings {
  agent: string;
  agentVersion?: string;
  directory?: string;
  mcpConfig?: Record<string, McpServerConfig>;
  skill?: string[];
  env?: Record<string, string>;
  credential?: Record<string, string>;
  modelEndpoint?: Record<string, string>;
}

export function addCreateSession(sessions: Command): void {
  const command = addOperation(sessions, {
    operation: "createSession",
    usage: "create <session-id>",
    request: (session_id: string, options: CreateOptions) => ({
      params: { session_id },
      body: {
        agent: options.agent,
        agentMode: options.agentMode,
        permissionMode: options.permissionMode,
        model: options.model,
        variant: options.variant,
        agentVersion: options.agentVersion,
        directory: options.directory,
        title: options.title,
        mcp: options.mcpConfig,
        skills: options.skill && { sources: options.skill.map(localSkill) },
        env: options.env,
        credentials: options.credential,
        endpoints: options.modelEndpoint,
      },
    }),
  });
  command.requiredOption("-a, --agent <agent>", "agent to run, see `agents list` (required)");
  addSettings(command);
  command
    .option("-A, --agent-version <version>", "version to install if the agent is not installed")
    .option("--directory <path>", "working directory of the agent", path)
    .option("--mcp-config <file>", "MCP servers: a JSON file that maps names to configurations", jsonFile(mcpServers))
    .option("--skill <path>", "directory with skills for the agent; may be repeated", repeatedPath)
    .option("--env <name=value>", "environment variable for the agent; may be repeated", repeatedPair)
    .option(
      "--credential <provider=variable>",
      "API key for this session, read from a variable; may be repeated",
      repeatedSecret,
    )
    .option("--model-endpoint <provider=url>", "base URL of a model service; may be repeated", repeatedPair)
    .addHelpText("after", createExamples);
}

export function addUpdateSession(sessions: Command): void {
  const command = addOperation(sessions, {
    operation: "updateSession",
    usage: "update <session-id>",
    request: (session_id: string, { agentMode, permissionMode, model, variant, title }: Settings) => {
      const change = { agentMode, permissionMode, model, variant: orNull(variant), title: orNull(title) };
      if (Object.values(change).every((value) => value === undefined))
        throw usageError("at least one setting is required");
      return { params: { session_id }, body: change };
    },
  });
  addSettings(command);
  command.addHelpText("after", '\nAn empty title or variant ("") removes it.');
}

interface ForkOptions {
  as?: string;
  lastTurn?: number;
  title?: string;
  directory?: string;
}

export function addForkSession(sessions: Command): void {
  addOperation(sessions, {
    operation: "forkSession",
    usage: "fork <session-id>",
    request: (session_id: string, { as, lastTurn, title, directory }: ForkOptions) => ({
      params: { session_id },
      body: { sessionId: as, lastTurn, title: orNull(title), directory },
    }),
  })
    .option("--as <session-id>", "id of the new session")
    .option("--last-turn <n>", "last turn to copy (default: all ended turns)", wholeNumber(0))
    .option("--title <text>", "title of the new session")
    .option("--directory <path>", "working directory of the new session", path);
}

const mcpServers = CreateSessionRequest().shape.mcp.unwrap().unwrap();

/** The settings of a new session. */
export function addSettings(command: Command): void {
  const permissionMode = new Option("-p, --permission-mode <mode>", "what the agent may do without asking");
  command
    .option("-g, --agent-mode <mode>", "mode of the agent, see `agents modes`")
    .addOption(permissionMode.choices(PermissionMode().options))
    .option("-m, --model <model>", "model, see `agents models`")
    .option("-v, --variant <variant>", "variant of the model")
    .option("--title <text>", "title of the session");
}

function localSkill(source: string): SkillSource {
  return { type: "local", source };
}

function orNull(text: string | undefined): string | null | undefined {
  return text === "" ? null : text;
}

const createExamples = `
Examples:
  $ sandbox-agent api sessions create demo --agent mock
  $ sandbox-agent api sessions create fix-1 -a claude -p acceptEdits --directory ./repo --title "Fix the build"
  $ sandbox-agent api sessions create docs -a codex -m gpt-5-codex --mcp-config mcp.json --skill ./skills
  $ sandbox-agent api sessions create mine -a claude --credential anthropic=MY_KEY --model-endpoint anthropic=http://127.0.0.1:8080`;
