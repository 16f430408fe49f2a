/** The scopes that the routes of OpenCode's API need. All need a token that is valid for all sessions. */
import type { Scope } from "@sandbox-agent/schema";

/** These requests can set the permission mode, which needs the scope `approve`. */
const promptScopes: readonly Scope[] = ["read", "prompt", "approve"];

const scopesByRoute: Record<string, readonly Scope[]> = {
  "POST /session": promptScopes,
  "PATCH /session/:sessionID": promptScopes,
  "POST /session/:sessionID/message": promptScopes,
  "POST /session/:sessionID/prompt_async": promptScopes,
  "POST /session/:sessionID/command": promptScopes,
  "POST /session/:sessionID/init": promptScopes,
  "POST /session/:sessionID/fork": promptScopes,
  "POST /session/:sessionID/abort": ["prompt"],
  "POST /session/:sessionID/permissions/:requestID": ["approve"],
  "POST /permission/:requestID/reply": ["approve"],
  "POST /question/:requestID/reply": ["approve"],
  "POST /question/:requestID/reject": ["approve"],
  "POST /session/:sessionID/revert": ["files"],
  "POST /session/:sessionID/unrevert": ["files"],
  "POST /log": ["read"],
};

/** `route` is a method and a pattern, as in the table of routes. Other writing routes need `admin`. */
export function scopesOfRoute(route: string): readonly Scope[] {
  if (/^\w+ \/pty(\/|$)/.test(route)) return ["processes"];
  return scopesByRoute[route] ?? (route.startsWith("GET ") ? ["read"] : ["admin"]);
}
