/**
 * A session's line to its agent: opened when first needed, opened again after the agent has gone or what it is set up
 * with has changed, and cut for good when a turn must end without the agent's consent. What a cut-off agent still says
 * is not heard.
 */
import type { Agent, AgentSession, AgentSettings, Draft, SessionSpec } from "@sandbox-agent/agents";
import type { CreateSessionRequest, SessionState } from "@sandbox-agent/schema";
import { agentProblem } from "./agent-problem.ts";
import type { SessionContext } from "./context.ts";
import { historyText } from "./history-text.ts";
import type { Journal } from "./journal.ts";
import { agentSettings } from "./session-info.ts";
import { fingerprintOf, setupOf } from "./setup.ts";
import { linkSkills } from "./skills.ts";

/** What a session needs of its agent, whatever that is at the moment. */
export interface SessionAgent extends Pick<Agent, "id" | "open"> {
  userItemId(turnNumber: number): string | null;
}

export interface LinkOptions {
  sessionId: string;
  spec: CreateSessionRequest;
  agent: SessionAgent;
  journal: Journal;
  context: SessionContext;
  accept(drafts: readonly Draft[]): Promise<void> | void;
}

interface Connection {
  attached: boolean;
  session: Promise<AgentSession>;
}

const closeGraceMs = 3000;

export class AgentLink {
  #connection: Connection | null = null;
  /** The setup the agent was opened with. */
  #setup: string | null = null;
  /** The revision of the configuration that setup comes from. */
  #revision: number | null = null;

  constructor(private readonly options: LinkOptions) {}

  /** The open agent session, or null. */
  get current(): Promise<AgentSession> | null {
    return this.#connection?.session ?? null;
  }

  /** An agent whose setup has changed meanwhile is opened again: that is how all of them take in a new one. */
  open(settings = this.options.journal.state.settings): Promise<AgentSession> {
    const isUpToDate = this.#revision === this.options.context.config.revision;
    return (isUpToDate ? this.current : null) ?? this.#open(settings);
  }

  async #open(settings: SessionState["settings"]): Promise<AgentSession> {
    const { sessionId, spec, journal, context } = this.options;
    const { revision } = context.config;
    const setup = setupOf(spec, context.config);
    const fingerprint = fingerprintOf(setup);
    if (this.#setup !== fingerprint) {
      await this.cut();
      await linkSkills(setup, context.skillsDir).catch((error) => this.#withoutSkills(error));
    }
    this.#connection ??= this.#connect({
      sessionId,
      nativeSessionId: journal.nativeSessionId,
      directory: setup.directory,
      mcp: setup.mcp,
      skills: setup.skills,
      agentVersion: spec.agentVersion ?? null,
      env: spec.env ?? {},
      credentials: spec.credentials ?? {},
      endpoints: spec.endpoints ?? {},
      // What a fork's agent does not know yet is in its first message already.
      history: async () => (journal.state.untoldFork === null ? historyText(journal.earlierEvents()) : null),
      ...agentSettings({ settings }),
    });
    const agentSession = await this.#connection.session;
    this.#setup = fingerprint;
    this.#revision = revision;
    journal.nativeSessionId = agentSession.nativeSessionId ?? journal.nativeSessionId;
    return agentSession;
  }

  /** Gives an open agent settings for the next turn. */
  async configure(agentSession: AgentSession, settings: AgentSettings): Promise<void> {
    await agentSession.configure(settings).catch((error) => {
      throw agentProblem(this.options.agent.id, "did not take the settings", error);
    });
  }

  /** Tells the agent of a reply that is already in the log; a failure to do so is an event, not a lost reply. */
  async tell(reply: (agentSession: AgentSession) => Promise<void>): Promise<void> {
    try {
      const agentSession = await this.current;
      if (agentSession) await reply(agentSession);
    } catch (error) {
      this.options.journal.recordError(error, "reply_failed");
    }
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

  /** Cuts, and does not wait for an agent that takes its time to go. */
  async letGo(): Promise<void> {
    await Promise.race([this.cut(), Bun.sleep(closeGraceMs)]);
  }

  /** A session cannot begin without its skills, but one that has goes on. */
  #withoutSkills(error: unknown): void {
    const { journal } = this.options;
    if (journal.state.sequence === 0) throw error;
    journal.recordError(error, "skills_unavailable");
  }

  #connect(spec: SessionSpec): Connection {
    const { agent, accept } = this.options;
    const connection: Connection = { attached: true, session: Promise.reject(new Error("not opened yet")) };
    connection.session.catch(() => {});
    const emit = (drafts: readonly Draft[]) => (connection.attached ? accept(drafts) : undefined);
    connection.session = agent.open(spec, { emit }).catch((error) => {
      throw agentProblem(agent.id, "did not begin the session", error);
    });
    connection.session.catch(() => {
      if (this.#connection === connection) this.#connection = null;
    });
    return connection;
  }
}
