/** One ACP connection: its agent, what its client can do, and the sessions it follows. */
import type { AgentContext, ClientCapabilities } from "@agentclientprotocol/sdk/unstable";
import type { Agent, LiveAgentRegistry } from "@sandbox-agent/agents";
import { isQuiet, ProblemError, type SessionState } from "@sandbox-agent/schema";
import * as z from "zod";
import type { SessionContext } from "../../session/context.ts";
import { readTranscript } from "../../session/read-transcript.ts";
import type { Session } from "../../session/session.ts";
import type { Sessions } from "../../session/sessions.ts";
import { createClientRequests, type QuestionStyle } from "./client-requests.ts";
import { type Conversation, openConversation } from "./conversation.ts";
import { replayUpdates, type View } from "./translate/updates.ts";

export interface AcpContext extends SessionContext {
  agents: LiveAgentRegistry;
  sessions: Sessions;
  /** Called with failures whose text is not sent to clients. */
  onFailure(error: unknown): void;
}

export class Connection {
  capabilities: ClientCapabilities = {};
  readonly #conversations = new Map<string, Conversation>();

  /** `drained` applies back-pressure: it returns a promise when the client has too much unread. */
  constructor(
    readonly context: AcpContext,
    readonly agent: Agent,
    private readonly drained: () => Promise<void> | null,
  ) {}

  /** The conversation with that id on this connection. */
  find(sessionId: string): Conversation {
    const conversation = this.#conversations.get(sessionId);
    if (conversation) return conversation;
    const text = `session "${sessionId}" is not open on this connection; create, load or resume it first`;
    throw new ProblemError("session_not_found", text, { sessionId });
  }

  /** A session of this connection's agent, created by any client. */
  session(sessionId: string): Session {
    const session = this.context.sessions.get(sessionId);
    const owner = session.info().agent;
    if (owner === this.agent.id) return session;
    const text = `session "${sessionId}" belongs to ${owner}; open an ACP server with agent=${owner} for it`;
    throw new ProblemError("invalid_request", text, { sessionId, agent: owner });
  }

  /** Follows a session from now on. */
  async attach(session: Session, client: AgentContext): Promise<Conversation> {
    const view = await this.#view();
    return this.#open(session, session.state, client, view);
  }

  /** Sends the whole history of a session, then follows it. */
  async replay(session: Session, client: AgentContext): Promise<Conversation> {
    const view = await this.#view();
    this.#close(session.id);
    const { items, state } = await readTranscript(this.context, session, (transcript) => transcript);
    for (const update of replayUpdates(items, state, view)) {
      // Rejects when the connection is closed.
      await client.notify("session/update", { sessionId: session.id, update });
      await this.drained();
    }
    return this.#open(session, state, client, view);
  }

  /** Closes the conversation: its prompt is aborted, and the agent is released unless the session is busy. */
  async leave(sessionId: string): Promise<void> {
    const { session, prompting, leave } = this.find(sessionId);
    this.#conversations.delete(sessionId);
    leave();
    if (prompting) await session.abort();
    if (isQuiet(session.state)) await session.release();
  }

  async leaveAll(): Promise<void> {
    await Promise.all([...this.#conversations.keys()].map((sessionId) => this.leave(sessionId)));
  }

  /** Follows all sessions to the end of their logs. */
  async finish(): Promise<void> {
    await Promise.all([...this.#conversations.values()].map((conversation) => conversation.finish()));
  }

  async #view(): Promise<View> {
    const { agent } = this;
    const [modes, models] = await Promise.all([agent.modes(), agent.models()]);
    const catalog = { modes, models, permissionModes: agent.permissionModes };
    return { notices: Boolean(this.capabilities.session?.notices), catalog };
  }

  /** Opens a conversation at a state of its session. */
  #open(session: Session, state: SessionState, client: AgentContext, view: View): Conversation {
    this.#close(session.id);
    const { context: stored, drained } = this;
    const requests = createClientRequests(session, client, questionStyle(this.capabilities));
    const onEnd = () => this.#conversations.delete(session.id);
    const conversation = openConversation({ session, state, stored, client, requests, view, drained, onEnd });
    this.#conversations.set(session.id, conversation);
    return conversation;
  }

  /** Closes the open conversation of a session; throws while its prompt is running. */
  #close(sessionId: string): void {
    const known = this.#conversations.get(sessionId);
    if (known?.prompting)
      throw new ProblemError("conflict", "a prompt of this session is running; wait for it or cancel it");
    known?.leave();
    this.#conversations.delete(sessionId);
  }
}

const Extensions = z.object({ sandboxagent: z.object({ questions: z.boolean() }) });

function questionStyle({ elicitation, _meta }: ClientCapabilities): QuestionStyle {
  if (elicitation?.form) return "form";
  return Extensions.safeParse(_meta).data?.sandboxagent.questions ? "extension" : "choice";
}
