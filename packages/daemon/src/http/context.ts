/** What the handlers work with. */
import type { AgentBook, LiveAgentRegistry } from "@sandbox-agent/agents";
import type { AcpServers } from "../acp/servers.ts";
import type { SessionContext } from "../session/context.ts";
import type { Sessions } from "../session/sessions.ts";
import type { EventStreams } from "./sse.ts";

export interface HttpContext extends SessionContext {
  agents: LiveAgentRegistry;
  book: AgentBook;
  sessions: Sessions;
  streams: EventStreams;
  acp: AcpServers;
}
