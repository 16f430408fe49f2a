/** `session/new`, `load`, `resume`, `fork`, `list`, `close` and `delete`. */
import type {
  AgentContext,
  ForkSessionRequest,
  ListSessionsRequest,
  ListSessionsResponse,
  NewSessionRequest,
} from "@agentclientprotocol/sdk/unstable";
import { CreateSessionRequest, PermissionMode, ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Connection } from "../connection.ts";
import type { Conversation } from "../conversation.ts";
import { readTranscript } from "../history.ts";
import { preambleOf } from "../translate/preamble.ts";
import { mcpOf } from "../translate/prompt.ts";
import { settingsReply } from "../translate/settings.ts";
import type { Preambles } from "./talk.ts";

/** `_meta.sandboxagent` of `session/new`: what ACP has no field for. */
const Extra = z.object({
  sandboxagent: CreateSessionRequest.omit({ agent: true, directory: true, mcp: true }).partial().optional(),
});

export async function newSession(
  connection: Connection,
  { cwd, mcpServers, _meta }: NewSessionRequest,
  client: AgentContext,
) {
  const extra = Extra.safeParse(_meta ?? {});
  if (!extra.success) throw new ProblemError("invalid_request", `_meta.${z.prettifyError(extra.error)}`);
  return create(connection, client, {
    ...extra.data.sandboxagent,
    agent: connection.agent.id,
    directory: cwd,
    mcp: mcpOf(mcpServers),
  });
}

/** A fork is a new session whose first message tells the agent the conversation so far. */
export async function forkSession(
  connection: Connection,
  preambles: Preambles,
  { sessionId, cwd, mcpServers }: ForkSessionRequest,
  client: AgentContext,
) {
  const { context } = connection;
  const origin = connection.session(sessionId);
  const { agent, agentMode, permissionMode, model, variant, title, skills, mcp } = origin.info();
  const preamble = await readTranscript(context, origin, ({ items }) => preambleOf(items));
  const reply = await create(connection, client, {
    agent,
    agentMode,
    permissionMode: PermissionMode.parse(permissionMode),
    model,
    variant,
    title,
    skills,
    directory: cwd,
    mcp: { ...mcp, ...mcpOf(mcpServers ?? []) },
  });
  if (preamble !== null) preambles.set(reply.sessionId, preamble);
  return reply;
}

export async function loadSession(connection: Connection, sessionId: string, client: AgentContext) {
  return settingsOf(await connection.replay(connection.session(sessionId), client));
}

export async function resumeSession(connection: Connection, sessionId: string, client: AgentContext) {
  return settingsOf(await connection.attach(connection.session(sessionId), client));
}

/** Sessions of this agent, whoever has created them, newest first. */
export function listSessions({ context, agent }: Connection, { cwd }: ListSessionsRequest): ListSessionsResponse {
  const sessions = context.sessions
    .list()
    .filter((session) => session.agent === agent.id)
    .map(({ sessionId, directory, title, updatedAt }) => ({
      sessionId,
      cwd: directory ?? process.cwd(),
      title,
      updatedAt: new Date(updatedAt).toISOString(),
    }));
  return { sessions: cwd ? sessions.filter((session) => session.cwd === cwd) : sessions };
}

export async function closeSession(connection: Connection, sessionId: string) {
  await connection.leave(sessionId);
  return {};
}

export async function deleteSession(connection: Connection, sessionId: string) {
  connection.session(sessionId);
  await connection.context.sessions.delete(sessionId);
  return {};
}

async function create(connection: Connection, client: AgentContext, request: CreateSessionRequest) {
  const sessionId = `${connection.agent.id}-${Bun.randomUUIDv7()}`;
  const session = await connection.context.sessions.create(sessionId, request);
  return { sessionId, ...settingsOf(await connection.attach(session, client)) };
}

function settingsOf({ session, view }: Conversation) {
  return settingsReply(session.state.settings, view.catalogue);
}
