/** Creating, changing and describing sessions. */
import * as z from "zod";
import { PermissionMode } from "./agent.ts";
import { ChangesStatus } from "./changes.ts";
import { PermissionData, QuestionData } from "./event.ts";
import { UniversalItem } from "./item.ts";
import { type Infer, lazy } from "./lazy.ts";
import { QueuedMessage } from "./message.ts";
import { Usage } from "./usage.ts";

const StringMap = lazy(() => z.record(z.string(), z.string()));

export const McpServerConfig = lazy(() =>
  z
    .discriminatedUnion("type", [
      z.object({
        type: z.enum(["local", "stdio"]),
        command: z.union([z.string().min(1), z.array(z.string()).min(1)]),
        args: z.array(z.string()).optional(),
        env: StringMap().optional(),
        environment: StringMap().optional().meta({ description: "Alias of env" }),
        cwd: z.string().optional(),
        enabled: z.boolean().optional(),
        timeoutMs: z.number().positive().optional(),
        timeout: z.number().positive().optional().meta({ description: "Alias of timeoutMs" }),
      }),
      z.object({
        type: z.enum(["remote", "http"]),
        url: z.string().min(1),
        headers: StringMap().optional(),
        bearerTokenEnvVar: z.string().optional(),
        envHeaders: StringMap().optional(),
        envHttpHeaders: StringMap().optional().meta({ description: "Alias of envHeaders" }),
        oauth: z
          .union([
            z.literal(false),
            z.object({
              clientId: z.string().optional(),
              clientSecret: z.string().optional(),
              scope: z.string().optional(),
            }),
          ])
          .optional(),
        transport: z.enum(["http", "sse"]).optional(),
        enabled: z.boolean().optional(),
        timeoutMs: z.number().positive().optional(),
        timeout: z.number().positive().optional().meta({ description: "Alias of timeoutMs" }),
      }),
    ])
    .meta({ id: "McpServerConfig" }),
);
export type McpServerConfig = Infer<typeof McpServerConfig>;

export const SkillSource = lazy(() =>
  z
    .object({
      type: z.enum(["github", "git", "local", "archive"]),
      source: z
        .string()
        .min(1)
        .meta({ description: "owner/repo, git URL, directory, or path or URL of a .tar, .tar.gz or .zip" }),
      skills: z.array(z.string()).optional().meta({ description: "Only skills with these directory names" }),
      ref: z.string().optional(),
      subpath: z.string().optional(),
    })
    .meta({ id: "SkillSource" }),
);
export type SkillSource = Infer<typeof SkillSource>;

export const SkillsConfig = lazy(() => z.object({ sources: z.array(SkillSource()) }).meta({ id: "SkillsConfig" }));
export type SkillsConfig = Infer<typeof SkillsConfig>;

export const CreateSessionRequest = lazy(() =>
  z
    .object({
      agent: z.string().meta({ description: "Agent id, see GET /v1/agents" }),
      agentMode: z.string().nullish().meta({ description: "Default `build`" }),
      permissionMode: PermissionMode().nullish().meta({ description: "Default `default`" }),
      model: z.string().nullish().meta({ description: "Default: the agent's default model" }),
      variant: z.string().nullish(),
      agentVersion: z.string().nullish().meta({ description: "Version to install if the agent is missing" }),
      directory: z.string().min(1).nullish().meta({ description: "Working directory of the agent; must exist" }),
      title: z.string().nullish(),
      mcp: z.record(z.string(), z.lazy(McpServerConfig)).nullish().meta({ description: "MCP servers by name" }),
      skills: SkillsConfig().nullish(),
      env: StringMap().nullish().meta({ description: "Environment variables for the agent. Kept in memory only" }),
      credentials: StringMap().nullish().meta({
        description: "Keys for this session, by provider (`anthropic`, `openai`, …). Kept in memory only",
      }),
      endpoints: StringMap().nullish().meta({
        description: "Base URLs of model services, by provider (`anthropic`, `openai`, …)",
      }),
    })
    .meta({ id: "CreateSessionRequest" }),
);
export type CreateSessionRequest = Infer<typeof CreateSessionRequest>;

export const CreateSessionResponse = lazy(() =>
  z
    .object({
      healthy: z.boolean(),
      nativeSessionId: z.string().nullish(),
      error: z
        .object({
          type: z.string(),
          message: z.string(),
          agent: z.string().optional(),
          session_id: z.string().optional(),
          details: z.record(z.string(), z.unknown()).optional(),
        })
        .optional(),
    })
    .meta({ id: "CreateSessionResponse" }),
);
export type CreateSessionResponse = Infer<typeof CreateSessionResponse>;

export const UpdateSessionRequest = lazy(() =>
  z
    .object({
      title: z.string().nullish(),
      model: z.string().optional(),
      variant: z.string().nullish(),
      agentMode: z.string().optional(),
      permissionMode: PermissionMode().optional(),
    })
    .refine((change) => Object.keys(change).length > 0, "must name at least one setting to change")
    .meta({ id: "UpdateSessionRequest", description: "Applied from the next turn" }),
);
export type UpdateSessionRequest = Infer<typeof UpdateSessionRequest>;

export const ForkSessionRequest = lazy(() =>
  z
    .object({
      sessionId: z.string().min(1).optional().meta({ description: "Id of the new session; default: a generated one" }),
      lastTurn: z
        .int()
        .min(0)
        .optional()
        .meta({ description: "Number of the last turn to copy; default: all turns that have ended" }),
      title: z.string().nullish().meta({ description: "Default: the title of the session with `(fork #1)`" }),
      directory: z.string().min(1).optional().meta({ description: "Default: the directory of the session" }),
    })
    .meta({ id: "ForkSessionRequest" }),
);
export type ForkSessionRequest = Infer<typeof ForkSessionRequest>;

