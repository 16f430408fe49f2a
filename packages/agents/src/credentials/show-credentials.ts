/** Credentials in the output for users and shells. */
import type { Credentials } from "./credentials.ts";

/** A masked key: enough to recognize it, too little to use it. */
export function redact(key: string): string {
  const characters = [...key.trim()];
  if (characters.length <= 8) return "****";
  return `${characters.slice(0, 4).join("")}...${characters.slice(-4).join("")}`;
}

/** The environment variables that pass the credentials to any agent. */
export function environmentFor({ anthropic, openai, other }: Credentials): Record<string, string> {
  return {
    ...(anthropic && { ANTHROPIC_API_KEY: anthropic.api_key, CLAUDE_API_KEY: anthropic.api_key }),
    ...(openai && { OPENAI_API_KEY: openai.api_key, CODEX_API_KEY: openai.api_key }),
    ...Object.fromEntries(Object.values(other).map(({ provider, api_key }) => [variableOf(provider), api_key])),
  };
}

/** Provider names may contain characters that are not valid in variable names. */
function variableOf(provider: string): string {
  return `${provider.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_API_KEY`;
}
