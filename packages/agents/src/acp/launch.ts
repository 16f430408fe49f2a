/** What an ACP agent is started with: program, environment and the secrets in it. */
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
  /** Whether it was given a key: if it still wants one, that one was refused. */
  hasKey: boolean;
  /** Values that must not appear in anything the agent says. */
  secrets: readonly string[];
}

export type LaunchWishes = Pick<SessionSpec, "env" | "credentials" | "endpoints" | "directory">;

export function launchFor(
  { id, args, env = {}, inheritEnv = [], keys = {}, endpoints = {}, authMethod }: AcpProfile,
  installed: InstalledAgent,
  environment: AgentEnvironment,
  wishes: LaunchWishes,
): Launch {
  const keyed = keyVariables(keys, environment, wishes);
  const addresses = Object.entries(endpoints).flatMap(([provider, variable]) => {
    const url = wishes.endpoints[provider];
    return url === undefined ? [] : [[variable, url]];
  });
  return {
    agent: id,
    command: [...installed.command, ...args],
    cwd: wishes.directory,
    env: {
      ...inheritedVariables(environment, inheritEnv),
      ...installed.env,
      ...env,
      ...wishes.env,
      ...keyed,
      ...Object.fromEntries(addresses),
      [ownerVariable]: environment.owner,
    },
    authMethod: authMethod ?? null,
    hasKey: Object.keys(keyed).length > 0,
    secrets: [
      ...Object.values(keyed),
      ...Object.values(wishes.credentials),
      ...secretsIn({ ...env, ...wishes.env }),
    ].filter((secret) => secret.length >= 8),
  };
}

/** The session's own keys win over variables, and those over what else was found on this machine. */
function keyVariables(
  keys: Readonly<Record<string, string>>,
  environment: AgentEnvironment,
  { credentials, env }: Pick<LaunchWishes, "credentials" | "env">,
): Record<string, string> {
  // To look for credentials takes many files.
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

/** Whether a key is there for one of the providers, or none is needed that we know of. */
export function hasKey({ keys = {} }: Pick<AcpProfile, "keys">, environment: AgentEnvironment): boolean {
  const found = keyVariables(keys, environment, { env: {}, credentials: {} });
  return Object.keys(keys).length === 0 || Object.keys(found).length > 0;
}
