/** Credentials in environment variables. An empty variable counts as not set. */
import type { Credential } from "./credentials.ts";
import type { CredentialSearch } from "./find-credentials.ts";

export function anthropicInEnvironment({ env, oauth }: CredentialSearch): Credential | null {
  const key = env.ANTHROPIC_API_KEY || env.CLAUDE_API_KEY;
  if (key) return { provider: "anthropic", source: "environment", auth_type: "api_key", api_key: key };
  const token = env.CLAUDE_CODE_OAUTH_TOKEN || env.ANTHROPIC_AUTH_TOKEN;
  if (!oauth || !token) return null;
  return { provider: "anthropic", source: "environment", auth_type: "oauth", api_key: token };
}

export function openaiInEnvironment({ env }: CredentialSearch): Credential | null {
  const key = env.OPENAI_API_KEY || env.CODEX_API_KEY;
  return key ? { provider: "openai", source: "environment", auth_type: "api_key", api_key: key } : null;
}
