/** One ACP connection: its agent, what its client can do, and the sessions it follows. */
import type { AgentContext, ClientCapabilities } from "@agentclientprotocol/sdk/unstable";
import type { Agent, LiveAgentRegistry } from "@sandbox-agent/agents";
import { isQuiet, ProblemError, type SessionState } from "@sandbox-agent/schema";
import * as z from "zod";
import type { SessionContext } from "../../session/context.ts";
import { readTranscript } from "../../session/read-transcript.ts";
import type { Session } from "../../session/session.ts";
import type { Sessions } from "../../session/sessions.ts";
import { createAsking, type QuestionStyle } from "./asking.ts";
import { type Conversation, converse } from "./conversation.ts";
import { replayUpdates, type View } from "./translate/updates.ts";

export interface AcpContext extends SessionContext {
  agents: LiveAgentRegistry;
  sessions: Sessions;
  /** Told of failures whose text is not for clients. */
  onFailure(error: unknown): void;
}

export class Connection {
  capabilities: ClientCapabilities = {};
  readonly #conversations = new Map<string, Conversation>();

  /** `room` holds back what sessions send: it gives a promise when the client has not read enough of what was sent. */
  constructor(
    readonly context: AcpContext,
    readonly agent: Agent,
    private readonly room: () => Promise<void> | null,
  ) {}

  /** The conversation with that id on this connection. */
  find(sessionId: string): Conversation {
    const conversation = this.#conversations.get(sessionId);
    if (conversation) return conversation;
    const text = `session "${sessionId}" is not open on this connection; create, load or resume it first`;
    throw new ProblemError("session_not_found", text, { sessionId });
  }

  /** A session of this connection's agent, whoever has created it. */
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
    return this.#begin(session, session.state, client, view);
  }

  /** The same, after what the session has said so far. */
  async replay(session: Session, client: AgentContext): Promise<Conversation> {
    const view = await this.#view();
    this.#quit(session.id);
    const { items, state } = await readTranscript(this.context, session, (transcript) => transcript);
    for (const update of replayUpdates(items, state, view)) {
      // Fails when the connection is closed.
      await client.notify("session/update", { sessionId: session.id, update });
      await this.room();
    }
    return this.#begin(session, state, client, view);
  }

  /** Leaves a session: its prompt is aborted, and its agent closed unless somebody else keeps it busy. */
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
    const catalogue = { modes, models, permissionModes: agent.permissionModes };
    return { notices: Boolean(this.capabilities.session?.notices), catalogue };
  }

  /** Begins a conversation after a state of its session. */
  #begin(session: Session, state: SessionState, client: AgentContext, view: View): Conversation {
    this.#quit(session.id);
    const { context: stored, room } = this;
    const asking = createAsking(session, client, questionStyle(this.capabilities));
    const onEnd = () => this.#conversations.delete(session.id);
    const conversation = converse({ session, state, stored, client, asking, view, room, onEnd });
    this.#conversations.set(session.id, conversation);
    return conversation;
  }

  /** Ends the conversation with a session, unless a prompt of it is running. */
  #quit(sessionId: string): void {
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
