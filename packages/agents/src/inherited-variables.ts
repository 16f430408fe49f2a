/** What of the daemon's environment a program gets: nothing of ours, and no secret but those that it needs. */
import { isSecretVariable } from "./credentials/secret-variables.ts";
import type { AgentEnvironment } from "./environment.ts";
import { variablesWithout } from "./variables.ts";

export const ownVariable = /^SANDBOX_AGENT_/;

/** `needed`: variables that it gets although they hold secrets. */
export function inheritedVariables(
  { env, inherit }: Pick<AgentEnvironment, "env" | "inherit">,
  needed: Iterable<string> = [],
): Record<string, string> {
  const allowed = new Set([...needed, ...inherit]);
  return variablesWithout(
    env,
    (name, value) => ownVariable.test(name) || (isSecretVariable(name, value) && !allowed.has(name)),
  );
}
