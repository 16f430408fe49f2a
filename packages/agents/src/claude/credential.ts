/**
 * The credential of a session. It is passed to Claude Code on a file descriptor instead of a variable, so that commands of
 * the model do not find it in their environment.
 */
import type { SessionSpec } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
import { openSecretFd, type SecretFd } from "../process/secret-fd.ts";
import type { Variables } from "../variables.ts";

export interface NativeCredential {
  kind: "key" | "login" | "gateway";
  value: string;
}

/** Null: Claude Code's own login, settings or cloud provider, if there is one. */
export function credentialFor(
  spec: Pick<SessionSpec, "credentials" | "env">,
  environment: AgentEnvironment,
): NativeCredential | null {
  if (spec.credentials.anthropic) return keyOrLogin(spec.credentials.anthropic);
  const ofSession = inVariables(spec.env);
  if (ofSession) return ofSession;
  const found = environment.credentials().anthropic;
  if (!found || found.source === "claude-code") return null;
  if (found.source === "environment") return inVariables(environment.env);
  return { kind: found.auth_type === "oauth" ? "login" : "key", value: found.api_key };
}

function inVariables(env: Variables): NativeCredential | null {
  const key = env.ANTHROPIC_API_KEY || env.CLAUDE_API_KEY;
  if (key) return { kind: "key", value: key };
  if (env.CLAUDE_CODE_OAUTH_TOKEN) return { kind: "login", value: env.CLAUDE_CODE_OAUTH_TOKEN };
  return env.ANTHROPIC_AUTH_TOKEN ? { kind: "gateway", value: env.ANTHROPIC_AUTH_TOKEN } : null;
}

function keyOrLogin(value: string): NativeCredential {
  return { kind: value.startsWith("sk-ant-oat") ? "login" : "key", value };
}

/** The variables that refer to the credential. A gateway token can only be passed in a variable. */
export function credentialEnvironment(credential: NativeCredential | null): Record<string, string> {
  switch (credential?.kind) {
    case "key":
      return { CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR: "3" };
    case "login":
      return { CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR: "3" };
    case "gateway":
      return { ANTHROPIC_AUTH_TOKEN: credential.value };
    default:
      return {};
  }
}

/** The credential on an inherited file descriptor. */
export function credentialFd(credential: NativeCredential | null): SecretFd {
  if (!credential || credential.kind === "gateway") return { descriptor: undefined, erase: () => {} };
  return openSecretFd(credential.value);
}
