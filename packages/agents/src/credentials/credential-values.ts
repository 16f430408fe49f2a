/** All values in credential files that must be redacted, including those that are not used. */
import { join } from "node:path";
import { members, readJson } from "../json.ts";
import type { CredentialSearch } from "./find-credentials.ts";
import { isSecretVariable } from "./secret-variables.ts";

const files = [
  [".claude.json.api"],
  [".claude.json"],
  [".claude", ".credentials.json"],
  [".claude-oauth-credentials.json"],
  [".codex", "auth.json"],
  [".amp", "config.json"],
  [".local", "share", "opencode", "auth.json"],
  [".local", "share", "amp", "secrets.json"],
];

/** Maximum nesting of logins in these files. */
const maxDepth = 3;

/** Names that are secrets in these files only. */
const loginName = /^(?:access|refresh|auth|key)$/i;

export function credentialValues({ env, home }: Pick<CredentialSearch, "env" | "home">): string[] {
  const data = env.XDG_DATA_HOME;
  const paths = [...files.map((parts) => join(home, ...parts)), ...(data ? [join(data, "amp", "secrets.json")] : [])];
  return paths.flatMap((path) => secretsOf(readJson(path), maxDepth));
}

function secretsOf(value: unknown, depth: number): string[] {
  return Object.entries(members(value)).flatMap(([name, member]) => {
    if (typeof member === "string")
      return loginName.test(name) || isSecretVariable(name, member) ? [member.trim()] : [];
    return depth > 1 ? secretsOf(member, depth - 1) : [];
  });
}
