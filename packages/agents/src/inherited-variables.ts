/** The variables that a program inherits from the daemon: none of ours, and only the secrets that it needs. */
import { isSecretVariable } from "./credentials/secret-variables.ts";
import type { AgentEnvironment } from "./environment.ts";
import { variablesWithout } from "./variables.ts";

export const ownVariable = /^SANDBOX_AGENT_/;

/** `needed`: variables that are passed on although they contain secrets. */
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
