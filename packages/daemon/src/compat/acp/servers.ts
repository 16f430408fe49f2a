/** All ACP servers, by the id that their client chooses. */
import { background, within } from "@sandbox-agent/agents";
import { type AcpServerInfo, ProblemError } from "@sandbox-agent/schema";
import type { AcpContext } from "./connection.ts";
import { type AcpServer, openServer } from "./server.ts";

const checksPerIdleTime = 10;
/** How long a shutdown waits for clients to read. */
const graceMs = 1000;

export class AcpServers {
  readonly #servers = new Map<string, AcpServer>();
  readonly #timer: Timer | null;

  /** A server without readers and running requests is closed after `idleMs`; 0 = never. */
  constructor(
    private readonly context: AcpContext,
    idleMs: number,
  ) {
    this.#timer = idleMs > 0 ? setInterval(() => this.#closeIdle(idleMs), idleMs / checksPerIdleTime) : null;
    this.#timer?.unref();
  }

  list(): AcpServerInfo[] {
    return [...this.#servers.values()].map(({ info }) => info).toSorted((a, b) => (a.serverId < b.serverId ? -1 : 1));
  }

  get(serverId: string): AcpServer {
    const server = this.#servers.get(serverId);
    if (server) return server;
    throw new ProblemError("session_not_found", `there is no ACP server "${serverId}"`, { sessionId: serverId });
  }

  /** The server with that id; it is created if an agent is given. */
  obtain(serverId: string, agentId: string | undefined): AcpServer {
    const agent = agentId === undefined ? null : this.context.sessions.agent(agentId);
    const server = this.#servers.get(serverId);
    if (!server) return this.create(serverId, agentId);
    if (agent && agent.id !== server.info.agent)
      throw conflict(`ACP server "${serverId}" runs ${server.info.agent}, not ${agent.id}`);
    return server;
  }

  /** Creates a server; the id must be free. */
  create(serverId: string, agentId: string | undefined): AcpServer {
    const missing = `missing required 'agent' query parameter for first POST to /v1/acp/${serverId}`;
    if (agentId === undefined) throw new ProblemError("invalid_request", missing);
    const agent = this.context.sessions.agent(agentId);
    if (this.#servers.has(serverId)) throw conflict(`there is already an ACP server "${serverId}"`);
    const server = openServer(serverId, agent, this.context);
    this.#servers.set(serverId, server);
    return server;
  }

  /** The id is free immediately; the agents are released in the background. */
  close(serverId: string): void {
    const server = this.#servers.get(serverId);
    this.#servers.delete(serverId);
    if (server) background("close an ACP server", server.close());
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    // The sessions have ended their turns, so the waiting prompts are answered.
    await within(graceMs, Promise.all([...this.#servers.values()].map((server) => server.finish())));
    for (const { serverId } of this.list()) this.close(serverId);
  }

  #closeIdle(idleMs: number): void {
    for (const { info, isIdle } of [...this.#servers.values()]) if (isIdle(idleMs)) this.close(info.serverId);
  }
}

function conflict(message: string): ProblemError {
  return new ProblemError("conflict", message, { details: { message } });
}
