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

/** The part of an agent that is known without loading its code. */
export interface AgentDescription {
  readonly id: string;
  readonly name: string;
  readonly capabilities: AgentCapabilities;
  readonly permissionModes: readonly PermissionMode[];
}

export interface Agent extends AgentDescription {
  /** Whether the agent is installed and has credentials. */
  inspect(): Promise<AgentPresence>;
  /** Installs the agent. Does nothing if it is already installed, unless `reinstall`. */
  install(options: { reinstall: boolean; version?: string }): Promise<void>;
  modes(): Promise<AgentMode[]>;
  models(): Promise<AgentModels>;
  /** The agent's id for the user's message of a turn, if it is known in advance. */
  userItemId?(turnNumber: number): string;
  /** Starts a session, or resumes it if the spec has a native session id. Errors are returned to the client. */
  open(spec: SessionSpec, sink: Sink): Promise<AgentSession>;
  /** Stops what its sessions share. Called when the daemon stops, after all sessions are closed. */
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
  /** The conversation so far as text, for an agent that cannot resume it. null = there is none. */
  history?(): Promise<string | null>;
}

export interface Turn {
  /** Number of the turn in its session, from 1. */
  number: number;
  text: string;
  attachments: readonly Attachment[];
}

/**
 * A running conversation. Calls resolve when the agent has received them, not when it has acted; results arrive as drafts.
 * Every `send` is followed by exactly one end: a `turn.ended`, `session.ended` or `agent.exited` draft.
 */
export interface AgentSession {
  readonly nativeSessionId: string | null;
  send(turn: Turn): Promise<void>;
  /** Passes a message to the running turn. Missing if the agent does not support it. */
  steer?(turn: Turn): Promise<void>;
  /** Interrupts the turn; the agent then emits its `turn.ended`. */
  abort(): Promise<void>;
  replyPermission(permissionId: string, reply: PermissionReply): Promise<void>;
  /** `null` = the question was rejected. */
  replyQuestion(questionId: string, answers: string[][] | null): Promise<void>;
  /** Applies settings from the next turn on. */
  configure(settings: AgentSettings): Promise<void>;
  /** Stops everything the session runs. No draft follows, and nothing is started again. */
  close(): Promise<void>;
}

export interface Sink {
  /**
   * Emits events, in order. Returns a promise when the backlog is full; it resolves when there is room again. An agent that
   * awaits it is slowed down to the speed of the log.
   */
  emit(drafts: readonly Draft[]): Promise<void> | void;
}
