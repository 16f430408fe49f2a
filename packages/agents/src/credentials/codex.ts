/** The key or the login token of Codex. */
import { join } from "node:path";
import { readJson, textAt } from "../json.ts";
import type { Credential } from "./credentials.ts";
import type { CredentialSearch } from "./find-credentials.ts";

export function codexCredential({ home, oauth }: CredentialSearch): Credential | null {
  const auth = readJson(join(home, ".codex", "auth.json"));
  const key = textAt(auth, "OPENAI_API_KEY");
  if (key) return { provider: "openai", source: "codex", auth_type: "api_key", api_key: key };
  const token = oauth ? textAt(auth, "tokens", "access_token") : null;
  return token ? { provider: "openai", source: "codex", auth_type: "oauth", api_key: token } : null;
}
