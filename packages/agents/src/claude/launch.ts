/** The launch of Claude Code for a session: arguments and environment, both without secrets. */
import type { AgentSettings, SessionSpec } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
import { inheritedVariables } from "../inherited-variables.ts";
import type { InstalledAgent } from "../install/installer.ts";
import { ownerVariable } from "../process/tree.ts";
import { anthropicVariables, type Variables, variablesWithout } from "../variables.ts";
import { credentialEnvironment, type NativeCredential } from "./credential.ts";
import { mainAgent } from "./modes.ts";

export interface LaunchOptions {
  settings: AgentSettings;
  permissionMode: string;
  sessionId: string;
  /** Whether the agent already has a conversation with this id. */
  resume: boolean;
  /** Rules that the user has granted for the session. */
  allowedTools: readonly string[];
  /** Whether permissions may be bypassed, now or later. */
  mayBypass: boolean;
}

const protocol = [
  "--print",
  "--input-format=stream-json",
  "--output-format=stream-json",
  "--verbose",
  "--include-partial-messages",
  "--replay-user-messages",
  // Without it there are no questions and no plan approval, and tools that need permission are rejected.
  "--permission-prompt-tool=stdio",
];

export function sessionArguments(options: LaunchOptions): string[] {
  const { settings, permissionMode, sessionId, resume, allowedTools, mayBypass } = options;
  const { model, variant } = settings;
  const agent = mainAgent(settings);
  return [
    ...protocol,
    // Allows switching to bypass later; it has no other effect.
    ...(mayBypass ? ["--allow-dangerously-skip-permissions"] : []),
    `--permission-mode=${permissionMode}`,
    resume ? `--resume=${sessionId}` : `--session-id=${sessionId}`,
    ...(model ? [`--model=${model}`] : []),
    ...(variant ? [`--effort=${variant}`] : []),
    ...(agent ? [`--agent=${agent}`] : []),
    ...allowedTools.map((rule) => `--allowedTools=${rule}`),
  ];
}

/** Arguments to read models and agents, without a conversation. */
export const probeArguments = [...protocol, "--no-session-persistence"];

/** The user's environment takes precedence over these. */
const defaults = {
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  // Writes the message to the transcript before the model call, so a killed turn can be resumed.
  CLAUDE_CODE_EAGER_FLUSH: "1",
  // The agent's own ten retries take three minutes.
  CLAUDE_CODE_MAX_RETRIES: "5",
};

/** Values that users write for true; Claude Code accepts only "1". */
const yes = new Set(["1", "true", "yes", "on"]);

/** As root, Claude Code only bypasses permissions if IS_SANDBOX is set. */
export function mayBypass(env: Variables, isRoot = process.getuid?.() === 0): boolean {
  return !isRoot || isSandbox(env);
}

function isSandbox(env: Variables): boolean {
  return yes.has(env.IS_SANDBOX?.toLowerCase() ?? "");
}

/** Credentials of the clouds that Claude Code can use instead of Anthropic, by the variable that enables the cloud. */
const cloudVariables = {
  CLAUDE_CODE_USE_BEDROCK: [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_BEARER_TOKEN_BEDROCK",
  ],
  CLAUDE_CODE_USE_VERTEX: ["GOOGLE_APPLICATION_CREDENTIALS"],
  CLAUDE_CODE_USE_FOUNDRY: ["ANTHROPIC_FOUNDRY_API_KEY"],
};

function neededVariables(env: Variables): string[] {
  const clouds = Object.entries(cloudVariables).flatMap(([name, needed]) => (env[name] ? needed : []));
  return ["CLAUDE_CODE_CLIENT_KEY_PASSPHRASE", ...clouds];
}

export function launchEnvironment(
  spec: Pick<SessionSpec, "env" | "endpoints">,
  installed: InstalledAgent,
  credential: NativeCredential | null,
  environment: AgentEnvironment,
): Record<string, string> {
  const needed = neededVariables({ ...environment.env, ...spec.env });
  const endpoint = spec.endpoints.anthropic;
  return {
    ...defaults,
    ...inheritedVariables(environment, needed),
    // A credential of the session is passed on the file descriptor, like that of the daemon.
    ...variablesWithout(spec.env, (name) => anthropicVariables.includes(name)),
    ...(isSandbox({ ...environment.env, ...spec.env }) && { IS_SANDBOX: "1" }),
    ...installed.env,
    ...(endpoint && { ANTHROPIC_BASE_URL: endpoint }),
    ...credentialEnvironment(credential),
    [ownerVariable]: environment.owner,
  };
}
