/** The launch of an ACP agent: command, environment and the secrets in it. */
import type { SessionSpec } from "../agent.ts";
import { credentialsByProvider } from "../credentials/credentials.ts";
import { secretsIn } from "../credentials/secret-variables.ts";
import type { AgentEnvironment } from "../environment.ts";
import { inheritedVariables } from "../inherited-variables.ts";
import type { InstalledAgent } from "../install/installer.ts";
import { ownerVariable } from "../process/tree.ts";
import type { AcpProfile } from "./profile.ts";

export interface Launch {
  agent: string;
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  authMethod: string | null;
  /** Whether a key was passed: if the agent still requires one, the key was rejected. */
  hasKey: boolean;
  /** Values that are removed from everything the agent writes. */
  secrets: readonly string[];
}

export type LaunchOverrides = Pick<SessionSpec, "env" | "credentials" | "endpoints" | "directory">;

export function launchFor(
  { id, args, env = {}, inheritEnv = [], keys = {}, endpoints = {}, authMethod }: AcpProfile,
  installed: InstalledAgent,
  environment: AgentEnvironment,
  overrides: LaunchOverrides,
): Launch {
  const keyed = keyVariables(keys, environment, overrides);
  const addresses = Object.entries(endpoints).flatMap(([provider, variable]) => {
    const url = overrides.endpoints[provider];
    return url === undefined ? [] : [[variable, url]];
  });
  return {
    agent: id,
    command: [...installed.command, ...args],
    cwd: overrides.directory,
    env: {
      ...inheritedVariables(environment, inheritEnv),
      ...installed.env,
      ...env,
      ...overrides.env,
      ...keyed,
      ...Object.fromEntries(addresses),
      [ownerVariable]: environment.owner,
    },
    authMethod: authMethod ?? null,
    hasKey: Object.keys(keyed).length > 0,
    secrets: [
      ...Object.values(keyed),
      ...Object.values(overrides.credentials),
      ...secretsIn({ ...env, ...overrides.env }),
    ].filter((secret) => secret.length >= 8),
  };
}

/** Keys of the session take precedence over variables, and those over other credentials of this machine. */
function keyVariables(
  keys: Readonly<Record<string, string>>,
  environment: AgentEnvironment,
  { credentials, env }: Pick<LaunchOverrides, "credentials" | "env">,
): Record<string, string> {
  // Finding credentials reads many files.
  if (Object.keys(keys).length === 0) return {};
  const found = credentialsByProvider(environment.credentials());
  const entries = Object.entries(keys).flatMap(([provider, variable]) => {
    const machine = found[provider];
    const key =
      credentials[provider] ||
      env[variable] ||
      environment.env[variable] ||
      (machine?.auth_type === "api_key" ? machine.api_key : null);
    return key ? [[variable, key]] : [];
  });
  return Object.fromEntries(entries);
}

/** Whether there is a key for one of the providers, or no key is known to be needed. */
export function hasKey({ keys = {} }: Pick<AcpProfile, "keys">, environment: AgentEnvironment): boolean {
  const found = keyVariables(keys, environment, { env: {}, credentials: {} });
  return Object.keys(keys).length === 0 || Object.keys(found).length > 0;
}
