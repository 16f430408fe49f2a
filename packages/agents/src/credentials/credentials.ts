/** Credentials for model providers, from the environment and the configuration of agents. */
export interface Credential {
  provider: string;
  source: "environment" | "claude-code" | "codex" | "opencode" | "amp";
  auth_type: "api_key" | "oauth";
  api_key: string;
}

export interface Credentials {
  anthropic: Credential | null;
  openai: Credential | null;
  other: Record<string, Credential>;
}

export function credentialsByProvider({ anthropic, openai, other }: Credentials): Record<string, Credential> {
  return { ...other, ...(anthropic && { anthropic }), ...(openai && { openai }) };
}
