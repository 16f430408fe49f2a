/** The logins of OpenCode, by provider. */
import { join } from "node:path";
import { isPast, members, readJson, textAt, valueAt } from "../json.ts";
import type { Credential } from "./credentials.ts";
import type { CredentialSearch } from "./find-credentials.ts";

export function opencodeCredentials({ home, oauth }: CredentialSearch): Record<string, Credential> {
  const logins = members(readJson(join(home, ".local", "share", "opencode", "auth.json")));
  const found = Object.entries(logins).map(([provider, login]) => credentialOf(provider, login, oauth));
  return Object.fromEntries(found.filter((credential) => credential !== null).map((entry) => [entry.provider, entry]));
}

function credentialOf(provider: string, login: unknown, oauth: boolean): Credential | null {
  const type = valueAt(login, "type");
  const key = type === "api" ? textAt(login, "key") : null;
  if (key) return { provider, source: "opencode", auth_type: "api_key", api_key: key };
  const isUsable = type === "oauth" && oauth && !isPast(valueAt(login, "expires"));
  const token = isUsable ? textAt(login, "access") : null;
  return token ? { provider, source: "opencode", auth_type: "oauth", api_key: token } : null;
}
