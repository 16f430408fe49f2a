/** What the handlers work with. */
import type { AgentRegistry } from "@sandbox-agent/agents";
import type { Processes } from "../processes/processes.ts";
import type { SessionContext } from "../session/context.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Terminals } from "../terminals/terminals.ts";
import type { EventStreams } from "./sse.ts";

export interface HttpContext extends SessionContext {
  agents: AgentRegistry;
  sessions: Sessions;
  streams: EventStreams;
  processes: Processes;
  terminals: Terminals;
}
