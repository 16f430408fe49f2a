/**
 * Keys and base URLs of model providers for a session of Pi. They are passed to Pi on a file descriptor instead of in
 * variables, so that commands of the model do not find them in their environment.
 */
import type { SessionSpec } from "../agent.ts";
import { credentialsByProvider } from "../credentials/credentials.ts";
import type { AgentEnvironment } from "../environment.ts";
import { baseUrlsIn, keysIn } from "../variables.ts";
import type { ExtensionSetup } from "./extension.ts";

/** Variables with API keys that Pi reads, by Pi's name of the provider. */
const keyVariables: Record<string, readonly string[]> = {
  anthropic: ["ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_API_KEY"],
  openai: ["OPENAI_API_KEY", "CODEX_API_KEY"],
  google: ["GEMINI_API_KEY"],
  openrouter: ["OPENROUTER_API_KEY"],
  groq: ["GROQ_API_KEY"],
  xai: ["XAI_API_KEY"],
  mistral: ["MISTRAL_API_KEY"],
  deepseek: ["DEEPSEEK_API_KEY"],
  cerebras: ["CEREBRAS_API_KEY"],
  fireworks: ["FIREWORKS_API_KEY"],
  together: ["TOGETHER_API_KEY"],
  huggingface: ["HF_TOKEN"],
  zai: ["ZAI_API_KEY"],
  minimax: ["MINIMAX_API_KEY"],
  moonshotai: ["MOONSHOT_API_KEY"],
  "kimi-coding": ["KIMI_API_KEY"],
  opencode: ["OPENCODE_API_KEY"],
  "vercel-ai-gateway": ["AI_GATEWAY_API_KEY"],
};

/** Variables that are passed to Pi in another way, or that Pi does not use. */
export const replacedVariables = new Set([
  ...Object.values(keyVariables).flat(),
  "CLAUDE_CODE_OAUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "OPENAI_BASE_URL",
]);

type LaunchOverrides = Pick<SessionSpec, "credentials" | "env" | "endpoints">;

/** The provider configuration for Pi. A login or key that Pi stores itself takes precedence over those of the machine. */
export function providersFor(overrides: LaunchOverrides, environment: AgentEnvironment): ExtensionSetup["providers"] {
  const keys = { ...machineKeys(environment), ...keysIn(overrides.env, keyVariables), ...overrides.credentials };
  const urls = { ...baseUrlsIn({ ...environment.env, ...overrides.env }), ...overrides.endpoints };
  const names = [...new Set([...Object.keys(keys), ...Object.keys(urls)])];
  return Object.fromEntries(
    names.map((name) => {
      // A service with a base URL but no key needs none, but Pi requires a value.
      const key = keys[name] ?? (overrides.endpoints[name] ? "none" : undefined);
      const url = urls[name];
      return [name, { ...(key && { apiKey: literal(key) }), ...(url && { baseUrl: nativeUrl(name, url) }) }];
    }),
  );
}

/** Keys of the machine by provider. Logins of other programs are not used. */
export function machineKeys(environment: AgentEnvironment): Record<string, string> {
  const found = credentialsByProvider(environment.credentials());
  const usable = Object.entries(found).filter(([, { auth_type }]) => auth_type === "api_key");
  return {
    ...Object.fromEntries(usable.map(([name, { api_key }]) => [name, api_key])),
    ...keysIn(environment.env, keyVariables),
  };
}

/** Pi reads `$NAME` and a leading `!` in configured keys as variables and commands. */
function literal(key: string): string {
  return key.replaceAll("$", "$$$$").replace(/^!/, "$!");
}

function nativeUrl(provider: string, url: string): string {
  const trimmed = url.replace(/\/+$/, "");
  return provider === "anthropic" ? trimmed.replace(/\/v1$/, "") : trimmed;
}
