/** Credentials as people and shells see them. */
import type { Credentials } from "./credentials.ts";

/** Enough of a key to recognise it, too little to use it. */
export function redact(key: string): string {
  const characters = [...key.trim()];
  if (characters.length <= 8) return "****";
  return `${characters.slice(0, 4).join("")}...${characters.slice(-4).join("")}`;
}

/** The environment variables that hand the credentials to any agent. */
export function environmentFor({ anthropic, openai, other }: Credentials): Record<string, string> {
  return {
    ...(anthropic && { ANTHROPIC_API_KEY: anthropic.api_key, CLAUDE_API_KEY: anthropic.api_key }),
    ...(openai && { OPENAI_API_KEY: openai.api_key, CODEX_API_KEY: openai.api_key }),
    ...Object.fromEntries(Object.values(other).map(({ provider, api_key }) => [variableOf(provider), api_key])),
  };
}

/** Names of providers are free text, those of variables are not. */
function variableOf(provider: string): string {
  return `${provider.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_API_KEY`;
}
