/** The key in Claude Code's configuration, or the token of its login. */
import { join } from "node:path";
import { isPast, readJson, textAt, valueAt } from "../json.ts";
import type { Credential } from "./credentials.ts";
import type { CredentialSearch } from "./find-credentials.ts";

const configFiles = [".claude.json.api", ".claude.json"];
const keyNames = ["primaryApiKey", "apiKey", "anthropicApiKey", "customApiKey"];
const loginFiles = [join(".claude", ".credentials.json"), ".claude-oauth-credentials.json"];

/** Keys of Anthropic start like this; other values in these places are ignored. */
const keyPrefix = "sk-ant-";

export function claudeCredential({ home, oauth }: CredentialSearch): Credential | null {
  const key = configFiles
    .map((file) => readJson(join(home, file)))
    .flatMap((config) => keyNames.map((name) => textAt(config, name)))
    .find((text) => text?.startsWith(keyPrefix));
  if (key) return { provider: "anthropic", source: "claude-code", auth_type: "api_key", api_key: key };
  if (!oauth) return null;
  const token = loginFiles.map((file) => loginToken(readJson(join(home, file)))).find((text) => text !== null);
  return token ? { provider: "anthropic", source: "claude-code", auth_type: "oauth", api_key: token } : null;
}

function loginToken(login: unknown): string | null {
  if (isPast(valueAt(login, "claudeAiOauth", "expiresAt"))) return null;
  return textAt(login, "claudeAiOauth", "accessToken");
}
