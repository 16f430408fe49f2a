/** What clients are told about a session: how it was created, and where its fold stands. */
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
  /** What of its directory cannot be watched or kept. */
  trouble?: ChangesStatus | null;
}

export function sessionInfo({ id, spec, state, firstSequence, createdAt, trouble }: SessionRecord): SessionInfo {
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
    ...(trouble && { changes: trouble }),
  };
}

/** Whoever may read the session need not know the keys of its MCP servers. */
function withoutSecrets(servers: NonNullable<SessionInfo["mcp"]>): NonNullable<SessionInfo["mcp"]> {
  return Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, redact(server)]));
}

/** The settings an agent is run with. */
export function agentSettings({ settings }: Pick<SessionState, "settings">): AgentSettings {
  const { agentMode, permissionMode, model, variant } = settings;
  return { agentMode, permissionMode: PermissionMode().parse(permissionMode), model, variant };
}
