/**
 * The launch of an OpenCode server: command, environment and configuration. Sessions with the same `key` share a server.
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
  /** Values that are removed from everything the server writes. */
  secrets: readonly string[];
  /** Providers with a custom base URL, which may have models that OpenCode does not know. */
  customProviders: ReadonlySet<string>;
}

export type LaunchOverrides = Pick<SessionSpec, "env" | "credentials" | "endpoints" | "mcp">;

export const noOverrides: LaunchOverrides = { env: {}, credentials: {}, endpoints: {}, mcp: {} };

/** No updates, no downloads, no sharing. The user's environment takes precedence over these. */
const quiet = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_SHARE: "1",
  // Enables the tool with which the plan agent asks for approval.
  OPENCODE_EXPERIMENTAL_PLAN_MODE: "1",
};

export function launchFor(
  { command, env: needed = {} }: Pick<InstalledAgent, "command" | "env">,
  environment: AgentEnvironment,
  overrides: LaunchOverrides,
  { shell, models = [] }: { shell: string; models?: readonly string[] },
): Launch {
  const variables = { ...environment.env, ...overrides.env };
  // A service with a base URL but no key needs none, but its library requires a value.
  const keyless = Object.fromEntries(Object.keys(overrides.endpoints).map((provider) => [provider, "none"]));
  const keys = { ...keyless, ...providerKeys(environment, overrides) };
  const endpoints = { ...baseUrlsIn(variables), ...overrides.endpoints };
  const config = {
    share: "disabled",
    autoupdate: false,
    // Otherwise a session without a model uses a public service.
    ...(!keys.opencode && { disabled_providers: ["opencode"] }),
    permission: serverPermissions,
    agent: { plan: { permission: planPermissions } },
    provider: providers(keys, endpoints, models),
    mcp: mcpConfig(overrides.mcp, variables),
  };
  const env: Record<string, string> = {
    ...quiet,
    // OpenCode reads the keys of other providers from the environment.
    ...passedOn({ ...inheritedVariables(environment, modelKeyVariables), ...overrides.env }),
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
function providerKeys(environment: AgentEnvironment, overrides: LaunchOverrides): Record<string, string> {
  const found = credentialsByProvider(environment.credentials());
  const machine = Object.entries(found).flatMap(([provider, { source, auth_type, api_key }]) =>
    // OpenCode reads and refreshes its own file itself, and it cannot use login tokens of other programs.
    source === "opencode" || auth_type === "oauth" ? [] : [[provider, api_key] as const],
  );
  return { ...Object.fromEntries(machine), ...keysIn(overrides.env, keyVariables), ...overrides.credentials };
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

/** Anthropic's base URL has no version, except in the library that OpenCode uses. */
function nativeUrl(provider: string, url: string): string {
  const trimmed = url.replace(/\/+$/, "");
  return provider === "anthropic" && !trimmed.endsWith("/v1") ? `${trimmed}/v1` : trimmed;
}

/** Variables that the configuration replaces. */
const replaced = [...anthropicVariables, ...openaiVariables, "ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"];
const ours = /^(SANDBOX_AGENT|OPENCODE_SERVER)_/;

/** Variables that are passed on: not ours, and not those that the configuration replaces. */
function passedOn(variables: Variables): Record<string, string> {
  return variablesWithout(variables, (name) => ours.test(name) || replaced.includes(name));
}
