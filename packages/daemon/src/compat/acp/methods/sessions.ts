/** `session/new`, `load`, `resume`, `fork`, `list`, `close` and `delete`. */
import type {
  AgentContext,
  ForkSessionRequest,
  ListSessionsRequest,
  ListSessionsResponse,
  NewSessionRequest,
} from "@agentclientprotocol/sdk/unstable";
import { CreateSessionRequest, ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Session } from "../../../session/session.ts";
import type { Connection } from "../connection.ts";
import type { Conversation } from "../conversation.ts";
import { mcpOf } from "../translate/prompt.ts";
import { settingsReply } from "../translate/settings.ts";

interface OfSession {
  sessionId: string;
}

interface Caller {
  client: AgentContext;
}

/** `_meta.sandboxagent` of `session/new`: settings that ACP has no field for. */
const Extra = z.object({
  sandboxagent: CreateSessionRequest().omit({ agent: true, directory: true, mcp: true }).partial().optional(),
});

export async function newSession(
  connection: Connection,
  { cwd, mcpServers, _meta }: NewSessionRequest,
  { client }: Caller,
) {
  const extra = Extra.safeParse(_meta ?? {});
  if (!extra.success) throw new ProblemError("invalid_request", `_meta.${z.prettifyError(extra.error)}`);
  const session = await connection.context.sessions.create(newId(connection), {
    ...extra.data.sandboxagent,
    agent: connection.agent.id,
    directory: cwd,
    mcp: mcpOf(mcpServers),
  });
  return opened(connection, client, session);
}

export async function forkSession(
  connection: Connection,
  { sessionId, cwd, mcpServers }: ForkSessionRequest,
  { client }: Caller,
) {
  const { mcp } = connection.session(sessionId).info();
  const change = { directory: cwd, mcp: { ...mcp, ...mcpOf(mcpServers ?? []) } };
  return opened(connection, client, await connection.context.sessions.fork(sessionId, newId(connection), change));
}

export async function loadSession(connection: Connection, { sessionId }: OfSession, { client }: Caller) {
  return settingsOf(await connection.replay(connection.session(sessionId), client));
}

export async function resumeSession(connection: Connection, { sessionId }: OfSession, { client }: Caller) {
  return settingsOf(await connection.attach(connection.session(sessionId), client));
}

/** All sessions of this agent, newest first. */
export async function listSessions(
  { context, agent }: Connection,
  { cwd: wanted }: ListSessionsRequest,
): Promise<ListSessionsResponse> {
  const sessions: ListSessionsResponse["sessions"] = [];
  for await (const { info } of context.sessions.list({ agent: agent.id })) {
    const { sessionId, directory, title, updatedAt } = info;
    const cwd = directory ?? process.cwd();
    if (!wanted || wanted === cwd)
      sessions.push({ sessionId, cwd, title, updatedAt: new Date(updatedAt).toISOString() });
  }
  return { sessions };
}

export async function closeSession(connection: Connection, { sessionId }: OfSession) {
  await connection.leave(sessionId);
  return {};
}

export async function deleteSession(connection: Connection, { sessionId }: OfSession) {
  connection.session(sessionId);
  await connection.context.sessions.delete(sessionId);
  return {};
}

function newId({ agent }: Connection): string {
  return `${agent.id}-${Bun.randomUUIDv7()}`;
}

async function opened(connection: Connection, client: AgentContext, session: Session) {
  return { sessionId: session.id, ...settingsOf(await connection.attach(session, client)) };
}

function settingsOf({ session, view }: Conversation) {
  return settingsReply(session.state.settings, view.catalog);
}
