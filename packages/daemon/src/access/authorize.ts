/** Whether a principal may do what a request is for. Throws `permission_denied` that names what is missing. */
import { type CreateSessionRequest, type Operation, ProblemError, type Scope } from "@sandbox-agent/schema";
import { hasScope, mayUseSession, type Principal } from "./principal.ts";

export function authorizeOperation(
  principal: Principal,
  id: string,
  { scopes, forSomeSessions }: Pick<Operation, "scopes" | "forSomeSessions">,
  sessionId: string | undefined,
): void {
  for (const scope of scopes ?? []) requireScope(principal, scope, id);
  if (sessionId !== undefined) requireSession(principal, sessionId);
  else if (!forSomeSessions && scopes && scopes.length > 0) requireAllSessions(principal, id);
}

export function requireScope(principal: Principal, scope: Scope, what: string): void {
  if (hasScope(principal, scope)) return;
  throw denied(`this token has the scopes ${[...principal.scopes].join(", ")}; ${what} needs ${scope}`);
}

/** Asked before the session is looked up, so that nobody learns which others exist. */
export function requireSession(principal: Principal, sessionId: string): void {
  if (mayUseSession(principal, sessionId)) return;
  throw denied(`this token is not for the session "${sessionId}"`);
}

export function requireAllSessions(principal: Principal, what: string): void {
  if (principal.sessions === null) return;
  throw denied(`${what} needs a token for all sessions; this one is for ${[...principal.sessions].join(", ")}`);
}

/** Modes in which the agent does things that a person would otherwise be asked about. */
const modesWithoutAsking: ReadonlySet<string> = new Set(["bypass", "acceptEdits"]);

/** Modes of an agent that every agent has alike. Others are its own, and some of those ask for nothing (`yolo`, `full-access`). */
const commonAgentModes: ReadonlySet<string> = new Set(["build", "plan"]);

const programs = ["mcp", "skills", "env", "credentials", "endpoints"] as const;
type Setting = "permissionMode" | "agentMode" | "agentVersion" | "directory" | (typeof programs)[number];
type Settings = { [Name in Setting]?: CreateSessionRequest[Name] | undefined };

/**
 * Settings of a session reach further than the scope `prompt`: some answer permissions beforehand, some start programs. Without
 * these checks they would be a way around the other scopes.
 */
export function authorizeSettings(principal: Principal, settings: Settings): void {
  const { permissionMode, agentMode, agentVersion, directory } = settings;
  if (permissionMode && modesWithoutAsking.has(permissionMode))
    requireScope(principal, "approve", `permissionMode ${permissionMode}`);
  if (agentMode && !commonAgentModes.has(agentMode)) requireScope(principal, "approve", `agentMode ${agentMode}`);
  for (const name of programs) if (settings[name]) requireScope(principal, "processes", name);
  if (agentVersion) requireScope(principal, "admin", "agentVersion");
  // The directory of a session is what a token for it may read.
  if (directory) requireAllSessions(principal, "directory");
}

function denied(message: string): ProblemError {
  return new ProblemError("permission_denied", message);
}
