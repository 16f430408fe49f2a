/**
 * The interface every agent implements. An agent translates: universal turns and replies go in, drafts of universal
 * events come out through a sink. It assigns no ids, sequences or times and stores nothing; the daemon does.
 */
import type {
  AgentCapabilities,
  AgentMode,
  AgentModels,
  Attachment,
  McpServerConfig,
  PermissionMode,
  PermissionReply,
  ServerStatus,
  SkillsConfig,
} from "@sandbox-agent/schema";
import type { Draft } from "./draft.ts";

/** The folder of a working directory in which most agents look for skills. */
export const sharedSkillFolder = ".agents/skills";

/** What is known of an agent before it is used. */
export interface AgentDescription {
  readonly id: string;
  readonly name: string;
  readonly capabilities: AgentCapabilities;
  readonly permissionModes: readonly PermissionMode[];
}

export interface Agent extends AgentDescription {
  /** Whether the agent is there and usable now. */
  inspect(): Promise<AgentPresence>;
  /** Makes the agent usable. Does nothing when it is already, unless `reinstall`. */
  install(options: { reinstall: boolean; version?: string }): Promise<void>;
  modes(): Promise<AgentMode[]>;
  models(): Promise<AgentModels>;
  /** The agent's id for the user's message of a turn, where it can be chosen beforehand. */
  userItemId?(turnNumber: number): string;
  /** Starts a session, or resumes it when the spec carries a native session id. What it throws is told to the client. */
  open(spec: SessionSpec, sink: Sink): Promise<AgentSession>;
  /** Ends what its sessions share. The daemon is stopping and has closed the sessions before. */
  close?(): Promise<void>;
}

export interface AgentPresence {
  installed: boolean;
  credentialsAvailable: boolean;
  version?: string;
  path?: string;
  serverStatus?: ServerStatus;
}

/** Settings a session can change between turns. */
export interface AgentSettings {
  agentMode: string;
  permissionMode: PermissionMode;
  model: string | null;
  variant: string | null;
}

export interface SessionSpec extends AgentSettings {
  sessionId: string;
  nativeSessionId: string | null;
  directory: string;
  mcp: Record<string, McpServerConfig>;
  skills: SkillsConfig;
  /** Version of the agent to run; null = the pinned one. */
  agentVersion: string | null;
  /** Environment variables for the agent, on top of the daemon's. */
  env: Record<string, string>;
  /** Keys for this session alone, by provider ("anthropic", "openai", …). They win over those of the machine. */
  credentials: Record<string, string>;
  /** Model endpoints for this session alone, by provider. */
  endpoints: Record<string, string>;
  /** The conversation so far as text, for an agent that cannot take it up again. null = there is none. */
  history?(): Promise<string | null>;
}

export interface Turn {
  /** Number of the turn in its session, from 1. */
  number: number;
  text: string;
  attachments: readonly Attachment[];
}

/**
 * A running conversation. Calls resolve when the agent has been told, not when it has acted: what follows arrives as
 * drafts. Every `send` is followed by exactly one end: a `turn.ended`, `session.ended` or `agent.exited` draft.
 */
export interface AgentSession {
  readonly nativeSessionId: string | null;
  send(turn: Turn): Promise<void>;
  /** Hands a message to the running turn. Missing where the agent cannot. */
  steer?(turn: Turn): Promise<void>;
  /** Asks the agent to stop; it answers with its `turn.ended`. */
  abort(): Promise<void>;
  replyPermission(permissionId: string, reply: PermissionReply): Promise<void>;
  /** `null` = the question was rejected. */
  replyQuestion(questionId: string, answers: string[][] | null): Promise<void>;
  /** Applies settings from the next turn on. */
  configure(settings: AgentSettings): Promise<void>;
  /** Ends everything the session runs, for good: no draft follows, and nothing is started any more. */
  close(): Promise<void>;
}

export interface Sink {
  /**
   * Hands over events, in order. A promise is returned when there is no room for more, and resolves when there is again: an
   * agent that awaits it before producing more is slowed down to what the log can take.
   */
  emit(drafts: readonly Draft[]): Promise<void> | void;
}
