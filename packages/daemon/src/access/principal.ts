/** Who sends a request, and what they may do. */
import type { Scope } from "@sandbox-agent/schema";

export interface Principal {
  /** `root`, `open` when the daemon has no token, else the id of the token or the subject at the identity provider. */
  id: string;
  kind: "root" | "open" | "token" | "identity";
  scopes: ReadonlySet<Scope>;
  /** null = all sessions. */
  sessions: ReadonlySet<string> | null;
  /** In milliseconds; null = never. */
  expiresAt: number | null;
  /** Aborted when the token expires or is revoked; null = never. Streams and sockets end with it. */
  ended: AbortSignal | null;
}

const everything = { scopes: new Set<Scope>(["admin"]), sessions: null, expiresAt: null, ended: null } as const;
/** Whoever has the token the daemon was started with. */
export const root: Principal = { id: "root", kind: "root", ...everything };
/** Anybody, where the daemon was started with `--no-token`. */
export const open: Principal = { id: "open", kind: "open", ...everything };

export function hasScope({ scopes }: Principal, scope: Scope): boolean {
  return scopes.has("admin") || scopes.has(scope);
}

export function mayUseSession({ sessions }: Principal, sessionId: string): boolean {
  return sessions === null || sessions.has(sessionId);
}
