/**
 * A session's connection to its agent. It is opened when first needed, reopened after the agent has exited or its setup
 * has changed, and closed when a turn must end although the agent does not end it. Drafts of a closed agent are ignored.
 * When an agent fails several times in a row before it has produced anything, the session ends.
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

/** The part of an agent that a session uses. The agent behind it may be replaced while the session exists. */
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

  /** Reopens the agent when its setup has changed: every agent reads its setup only when it starts. */
  async open(settings = this.options.journal.state.settings): Promise<AgentSession> {
    const { sessionId, spec, journal, context } = this.options;
    const setup = setupOf(spec, context.config);
    // Added again with every start of the agent, because the oldest secrets are evicted first.
    context.secrets.add(secretsOfSession({ ...spec, mcp: setup.mcp }, process.env));
    const fingerprint = fingerprintOf(setup);
    if (this.#setup !== fingerprint) {
      background("close an agent whose setup has changed", this.disconnect(), sessionId);
      await linkSkills(setup, context.skillStore).catch((error) => this.#onMissingSkills(error));
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
      const problem = agentProblem(this.options.agent.id, "rejected the settings", error);
      throw redactedProblem(problem, this.options.context.secrets);
    });
  }

  /** Sends the agent a reply that is already in the log. A failure is recorded as an error event; the reply stays. */
  async sendReply(reply: (agentSession: AgentSession) => Promise<void>): Promise<void> {
    try {
      const agentSession = await this.current;
      if (agentSession) await reply(agentSession);
    } catch (error) {
      this.options.journal.recordError(error, "reply_failed");
    }
  }

  /** Closes the agent and stops listening to it. The next `open` starts it anew. */
  async disconnect(): Promise<void> {
    const connection = this.#connection;
    if (!connection) return this.#closing;
    this.#connection = null;
    connection.attached = false;
    const closed = connection.session.catch(() => null).then((session) => session?.close());
    this.#closing = closed.catch(() => {});
    await closed;
  }

  /** Disconnects, but waits for the agent to close only for a limited time. */
  async disconnectWithin(): Promise<void> {
    await within(closeGraceMs, this.disconnect());
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

  /** A new session fails without its skills. One that has begun continues without them and records an error. */
  #onMissingSkills(error: unknown): void {
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
      const backlog = accept(drafts);
      const exited = drafts.find((draft) => draft.type === "agent.exited");
      if (exited) this.#onExit(connection, exited.exit);
      return backlog;
    };
    connection.session = agent.open(spec, { emit }).catch((error) => {
      const problem = redactedProblem(agentProblem(agent.id, "failed to start the session", error), context.secrets);
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

  /** The exit is already in the log. The next turn opens a new connection with the agent's native session id. */
  #onExit({ hasProduced }: Connection, exit: AgentExit): void {
    if (!hasProduced) this.#failedStarts += 1;
    background("close an agent that has exited", this.disconnect(), this.options.sessionId);
    this.endIfUnstartable(exit);
  }
}
