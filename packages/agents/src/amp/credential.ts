/** The key of the Amp service that a session runs with. Keys of model providers are of no use to Amp. */
import type { SessionSpec } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";

export function ampKey(spec: Pick<SessionSpec, "credentials" | "env">, environment: AgentEnvironment): string | null {
  return spec.credentials.amp || spec.env.AMP_API_KEY || environment.credentials().other.amp?.api_key || null;
}
