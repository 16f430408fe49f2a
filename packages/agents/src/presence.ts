/** The result of `inspect` for an agent that is an installed program. */
import type { AgentPresence } from "./agent.ts";
import type { AgentEnvironment } from "./environment.ts";

export async function presenceOf(
  agent: string,
  { installer }: AgentEnvironment,
  credentialsAvailable: boolean,
): Promise<AgentPresence> {
  const found = await installer.find(agent);
  return {
    installed: found !== null,
    credentialsAvailable,
    ...(found && { path: found.path, ...(found.version && { version: found.version }) }),
  };
}
