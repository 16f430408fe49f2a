/**
 * What a server of OpenCode is started with: program, environment and configuration. Sessions that need the same share
 * one server; `key` says whether they do.
 */
import type { SessionSpec } from "../agent.ts";
import { credentialsByProvider } from "../credentials/credentials.ts";
import { modelKeyVariables } from "../credentials/secret-variables.ts";
import type { AgentEnvironment } from "../environment.ts";
import { inheritedVariables } from "../inherited-variables.ts";
import type { InstalledAgent } from "../install/installer.ts";
import { ownerVariable } from "../process/tree.ts";
import {
  anthropicVariables,
  baseUrlsIn,
  keysIn,
  openaiVariables,
  type Variables,
  variablesWithout,
} from "../variables.ts";
import { keyVariables } from "./guard.ts";
import { mcpConfig } from "./mcp.ts";
import { planPermissions, serverPermissions } from "./modes.ts";

export interface Launch {
  key: string;
  command: readonly string[];
  env: Record<string, string>;
  /** Values that must not appear in anything the server says. */
  secrets: readonly string[];
  /** Providers that are reached at an address of the user's, which may have models nobody knows. */
  customProviders: ReadonlySet<string>;
}

export type LaunchWishes = Pick<SessionSpec, "env" | "credentials" | "endpoints" | "mcp">;

export const noWishes: LaunchWishes = { env: {}, credentials: {}, endpoints: {}, mcp: {} };

/** No updates, no downloads, no sharing. What the user sets in the environment wins over these. */
const quiet = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_SHARE: "1",
  // Brings the tool with which the plan agent asks whether its plan may be carried out.
  OPENCODE_EXPERIMENTAL_PLAN_MODE: "1",
};

export function launchFor(
  { command, env: needed = {} }: Pick<InstalledAgent, "command" | "env">,
  environment: AgentEnvironment,
  wishes: LaunchWishes,
  { shell, models = [] }: { shell: string; models?: readonly string[] },
): Launch {
  const variables = { ...environment.env, ...wishes.env };
  // An address without a key is a service that wants none; its library insists on one all the same.
  const keyless = Object.fromEntries(Object.keys(wishes.endpoints).map((provider) => [provider, "none"]));
  const keys = { ...keyless, ...providerKeys(environment, wishes) };
  const endpoints = { ...baseUrlsIn(variables), ...wishes.endpoints };
  const config = {
    share: "disabled",
    autoupdate: false,
    // Otherwise a session without a model ends up at a public service.
    ...(!keys.opencode && { disabled_providers: ["opencode"] }),
    permission: serverPermissions,
    agent: { plan: { permission: planPermissions } },
    provider: providers(keys, endpoints, models),
    mcp: mcpConfig(wishes.mcp, variables),
  };
  const env: Record<string, string> = {
    ...quiet,
    // Keys of other providers OpenCode finds in the environment by itself.
    ...passedOn({ ...inheritedVariables(environment, modelKeyVariables), ...wishes.env }),
    ...needed,
    SHELL: shell,
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    [ownerVariable]: environment.owner,
  };
  const key = new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([command, Object.entries(env).sort()]))
    .digest("hex");
  const inEnvironment = Object.values(keyVariables).flatMap((names) => names.map((name) => env[name] ?? ""));
  const secrets = [...Object.values(keys), ...inEnvironment].filter((secret) => secret.length >= 8);
  return {
    key,
    command,
    env,
    secrets,
    customProviders: new Set(Object.keys(endpoints).filter((name) => name in keys)),
  };
}

/** Keys by provider: those of the session, in `credentials` or `env`, then those of the machine. */
function providerKeys(environment: AgentEnvironment, wishes: LaunchWishes): Record<string, string> {
  const found = credentialsByProvider(environment.credentials());
  const machine = Object.entries(found).flatMap(([provider, { source, auth_type, api_key }]) =>
    // Its own file OpenCode reads itself, and refreshes it; tokens of other programs' logins it cannot use.
    source === "opencode" || auth_type === "oauth" ? [] : [[provider, api_key] as const],
  );
  return { ...Object.fromEntries(machine), ...keysIn(wishes.env, keyVariables), ...wishes.credentials };
}

function providers(
  keys: Record<string, string>,
  endpoints: Record<string, string>,
  models: readonly string[],
): Record<string, unknown> {
  const entries = Object.keys(keys)
    .sort()
    .map((name) => {
      const url = endpoints[name];
      const own = models.filter((model) => model.startsWith(`${name}/`)).map((model) => model.slice(name.length + 1));
      const options = { apiKey: keys[name], ...(url && { baseURL: nativeUrl(name, url) }) };
      return [name, { options, ...(own.length > 0 && { models: Object.fromEntries(own.map((id) => [id, {}])) }) }];
    });
  return Object.fromEntries(entries);
}

/** Anthropic's address is written without the version everywhere but in the library that OpenCode uses. */
function nativeUrl(provider: string, url: string): string {
  const trimmed = url.replace(/\/+$/, "");
  return provider === "anthropic" && !trimmed.endsWith("/v1") ? `${trimmed}/v1` : trimmed;
}

/** What the configuration says instead. */
const replaced = [...anthropicVariables, ...openaiVariables, "ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"];
const ours = /^(SANDBOX_AGENT|OPENCODE_SERVER)_/;

/** Variables that reach the server as they are: not ours, and not what its configuration already says. */
function passedOn(variables: Variables): Record<string, string> {
  return variablesWithout(variables, (name) => ours.test(name) || replaced.includes(name));
}
