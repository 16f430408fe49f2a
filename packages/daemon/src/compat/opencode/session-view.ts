/** Converts sessions to OpenCode's form. Pure. */
import type { SessionInfo, SessionStatus as Status } from "@sandbox-agent/schema";
import { version } from "../../version.ts";
import { factsOf, tokensOf } from "./messages.ts";
import type { OpenCodeSession, SessionStatus } from "./wire.ts";

export function sessionView(info: SessionInfo): OpenCodeSession {
  const { id, directory } = factsOf(info);
  return {
    id,
    slug: id,
    projectID: projectId,
    directory,
    path: "",
    title: info.title ?? info.sessionId,
    agent: info.agentMode,
    ...(info.model !== null && {
      model: { id: info.model, providerID: info.agent, ...(info.variant && { variant: info.variant }) },
    }),
    ...(info.revert && { revert: { messageID: info.revert.messageId, snapshot: info.revert.checkpointId } }),
    version,
    cost: info.usage.cost_usd ?? 0,
    tokens: tokensOf(info.usage),
    time: { created: info.createdAt, updated: info.updatedAt },
  };
}

/** OpenCode groups sessions by project; ours are one group. */
export const projectId = "global";

export function statusView(status: Status): SessionStatus {
  return { type: status === "running" || status === "waiting" ? "busy" : "idle" };
}
