/** The description of a session for clients: how it was created and its current state. */
import type { AgentSettings } from "@sandbox-agent/agents";
import {
  type ChangesStatus,
  PermissionMode,
  type SessionInfo,
  type SessionState,
  statusOf,
} from "@sandbox-agent/schema";
import { redact } from "../config/redaction.ts";
import type { SessionRow } from "../store/session-table.ts";

interface SessionRecord extends Pick<SessionRow, "id" | "spec" | "state" | "firstSequence" | "createdAt"> {
  /** What in its directory cannot be watched or stored. */
  changes?: ChangesStatus | null;
}

export function sessionInfo({ id, spec, state, firstSequence, createdAt, changes }: SessionRecord): SessionInfo {
  const { agentMode, permissionMode, model, variant, title } = state.settings;
  return {
    sessionId: id,
    agent: spec.agent,
    agentMode,
    permissionMode,
    model,
    variant,
    nativeSessionId: state.nativeSessionId,
    ended: state.ended !== null,
    status: statusOf(state),
    eventCount: state.sequence - firstSequence + 1,
    lastSequence: state.sequence,
    createdAt,
    updatedAt: Date.parse(state.time),
    directory: spec.directory ?? null,
    title,
    queue: [...state.queue],
    usage: state.usage,
    ...(spec.mcp && { mcp: withoutSecrets(spec.mcp) }),
    ...(spec.skills && { skills: spec.skills }),
    ...(state.revert && { revert: state.revert }),
    ...(changes && { changes }),
  };
}

/** Clients that may read the session do not get the secrets of its MCP servers. */
function withoutSecrets(servers: NonNullable<SessionInfo["mcp"]>): NonNullable<SessionInfo["mcp"]> {
  return Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, redact(server)]));
}

/** The settings that the agent runs with. */
export function agentSettings({ settings }: Pick<SessionState, "settings">): AgentSettings {
  const { agentMode, permissionMode, model, variant } = settings;
  return { agentMode, permissionMode: PermissionMode().parse(permissionMode), model, variant };
}
