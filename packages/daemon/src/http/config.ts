/** MCP servers and skills configured for a directory. */
import { requireScope } from "../access/authorize.ts";
import { redact, unredact } from "../config/redaction.ts";
import { secretsOfServer } from "../secrets/session-secrets.ts";
import { requireDirectory } from "../session/directory.ts";
import { findSkills, unlinkSkills } from "../session/skills.ts";
import type { HttpContext } from "./context.ts";
import type { Handlers } from "./router.ts";

export function configHandlers({ config, skillStore, secrets }: HttpContext) {
  async function unlinkStored(directory: string, name: string): Promise<void> {
    const stored = config.find("skills", directory, name);
    if (stored) await unlinkSkills(stored, directory, skillStore);
  }

  return {
    listMcpConfig({ query: { directory, reveal }, principal }) {
      if (reveal) requireScope(principal, "admin", "reveal");
      const entries = config.list("mcp", directory);
      return { servers: reveal ? entries : entries.map((entry) => ({ ...entry, config: redact(entry.config) })) };
    },
    getMcpConfig({ query: { directory, mcp_name, reveal }, principal }) {
      if (reveal) requireScope(principal, "admin", "reveal");
      const found = config.get("mcp", directory, mcp_name);
      return reveal ? found : redact(found);
    },
    async setMcpConfig({ query: { directory: given, mcp_name: name }, body }) {
      const directory = await requireDirectory(given);
      const server = unredact(body, config.find("mcp", directory, name));
      secrets.keep(secretsOfServer(server, process.env));
      config.set("mcp", { directory, name, config: server });
    },
    deleteMcpConfig: ({ query: { directory, mcp_name } }) => config.delete("mcp", directory, mcp_name),
    listSkillsConfig: ({ query: { directory } }) => ({ skills: config.list("skills", directory) }),
    getSkillsConfig: ({ query: { directory, skill_name } }) => config.get("skills", directory, skill_name),
    async setSkillsConfig({ query: { directory: given, skill_name: name }, body }) {
      const directory = await requireDirectory(given);
      await findSkills(body, directory, skillStore);
      await unlinkStored(directory, name);
      config.set("skills", { directory, name, config: body });
    },
    async deleteSkillsConfig({ query: { directory, skill_name: name } }) {
      await unlinkStored(directory, name);
      config.delete("skills", directory, name);
    },
  } satisfies Partial<Handlers>;
}
