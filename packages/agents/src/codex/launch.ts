/**
 * The launch of an app-server for a session: its home, environment, credentials and model endpoint. Sessions with the same
 * launch share a server.
 */
import { homedir } from "node:os";
import { join } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import type { SessionSpec } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
import { inheritedVariables } from "../inherited-variables.ts";
import type { InstalledAgent } from "../install/installer.ts";
import { namedVariables } from "../mcp-servers.ts";
import { ownerVariable } from "../process/tree.ts";
import { openaiVariables, variablesWithout } from "../variables.ts";

export interface Launch {
  /** Launches with the same key share a server. */
  key: string;
  command: readonly string[];
  env: Record<string, string>;
  codexHome: string;
  /** Sent to the server after its start; null = the user's own login, if there is one. */
  apiKey: string | null;
  /** The provider of the models; null = as configured in the user's own home. */
  modelProvider: string | null;
}

export type LaunchSpec = Pick<SessionSpec, "env" | "credentials" | "endpoints" | "mcp">;

export const noOverrides: LaunchSpec = { env: {}, credentials: {}, endpoints: {}, mcp: {} };

const endpointVariable = "OPENAI_BASE_URL";

export function planLaunch(spec: LaunchSpec, installed: InstalledAgent, environment: AgentEnvironment): Launch {
  const apiKey = keyFor(spec, environment);
  const endpoint = endpointFor(spec, environment);
  const codexHome = homeFor(apiKey ?? endpoint, spec, environment);
  const command = [...installed.command, "app-server", ...serverArguments(apiKey, endpoint)];
  const env = { ...environmentFor(spec, environment), ...installed.env, CODEX_HOME: codexHome };
  return {
    key: JSON.stringify([command, env, apiKey]),
    command,
    env,
    codexHome,
    apiKey,
    modelProvider: endpoint === null ? (apiKey === null ? null : "openai") : providerId,
  };
}

function keyFor({ credentials, env }: LaunchSpec, environment: AgentEnvironment): string | null {
  const ofSession = credentials.openai ?? openaiVariables.map((name) => env[name]).find(Boolean);
  if (ofSession) return ofSession;
  const found = environment.credentials().openai;
  return found?.auth_type === "api_key" ? found.api_key : null;
}

function endpointFor({ endpoints, env }: LaunchSpec, environment: AgentEnvironment): string | null {
  const endpoint = endpoints.openai || env[endpointVariable] || environment.env[endpointVariable];
  if (!endpoint) return null;
  const url = URL.parse(endpoint);
  if (!url) throw new ProblemError("invalid_request", `the OpenAI endpoint ${endpoint} is not a URL`);
  // It is passed on the command line, which every process on the machine can read.
  if (url.username || url.password)
    throw new ProblemError(
      "invalid_request",
      "the OpenAI endpoint contains a password; pass it in `credentials` instead",
    );
  return endpoint;
}

/** Without a key, the login in the user's own home is used. */
function homeFor(access: string | null, { env }: LaunchSpec, environment: AgentEnvironment): string {
  if (access !== null) return join(environment.dataDir, "codex");
  const home = environment.env.HOME ?? homedir();
  return env.CODEX_HOME ?? environment.env.CODEX_HOME ?? join(home, ".codex");
}

function environmentFor({ env, mcp }: LaunchSpec, environment: AgentEnvironment): Record<string, string> {
  // Codex reads the variables that MCP servers name by itself.
  const variables = { ...inheritedVariables(environment, Object.values(mcp).flatMap(namedVariables)), ...env };
  return {
    ...variablesWithout(variables, (name) => openaiVariables.includes(name) || name === endpointVariable),
    [ownerVariable]: environment.owner,
  };
}

const providerId = "sandbox-agent";

const switchedOff = ["plugins", "apps", "goals", "unbounded_connection_retries"];

function serverArguments(apiKey: string | null, endpoint: string | null): string[] {
  const config = [
    "check_for_update_on_startup=false",
    "suppress_unstable_features_warning=true",
    "features.default_mode_request_user_input=true",
    "tools.update_plan.enabled=true",
    // A closed session must not keep its MCP servers running.
    "thread_unload_delay_secs=1",
    ...(apiKey === null ? [] : ['cli_auth_credentials_store="ephemeral"']),
    ...(endpoint === null ? [] : providerConfig(endpoint, apiKey !== null)),
  ];
  return [...switchedOff.flatMap((feature) => ["--disable", feature]), ...config.flatMap((entry) => ["-c", entry])];
}

function providerConfig(endpoint: string, hasKey: boolean): string[] {
  const values = [
    // Codex sends items that only OpenAI supports to a provider with the name "OpenAI".
    'name="Custom endpoint"',
    `base_url=${JSON.stringify(endpoint)}`,
    `requires_openai_auth=${hasKey}`,
    "request_max_retries=2",
    "stream_max_retries=2",
  ];
  return [`model_provider="${providerId}"`, `model_providers.${providerId}={${values.join(",")}}`];
}
