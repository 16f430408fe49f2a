/** The MCP servers and skills of a session's agent: those configured for its directory, then those of the session itself. */
import type { CreateSessionRequest, McpServerConfig, SkillsConfig } from "@sandbox-agent/schema";
import type { DirectoryConfig } from "../config/directory-config.ts";

export interface Setup {
  directory: string;
  mcp: Record<string, McpServerConfig>;
  skills: SkillsConfig;
  /** Skills configured for the directory, not for the session. */
  directorySkills: SkillsConfig;
}

export function setupOf({ directory, mcp, skills }: CreateSessionRequest, config: DirectoryConfig): Setup {
  const workingDirectory = directory ?? process.cwd();
  const servers = config.list("mcp", workingDirectory).map((entry) => [entry.name, entry.config]);
  const directorySkills = { sources: config.list("skills", workingDirectory).flatMap((entry) => entry.config.sources) };
  return {
    directory: workingDirectory,
    mcp: { ...Object.fromEntries(servers), ...mcp },
    skills: { sources: [...directorySkills.sources, ...(skills?.sources ?? [])] },
    directorySkills,
  };
}

/** An agent is restarted when the fingerprint of its setup changes. */
export function fingerprintOf({ mcp, skills }: Setup): string {
  return JSON.stringify([mcp, skills]);
}
