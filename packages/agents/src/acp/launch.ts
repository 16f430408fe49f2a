/** What an ACP agent is started with: program, environment and the secrets in it. */
import type { SessionSpec } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
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
  { id, args, env = {}, endpoints = {}, authMethod, ...profile }: AcpProfile,
  installed: InstalledAgent,
  environment: AgentEnvironment,
  wishes: LaunchWishes,
): Launch {
  const keys = keyVariables({ ...profile, keys: profile.keys ?? {} }, environment, wishes);
  const addresses = Object.entries(endpoints).flatMap(([provider, variable]) => {
    const url = wishes.endpoints[provider];
    return url === undefined ? [] : [[variable, url]];
  });
  return {
    agent: id,
    command: [...installed.command, ...args],
    cwd: wishes.directory,
    env: {
      ...inherited(environment.env),
      ...installed.env,
      ...env,
      ...wishes.env,
      ...keys,
      ...Object.fromEntries(addresses),
      [ownerVariable]: environment.owner,
    },
    authMethod: authMethod ?? null,
    hasKey: Object.keys(keys).length > 0,
    secrets: [
      ...Object.values(keys),
      ...Object.values(wishes.credentials),
      ...namedSecrets({ ...env, ...wishes.env }),
    ].filter((secret) => secret.length >= 8),
  };
}

/** Values of variables that are called like secrets. */
function namedSecrets(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    /key|token|secret|passw|credential/i.test(name) ? [value] : [],
  );
}

/** The session's own keys win over variables, and those over what else was found on this machine. */
function keyVariables(
  { keys }: { keys: Readonly<Record<string, string>> },
  environment: AgentEnvironment,
  { credentials, env }: LaunchWishes,
): Record<string, string> {
  // To look for credentials takes many files.
  if (Object.keys(keys).length === 0) return {};
  const found = environment.credentials();
  const entries = Object.entries(keys).flatMap(([provider, variable]) => {
    const machine = provider === "anthropic" || provider === "openai" ? found[provider] : found.other[provider];
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
export function hasKey({ keys }: Pick<AcpProfile, "keys">, environment: AgentEnvironment): boolean {
  if (!keys || Object.keys(keys).length === 0) return true;
  const wishes = { env: {}, credentials: {}, endpoints: {}, directory: "/" };
  return Object.keys(keyVariables({ keys }, environment, wishes)).length > 0;
}

function inherited(env: AgentEnvironment["env"]): Record<string, string> {
  const entries = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || name === "SANDBOX_AGENT_TOKEN" ? [] : [[name, value]],
  );
  return Object.fromEntries(entries);
}
