/** Settings that the ACP registry lacks for its agents: variables for keys and endpoints, login method, environment, questions. */
import type { AgentDefinition } from "@sandbox-agent/schema";
import { modelKeyVariables } from "../credentials/secret-variables.ts";

type Override = Pick<AgentDefinition, "keys" | "inheritEnv" | "endpoints" | "authMethod" | "env" | "asksQuestions">;

export const registryOverrides: Readonly<Record<string, Override>> = {
  "claude-acp": {
    asksQuestions: true,
    keys: { anthropic: "ANTHROPIC_API_KEY" },
    inheritEnv: ["ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    endpoints: { anthropic: "ANTHROPIC_BASE_URL" },
  },
  "codex-acp": {
    asksQuestions: true,
    keys: { openai: "OPENAI_API_KEY" },
    inheritEnv: ["CODEX_API_KEY"],
    authMethod: "api-key",
  },
  gemini: {
    keys: { google: "GEMINI_API_KEY" },
    inheritEnv: ["GOOGLE_API_KEY"],
    endpoints: { google: "GOOGLE_GEMINI_BASE_URL" },
    authMethod: "gemini-api-key",
  },
  "github-copilot-cli": {
    keys: { openai: "COPILOT_PROVIDER_API_KEY" },
    inheritEnv: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
    endpoints: { openai: "COPILOT_PROVIDER_BASE_URL" },
  },
  "qwen-code": {
    asksQuestions: true,
    keys: { openai: "OPENAI_API_KEY" },
    inheritEnv: ["DASHSCOPE_API_KEY"],
    endpoints: { openai: "OPENAI_BASE_URL" },
    // Otherwise MCP servers start in the background and are missing in the first turns.
    env: { QWEN_CODE_LEGACY_MCP_BLOCKING: "1" },
  },
  // These agents use models of any provider or of their own service, and read the keys from the environment.
  "amp-acp": { inheritEnv: ["AMP_API_KEY"] },
  auggie: { inheritEnv: ["AUGMENT_API_TOKEN", "AUGMENT_SESSION_AUTH"] },
  cline: { inheritEnv: modelKeyVariables },
  deepagents: { inheritEnv: modelKeyVariables },
  "factory-droid": { inheritEnv: ["FACTORY_API_KEY"] },
  "fast-agent": { inheritEnv: modelKeyVariables },
  "glm-acp-agent": { inheritEnv: ["ZAI_API_KEY", "Z_AI_API_KEY"] },
  goose: { inheritEnv: modelKeyVariables },
  "grok-build": { inheritEnv: ["XAI_API_KEY"] },
  junie: { inheritEnv: ["JUNIE_API_KEY"] },
  kilo: { inheritEnv: modelKeyVariables },
  "pi-acp": { inheritEnv: modelKeyVariables },
  vtcode: { inheritEnv: modelKeyVariables },
};
