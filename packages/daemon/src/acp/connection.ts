/** One ACP connection: its agent, what its client can do, and the sessions it follows. */
import type { AgentContext, ClientCapabilities } from "@agentclientprotocol/sdk/unstable";
import type { Agent, LiveAgentRegistry } from "@sandbox-agent/agents";
import { isQuiet, ProblemError, type SessionState } from "@sandbox-agent/schema";
import * as z from "zod";
import type { SessionContext } from "../session/context.ts";
import { readTranscript } from "../session/read-transcript.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import { createAsking, type QuestionStyle } from "./asking.ts";
import { type Conversation, converse } from "./conversation.ts";
import { replayUpdates, type View } from "./translate/updates.ts";

export interface AcpContext extends SessionContext {
  agents: LiveAgentRegistry;
  sessions: Sessions;
  /** Told of failures whose text is not for clients. */
  onFailure(error: unknown): void;
}

export interface Connection {
  readonly context: AcpContext;
  readonly agent: Agent;
  capabilities: ClientCapabilities;
  /** The conversation with that id on this connection. */
  find(sessionId: string): Conversation;
  /** A session of this connection's agent, whoever has created it. */
  session(sessionId: string): Session;
  /** Follows a session from now on. */
  attach(session: Session, client: AgentContext): Promise<Conversation>;
  /** The same, after what the session has said so far. */
  replay(session: Session, client: AgentContext): Promise<Conversation>;
  /** Leaves a session: its prompt is aborted, and its agent closed unless somebody else keeps it busy. */
  leave(sessionId: string): Promise<void>;
  leaveAll(): Promise<void>;
  /** Follows all sessions to the end of their logs. */
  finish(): Promise<void>;
}

/** `room` holds back what sessions send: it gives a promise when the client has not read enough of what was sent. */
export function createConnection(context: AcpContext, agent: Agent, room: () => Promise<void> | null): Connection {
  const conversations = new Map<string, Conversation>();

  async function viewOf(): Promise<View> {
    const [modes, models] = await Promise.all([agent.modes(), agent.models()]);
    const catalogue = { modes, models, permissionModes: agent.permissionModes };
    const notices = Boolean(connection.capabilities.session?.notices);
    return { notices, catalogue };
  }

  /** Begins a conversation after a state of its session. */
  function begin(session: Session, state: SessionState, client: AgentContext, view: View): Conversation {
    quit(session.id);
    const asking = createAsking(session, client, questionStyle(connection.capabilities));
    const onEnd = () => conversations.delete(session.id);
    const conversation = converse({ session, state, stored: context, client, asking, view, room, onEnd });
    conversations.set(session.id, conversation);
    return conversation;
  }

  /** Ends the conversation with a session, unless a prompt of it is running. */
  function quit(sessionId: string): void {
    const known = conversations.get(sessionId);
    if (known?.prompting)
      throw new ProblemError("conflict", "a prompt of this session is running; wait for it or cancel it");
    known?.leave();
    conversations.delete(sessionId);
  }

  async function leave(sessionId: string): Promise<void> {
    const { session, prompting, leave } = connection.find(sessionId);
    conversations.delete(sessionId);
    leave();
    if (prompting) await session.abort();
    if (isQuiet(session.state)) await session.release();
  }

  const connection: Connection = {
    context,
    agent,
    capabilities: {},
    find(sessionId) {
      const conversation = conversations.get(sessionId);
      if (conversation) return conversation;
      const text = `session "${sessionId}" is not open on this connection; create, load or resume it first`;
      throw new ProblemError("session_not_found", text, { sessionId });
    },
    session(sessionId) {
      const session = context.sessions.get(sessionId);
      const owner = session.info().agent;
      if (owner === agent.id) return session;
      const text = `session "${sessionId}" belongs to ${owner}; open an ACP server with agent=${owner} for it`;
      throw new ProblemError("invalid_request", text, { sessionId, agent: owner });
    },
    async attach(session, client) {
      const view = await viewOf();
      return begin(session, session.state, client, view);
    },
    async replay(session, client) {
      const view = await viewOf();
      quit(session.id);
      const { items, state } = await readTranscript(context, session, (transcript) => transcript);
      for (const update of replayUpdates(items, state, view)) {
        // Fails when the connection is closed.
        await client.notify("session/update", { sessionId: session.id, update });
        await room();
      }
      return begin(session, state, client, view);
    },
    leave,
    async leaveAll() {
      await Promise.all([...conversations.keys()].map(leave));
    },
    async finish() {
      await Promise.all([...conversations.values()].map((conversation) => conversation.finish()));
    },
  };
  return connection;
}

const Extensions = z.object({ sandboxagent: z.object({ questions: z.boolean() }) });

function questionStyle({ elicitation, _meta }: ClientCapabilities): QuestionStyle {
  if (elicitation?.form) return "form";
  return Extensions.safeParse(_meta).data?.sandboxagent.questions ? "extension" : "choice";
}
