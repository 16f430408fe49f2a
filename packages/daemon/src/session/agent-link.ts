/**
 * A session's connection to its agent: opened when first needed, opened again after the agent has exited or its setup has
 * changed, and closed when a turn must end without the agent's consent. Drafts of a closed agent are ignored. An agent
 * that fails several times in a row before it has produced anything ends the session.
 */
import {
  type Agent,
  type AgentExit,
  type AgentSession,
  type AgentSettings,
  background,
  type Draft,
  type SessionSpec,
  within,
} from "@sandbox-agent/agents";
import type { CreateSessionRequest, ProblemKind } from "@sandbox-agent/schema";
import { redactedProblem } from "../secrets/redacted-problem.ts";
import { secretsOfSession } from "../secrets/session-secrets.ts";
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
  /** Whether the agent has produced anything, which shows that it works. */
  hasProduced: boolean;
  session: Promise<AgentSession>;
}

const closeGraceMs = 3000;
const maxFailedStarts = 3;

/** Other problems (not installed, no such directory, a full disk) can be solved while the session waits. */
const failedStart = new Set<ProblemKind>(["agent_process_exited", "stream_error"]);

/** Drafts that do not show that the agent works. */
const noProgress = new Set<Draft["type"]>(["agent.exited", "error", "session.identified"]);

export class AgentLink {
  #connection: Connection | null = null;
  /** Settles when the connection before this one is closed. */
  #closing: Promise<void> = Promise.resolve();
  /** How often in a row the agent failed to start, or exited before it had produced anything. */
  #failedStarts = 0;
  /** The setup the agent was opened with. */
  #setup: string | null = null;

  constructor(private readonly options: LinkOptions) {}

  /** The open agent session, or null. */
  get current(): Promise<AgentSession> | null {
    return this.#connection?.session ?? null;
  }

  /** An agent whose setup has changed meanwhile is opened again: that is how all of them take in a new one. */
  async open(settings = this.options.journal.state.settings): Promise<AgentSession> {
    const { sessionId, spec, journal, context } = this.options;
    const setup = setupOf(spec, context.config);
    // Again with every start of the agent, so that the secrets of sessions in use are never the oldest.
    context.secrets.add(secretsOfSession({ ...spec, mcp: setup.mcp }, process.env));
    const fingerprint = fingerprintOf(setup);
    if (this.#setup !== fingerprint) {
      background("close an agent whose setup has changed", this.cut(), sessionId);
      await linkSkills(setup, context.skillStore).catch((error) => this.#withoutSkills(error));
    }
    if (!this.#connection) await within(closeGraceMs, this.#closing);
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
      history: async () =>
        journal.state.pendingForkContext === null ? historyText(await journal.earlierItems()) : null,
      ...agentSettings({ settings }),
    });
    const agentSession = await this.#connection.session;
    this.#setup = fingerprint;
    return agentSession;
  }

  /** Gives an open agent settings for the next turn. */
  async configure(agentSession: AgentSession, settings: AgentSettings): Promise<void> {
    await agentSession.configure(settings).catch((error) => {
      const problem = agentProblem(this.options.agent.id, "did not take the settings", error);
      throw redactedProblem(problem, this.options.context.secrets);
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
    if (!connection) return this.#closing;
    this.#connection = null;
    connection.attached = false;
    const closed = connection.session.catch(() => null).then((session) => session?.close());
    this.#closing = closed.catch(() => {});
    await closed;
  }

  /** Cuts, and does not wait for an agent that takes its time to go. */
  async letGo(): Promise<void> {
    await within(closeGraceMs, this.cut());
  }

  /** Ends the session of an agent that cannot be started at all. `cause` is its last failure. */
  endIfUnstartable(cause: Pick<AgentExit, "message"> & Partial<AgentExit>): void {
    const { agent, journal } = this.options;
    if (this.#failedStarts < maxFailedStarts || journal.state.ended) return;
    const failure = `${agent.id} failed ${this.#failedStarts} times in a row before it produced anything`;
    const message = `${failure}: ${cause.message}; fix the cause, then fork this session or create a new one`;
    const { code, stderr } = cause;
    const exit = { ...(code !== undefined && { exit_code: code }), ...(stderr && { stderr }) };
    const data = { reason: "error", terminated_by: "agent", message, ...exit } as const;
    journal.record([{ type: "session.ended", data, synthetic: true }]);
  }

  /** A session cannot begin without its skills, but one that has goes on. */
  #withoutSkills(error: unknown): void {
    const { journal } = this.options;
    if (journal.state.sequence === 0) throw error;
    journal.recordError(error, "skills_unavailable");
  }

  #connect(spec: SessionSpec): Connection {
    const { agent, journal, accept, context } = this.options;
    const session = Promise.reject(new Error("not opened yet"));
    const connection: Connection = { attached: true, hasProduced: false, session };
    connection.session.catch(() => {});
    const emit = (drafts: readonly Draft[]) => {
      if (!connection.attached) return undefined;
      if (drafts.some(({ type }) => !noProgress.has(type))) this.#onProgress(connection);
      const room = accept(drafts);
      const exited = drafts.find((draft) => draft.type === "agent.exited");
      if (exited) this.#onExit(connection, exited.exit);
      return room;
    };
    connection.session = agent.open(spec, { emit }).catch((error) => {
      const problem = redactedProblem(agentProblem(agent.id, "did not begin the session", error), context.secrets);
      if (failedStart.has(problem.kind)) this.#failedStarts += 1;
      throw problem;
    });
    connection.session.then(
      ({ nativeSessionId }) => {
        journal.nativeSessionId = nativeSessionId ?? journal.nativeSessionId;
      },
      () => {
        if (this.#connection === connection) this.#connection = null;
      },
    );
    return connection;
  }

  #onProgress(connection: Connection): void {
    connection.hasProduced = true;
    this.#failedStarts = 0;
  }

  /** The exit is in the log already. The next turn opens a new connection, with the agent's id of the conversation. */
  #onExit({ hasProduced }: Connection, exit: AgentExit): void {
    if (!hasProduced) this.#failedStarts += 1;
    background("close an agent that has exited", this.cut(), this.options.sessionId);
    this.endIfUnstartable(exit);
  }
}
