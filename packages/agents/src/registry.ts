/** All built-in agents, by id. A new agent needs a folder, a line here, and its id in `builtin.ts`. */
import { describe } from "./acp/description.ts";
import { type Agent, sharedSkillFolder } from "./agent.ts";
import { amp } from "./amp/description.ts";
import type { BuiltinId } from "./builtin.ts";
import { claude, skillFolder as claudeSkillFolder } from "./claude/description.ts";
import { codex } from "./codex/description.ts";
import { cursorProfile } from "./cursor/profile.ts";
import type { AgentEnvironment } from "./environment.ts";
import { lazyAgent } from "./lazy-agent.ts";
import { mockAgent } from "./mock/mock.ts";
import { skillFolder as openCodeSkillFolder, opencode } from "./opencode/description.ts";
import { pi } from "./pi/description.ts";

export type AgentRegistry = ReadonlyMap<string, Agent>;

/** The folders of a working directory in which agents look for skills. */
export const skillFolders = [sharedSkillFolder, claudeSkillFolder, openCodeSkillFolder];

export function agentRegistry(environment: AgentEnvironment): AgentRegistry {
  const agents: Record<BuiltinId, Agent> = {
    claude: lazyAgent(claude, async () => (await import("./claude/agent.ts")).createClaudeAgent(environment)),
    codex: lazyAgent(codex, async () => (await import("./codex/agent.ts")).createCodexAgent(environment)),
    opencode: lazyAgent(opencode, async () => (await import("./opencode/agent.ts")).createOpenCodeAgent(environment)),
    pi: lazyAgent(pi, async () => (await import("./pi/agent.ts")).createPiAgent(environment)),
    cursor: lazyAgent(describe(cursorProfile), async () =>
      (await import("./acp/agent.ts")).createAcpAgent(cursorProfile, environment),
    ),
    amp: lazyAgent(amp, async () => (await import("./amp/agent.ts")).createAmpAgent(environment)),
    mock: mockAgent,
  };
  return new Map(Object.entries(agents));
}
