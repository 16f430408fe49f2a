/** Secrets of MCP servers: replaced by a placeholder when read, and preserved when the placeholder is written back. */
import { type McpServerConfig, ProblemError, redacted } from "@sandbox-agent/schema";

/** Fields that map names to values which may be secret. */
const secretMaps = ["env", "environment", "headers"] as const;

export function redact(config: McpServerConfig): McpServerConfig {
  return withSecrets(config, () => redacted);
}

/** Replaces the placeholders of a redacted configuration with the stored secrets. */
export function unredact(config: McpServerConfig, stored: McpServerConfig | null): McpServerConfig {
  const secrets = new Map<string, string>();
  if (stored) {
    withSecrets(stored, (place, value) => {
      secrets.set(place, value);
      return value;
    });
  }
  return withSecrets(config, (place, value) => {
    if (value !== redacted) return value;
    const secret = secrets.get(place);
    if (secret !== undefined) return secret;
    throw new ProblemError(
      "invalid_request",
      `${place} is "${redacted}", but no value is stored for it; send the value`,
    );
  });
}

/** The same configuration with every secret replaced. */
function withSecrets(config: McpServerConfig, replace: (place: string, value: string) => string): McpServerConfig {
  const copy = structuredClone(config);
  for (const field of secretMaps) {
    const map = field in copy ? Reflect.get(copy, field) : undefined;
    if (!isMap(map)) continue;
    for (const [name, value] of Object.entries(map)) map[name] = replace(`${field}.${name}`, value);
  }
  if ("oauth" in copy && copy.oauth && copy.oauth.clientSecret !== undefined)
    copy.oauth.clientSecret = replace("oauth.clientSecret", copy.oauth.clientSecret);
  return copy;
}

function isMap(value: unknown): value is Record<string, string> {
  return typeof value === "object" && value !== null;
}
