/** Which scopes the routes of OpenCode's API need. All of them need a token for all sessions. */
import type { Scope } from "@sandbox-agent/schema";

/** Sessions are created and prompted together with their permission mode here, which is for those who may approve. */
const converse: readonly Scope[] = ["read", "prompt", "approve"];

const changing: Record<string, readonly Scope[]> = {
  "POST /session": converse,
  "PATCH /session/:sessionID": converse,
  "POST /session/:sessionID/message": converse,
  "POST /session/:sessionID/prompt_async": converse,
  "POST /session/:sessionID/command": converse,
  "POST /session/:sessionID/init": converse,
  "POST /session/:sessionID/fork": converse,
  "POST /session/:sessionID/abort": ["prompt"],
  "POST /session/:sessionID/permissions/:requestID": ["approve"],
  "POST /permission/:requestID/reply": ["approve"],
  "POST /question/:requestID/reply": ["approve"],
  "POST /question/:requestID/reject": ["approve"],
  "POST /session/:sessionID/revert": ["files"],
  "POST /session/:sessionID/unrevert": ["files"],
  "POST /log": ["read"],
};

/** `route` is a method and a pattern, as in the table of routes. What is not listed needs everything. */
export function scopesOfRoute(route: string): readonly Scope[] {
  if (/^\w+ \/pty(\/|$)/.test(route)) return ["processes"];
  return changing[route] ?? (route.startsWith("GET ") ? ["read"] : ["admin"]);
}
