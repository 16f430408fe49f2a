/** What the handlers work with. */
import type { AgentRegistry } from "@sandbox-agent/agents";
import type { Root } from "../fs/root.ts";
import type { SessionContext } from "../session/context.ts";
import type { Sessions } from "../session/sessions.ts";
import type { EventStreams } from "./sse.ts";

export interface HttpContext extends SessionContext {
  agents: AgentRegistry;
  sessions: Sessions;
  streams: EventStreams;
  /** What requests for files can reach. */
  root: Root;
}
