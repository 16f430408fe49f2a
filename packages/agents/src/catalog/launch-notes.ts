/** What the registry does not say about its agents: where keys and endpoints go, how to log in with a key, switches. */
import type { AgentDefinition } from "@sandbox-agent/schema";

type Notes = Pick<AgentDefinition, "keys" | "endpoints" | "authMethod" | "env" | "asksQuestions">;

export const launchNotes: Readonly<Record<string, Notes>> = {
  "claude-acp": {
    asksQuestions: true,
    keys: { anthropic: "ANTHROPIC_API_KEY" },
    endpoints: { anthropic: "ANTHROPIC_BASE_URL" },
  },
  "codex-acp": {
    asksQuestions: true,
    keys: { openai: "OPENAI_API_KEY" },
    authMethod: "api-key",
  },
  gemini: {
    keys: { google: "GEMINI_API_KEY" },
    endpoints: { google: "GOOGLE_GEMINI_BASE_URL" },
    authMethod: "gemini-api-key",
  },
  "github-copilot-cli": {
    keys: { openai: "COPILOT_PROVIDER_API_KEY" },
    endpoints: { openai: "COPILOT_PROVIDER_BASE_URL" },
  },
  "qwen-code": {
    asksQuestions: true,
    keys: { openai: "OPENAI_API_KEY" },
    endpoints: { openai: "OPENAI_BASE_URL" },
    // Otherwise MCP servers come up in the background, and the first turns do without them.
    env: { QWEN_CODE_LEGACY_MCP_BLOCKING: "1" },
  },
};