export const SessionStatus = lazy(() =>
  z.enum(["idle", "running", "waiting", "ended"]).meta({
    id: "SessionStatus",
    description: "`waiting`: a permission or question is open",
  }),
);
export type SessionStatus = Infer<typeof SessionStatus>;

export const SessionRevert = lazy(() =>
  z
    .object({
      messageId: z.string().meta({ description: "The first message whose changes are undone" }),
      checkpointId: z.string().meta({ description: "The checkpoint of the files before that message" }),
    })
    .meta({ id: "SessionRevert" }),
);
export type SessionRevert = Infer<typeof SessionRevert>;

export const SessionInfo = lazy(() =>
  z
    .object({
      sessionId: z.string(),
      agent: z.string(),
      agentMode: z.string(),
      permissionMode: z.string(),
      model: z.string().nullable(),
      variant: z.string().nullable(),
      nativeSessionId: z.string().nullable(),
      ended: z.boolean(),
      status: SessionStatus(),
      eventCount: z.int().meta({ description: "Events in the history" }),
      lastSequence: z.int().meta({ description: "Sequence of the newest event" }),
      createdAt: z.number().meta({ description: "Epoch milliseconds" }),
      updatedAt: z.number().meta({ description: "Epoch milliseconds" }),
      directory: z.string().nullable(),
      title: z.string().nullable(),
      queue: z.array(QueuedMessage()).meta({ description: "Messages that wait for the running turn to end" }),
      usage: Usage().meta({ description: "Totals over all turns" }),
      mcp: z
        .record(z.string(), McpServerConfig())
        .optional()
        .meta({ description: "MCP servers by name; values of `env` and `headers` and the OAuth secret are not shown" }),
      skills: SkillsConfig().optional(),
      revert: SessionRevert().optional().meta({
        description: "Only while its files are reverted to before a message, until the next turn",
      }),
      changes: ChangesStatus()
        .optional()
        .meta({ description: "Only when changes of its directory cannot be fully reported" }),
    })
    .meta({ id: "SessionInfo" }),
);
export type SessionInfo = Infer<typeof SessionInfo>;

export const SessionList = lazy(() =>
  z
    .object({
      sessions: z.array(SessionInfo()),
      nextCursor: z.string().optional().meta({ description: "Only when more follow: the `cursor` of the next page" }),
    })
    .meta({ id: "SessionList" }),
);

export const PendingRequests = lazy(() =>
  z
    .object({ permissions: z.array(PermissionData()), questions: z.array(QuestionData()) })
    .meta({ id: "PendingRequests" }),
);
export type PendingRequests = Infer<typeof PendingRequests>;

export const TranscriptItem = lazy(() =>
  UniversalItem()
    .extend({
      sequence: z.int().meta({ description: "Sequence of the event that started the item" }),
      turn_id: z.string().nullable(),
    })
    .meta({ id: "TranscriptItem" }),
);
export type TranscriptItem = Infer<typeof TranscriptItem>;

export const TranscriptTurn = lazy(() =>
  z
    .object({
      turnId: z.string().nullable(),
      messageId: z.string().nullable(),
      firstSequence: z.int(),
      lastSequence: z.int().nullable().meta({ description: "null while the turn runs" }),
      reason: z.string().nullable().meta({ description: "Why it ended" }),
      usage: Usage().nullable(),
    })
    .meta({ id: "TranscriptTurn" }),
);
export type TranscriptTurn = Infer<typeof TranscriptTurn>;

export const TranscriptError = lazy(() =>
  z
    .object({ sequence: z.int(), message: z.string(), code: z.string().nullable(), details: z.unknown() })
    .partial({ details: true })
    .meta({ id: "TranscriptError" }),
);
export type TranscriptError = Infer<typeof TranscriptError>;

const resolvedAt = lazy(() => z.int().meta({ description: "Sequence of the event that resolved it" }));

export const ResolvedRequests = lazy(() =>
  z
    .object({
      permissions: z.array(PermissionData().extend({ sequence: resolvedAt() })),
      questions: z.array(QuestionData().extend({ sequence: resolvedAt() })),
    })
    .meta({ id: "ResolvedRequests" }),
);
export type ResolvedRequests = Infer<typeof ResolvedRequests>;

export const TranscriptResponse = lazy(() =>
  z
    .object({
      sessionId: z.string(),
      status: SessionStatus(),
      lastSequence: z.int(),
      items: z.array(TranscriptItem()),
      turns: z.array(TranscriptTurn()),
      errors: z.array(TranscriptError()),
      requests: PendingRequests(),
      resolved: ResolvedRequests(),
      queue: z.array(QueuedMessage()),
      usage: Usage(),
    })
    .meta({ id: "TranscriptResponse" }),
);
export type TranscriptResponse = Infer<typeof TranscriptResponse>;

export const WaitCondition = lazy(() => z.enum(["idle", "request", "ended"]).meta({ id: "WaitCondition" }));
export type WaitCondition = Infer<typeof WaitCondition>;

export const WaitResponse = lazy(() =>
  z
    .object({
      reached: WaitCondition().nullable().meta({ description: "The condition that holds; null when the time ran out" }),
      session: SessionInfo(),
    })
    .meta({ id: "WaitResponse" }),
);
export type WaitResponse = Infer<typeof WaitResponse>;
