/** The environment of a process: the daemon's, the client's variables, and a mark to find leftover processes. */
import { ownerVariable } from "@sandbox-agent/agents";

export function processEnvironment(
  daemon: Readonly<Record<string, string | undefined>>,
  added: Record<string, string>,
  owner: string,
): Record<string, string> {
  // The daemon's own variables contain its token.
  const inherited = Object.entries(daemon).flatMap(([name, value]) =>
    value === undefined || name.startsWith("SANDBOX_AGENT_") ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(inherited), ...added, [ownerVariable]: owner };
}
