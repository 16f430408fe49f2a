/** What a session's agent is set up with: what is configured for its directory, and on top of it what it brought itself. */
import type { CreateSessionRequest, McpServerConfig, SkillsConfig } from "@sandbox-agent/schema";
import type { DirectoryConfig } from "../config/directory-config.ts";

export interface Setup {
  directory: string;
  mcp: Record<string, McpServerConfig>;
  skills: SkillsConfig;
  /** Skills that the session did not bring itself. */
  directorySkills: SkillsConfig;
}

export function setupOf({ directory, mcp, skills }: CreateSessionRequest, config: DirectoryConfig): Setup {
  const place = directory ?? process.cwd();
  const servers = config.list("mcp", place).map((entry) => [entry.name, entry.config]);
  const directorySkills = { sources: config.list("skills", place).flatMap((entry) => entry.config.sources) };
  return {
    directory: place,
    mcp: { ...Object.fromEntries(servers), ...mcp },
    skills: { sources: [...directorySkills.sources, ...(skills?.sources ?? [])] },
    directorySkills,
  };
}

/** Two setups with the same fingerprint are the same to an agent. */
export function fingerprintOf({ mcp, skills }: Setup): string {
  return JSON.stringify([mcp, skills]);
}
