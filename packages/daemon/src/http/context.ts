/** What the handlers share. */
import type { AgentCatalog, LiveAgentRegistry } from "@sandbox-agent/agents";
import type { AuditLog } from "../access/audit-log.ts";
import type { TokenVerifier } from "../access/authenticate.ts";
import type { PrivateFiles } from "../access/private-files.ts";
import type { SignedTokens } from "../access/signed-tokens.ts";
import type { AcpServers } from "../compat/acp/servers.ts";
import type { Root } from "../files/root.ts";
import type { Lazy } from "../lazy.ts";
import type { Processes } from "../processes/processes.ts";
import type { SessionContext } from "../session/context.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Terminals } from "../terminals/terminals.ts";
import type { EventStreams } from "./sse.ts";

export interface HttpContext extends SessionContext {
  agents: LiveAgentRegistry;
  agentCatalog: AgentCatalog;
  sessions: Sessions;
  streams: EventStreams;
  /** The files that requests can access. */
  root: Root;
  privateFiles: PrivateFiles;
  /** Called with the reason why a repository is ignored. */
  onUnusableRepository(directory: string, reason: string): void;
  processes: Processes;
  terminals: Terminals;
  acp: Lazy<AcpServers>;
  tokens: Lazy<SignedTokens>;
  audit: AuditLog;
  identity: Lazy<TokenVerifier> | null;
}
