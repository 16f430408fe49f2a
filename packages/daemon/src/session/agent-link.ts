/**
 * A session's line to its agent: opened when first needed, opened again after the agent has gone, and cut for good when
 * a turn must end without the agent's consent. What a cut-off agent still says is not heard.
 */
import type { Agent, AgentSession, Draft, SessionSpec } from "@sandbox-agent/agents";

/** What a session needs of its agent, whatever that is at the moment. */
export interface SessionAgent extends Pick<Agent, "id" | "open"> {
  userItemId(turnNumber: number): string | null;
}

interface Connection {
  attached: boolean;
  session: Promise<AgentSession>;
}

export class AgentLink {
  #connection: Connection | null = null;

  constructor(
    private readonly agent: SessionAgent,
    private readonly accept: (drafts: readonly Draft[]) => Promise<void>,
  ) {}

  /** The open agent session, or null. */
  get current(): Promise<AgentSession> | null {
    return this.#connection?.session ?? null;
  }

  open(spec: SessionSpec): Promise<AgentSession> {
    this.#connection ??= this.#connect(spec);
    return this.#connection.session;
  }

  /** Closes the agent and stops listening to it. The next `open` starts it anew. */
  async cut(): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    this.#connection = null;
    connection.attached = false;
    const session = await connection.session.catch(() => null);
    await session?.close();
  }

  #connect(spec: SessionSpec): Connection {
    const connection: Connection = { attached: true, session: Promise.reject(new Error("not opened yet")) };
    connection.session.catch(() => {});
    const emit = async (drafts: readonly Draft[]) => {
      if (connection.attached) await this.accept(drafts);
    };
    connection.session = this.agent.open(spec, { emit });
    connection.session.catch(() => {
      if (this.#connection === connection) this.#connection = null;
    });
    return connection;
  }
}
