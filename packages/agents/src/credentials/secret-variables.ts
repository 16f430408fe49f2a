/**
 * Environment variables with secrets: the keys of model providers, known by name, and all others whose names look like
 * secrets. Their values are redacted, and an agent inherits only those that it needs.
 */
import type { Variables } from "../variables.ts";

export type { Variables } from "../variables.ts";

/** Keys of model providers, for agents that support any provider. */
export const modelKeyVariables = [
  "AI_GATEWAY_API_KEY",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_FOUNDRY_API_KEY",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AZURE_API_KEY",
  "AZURE_OPENAI_API_KEY",
  "CEREBRAS_API_KEY",
  "CLAUDE_API_KEY",
  "CODEX_API_KEY",
  "COHERE_API_KEY",
  "DASHSCOPE_API_KEY",
  "DEEPINFRA_API_KEY",
  "DEEPSEEK_API_KEY",
  "FIREWORKS_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "GROQ_API_KEY",
  "HF_TOKEN",
  "HUGGINGFACE_API_KEY",
  "KIMI_API_KEY",
  "MINIMAX_API_KEY",
  "MISTRAL_API_KEY",
  "MOONSHOT_API_KEY",
  "NVIDIA_API_KEY",
  "OPENAI_API_KEY",
  "OPENCODE_API_KEY",
  "OPENROUTER_API_KEY",
  "PERPLEXITY_API_KEY",
  "TOGETHER_API_KEY",
  "XAI_API_KEY",
  "ZAI_API_KEY",
];

/** Keys and logins of single agents. */
const serviceKeyVariables = [
  "AMP_API_KEY",
  "ANTHROPIC_OAUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "COPILOT_GITHUB_TOKEN",
  "COPILOT_PROVIDER_API_KEY",
  "CURSOR_API_KEY",
  "CURSOR_AUTH_TOKEN",
];

const keyVariables = new Set([...modelKeyVariables, ...serviceKeyVariables]);

/** Shorter values are not redacted, because they are likely to be ordinary words. */
export const minSecretCharacters = 8;

const secretName = /token|secret|passw|passphrase|credential|(?:^|[_.-]|api|access|private|auth)key(?![a-z])/i;
/** Not secrets: git fails if one of these is missing. */
const neverSecret = /^GIT_CONFIG_(?:KEY|VALUE)_\d+$/;
const addressName = /(?:UR[LI]|ENDPOINT|HOST|SERVER|ISSUER|ADDR(?:ESS)?)$/i;
const pathOrSwitch = /^(?:true|false|yes|no|on|off|[\d.]{0,7}|(?:~|\.{1,2})?(?:\/[\w.@ -]+){2,}\/?)$/i;
/** Passwords of test databases and the like: redacting `postgres` would make conversations unreadable. */
const ordinaryWord = /^(?:[a-z]{1,11}|[A-Z]{1,11})$/;

/** Whether the variable has the name of a secret and its value may be one: not a path, flag, small number or plain URL. */
export function isSecretVariable(name: string, value: string): boolean {
  if (keyVariables.has(name)) return true;
  if (!secretName.test(name) || neverSecret.test(name) || pathOrSwitch.test(value)) return false;
  return !(addressName.test(name) && URL.canParse(value));
}

/** The values to redact, including passwords and keys in URLs. */
export function secretsIn(variables: Variables): string[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    if (!value) return [];
    const inAddress = secretsInAddress(value);
    return isSecretVariable(name, value) && !ordinaryWord.test(value) ? [value, ...inAddress] : inAddress;
  });
}

/** The password of a URL, and its query parameters with names of secrets. */
export function secretsInAddress(text: string): string[] {
  if (!text.includes("://")) return [];
  const url = URL.parse(text);
  if (!url) return [];
  const parameters = [...url.searchParams].flatMap(([name, value]) => (isSecretVariable(name, value) ? [value] : []));
  return [decoded(url.password), ...parameters].filter((value) => value !== "" && !ordinaryWord.test(value));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
