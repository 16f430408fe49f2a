/**
 * The credential a session runs with. It reaches Claude Code through a descriptor instead of a variable, so that commands
 * of the model do not find it in their environment.
 */
import type { SessionSpec } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
import { type HandedFile, handFile } from "../process/handed-file.ts";
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

/** What the environment has to say about the credential. A gateway's token can only be told in a variable. */
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

/** The credential as an open file without a name. */
export function handOver(credential: NativeCredential | null): HandedFile {
  if (!credential || credential.kind === "gateway") return { descriptor: undefined, erase: () => {} };
  return handFile(credential.value);
}
