/** The universal event: one envelope, one `data` shape per type. Field names are the public contract. */
import * as z from "zod";
import { FileChangedData } from "./changes.ts";
import { UniversalItem } from "./item.ts";
import { type Infer, lazy } from "./lazy.ts";
import { Attachment } from "./message.ts";
import { Usage } from "./usage.ts";

const Metadata = lazy(() => z.record(z.string(), z.unknown()));

export const SessionStartedData = lazy(() =>
  z
    .object({
      metadata: Metadata().optional().meta({
        description: "agent, agentMode, permissionMode, model, variant; `forkedFrom` of a fork",
      }),
    })
    .meta({ id: "SessionStartedData" }),
);

export const SessionUpdatedData = lazy(() =>
  z
    .object({
      metadata: Metadata().meta({
        description:
          "The settings that changed, named as in session.started; `revert` when files were reverted or a revert was undone",
      }),
    })
    .meta({ id: "SessionUpdatedData" }),
);

export const StderrExcerpt = lazy(() =>
  z
    .object({
      head: z.string().nullish(),
      tail: z.string().nullish(),
      truncated: z.boolean(),
      total_lines: z.int().nullish(),
    })
    .meta({ id: "StderrExcerpt" }),
);
export type StderrExcerpt = Infer<typeof StderrExcerpt>;

export const SessionEndedData = lazy(() =>
  z
    .object({
      reason: z.enum(["completed", "error", "terminated"]),
      terminated_by: z.enum(["agent", "daemon"]),
      message: z.string().nullish(),
      exit_code: z.int().nullish(),
      stderr: StderrExcerpt().nullish(),
    })
    .meta({ id: "SessionEndedData" }),
);
export type SessionEndedData = Infer<typeof SessionEndedData>;

export const TurnStartedData = lazy(() =>
  z
    .object({ phase: z.literal("started"), turn_id: z.string().nullish(), metadata: Metadata().optional() })
    .meta({ id: "TurnStartedData" }),
);

/** Why a turn ended. `completed`: the agent finished it; every other reason is an early end. */
export const TurnEndReason = lazy(() =>
  z.enum(["completed", "aborted", "interrupted", "stalled", "terminated", "failed"]).meta({ id: "TurnEndReason" }),
);
export type TurnEndReason = Infer<typeof TurnEndReason>;

export const TurnEndedData = lazy(() =>
  z
    .object({
      phase: z.literal("ended"),
      turn_id: z.string().nullish(),
      metadata: z.looseObject({ reason: TurnEndReason().optional(), usage: Usage().optional() }).optional(),
    })
    .meta({ id: "TurnEndedData" }),
);

export const ItemData = lazy(() => z.object({ item: UniversalItem() }).meta({ id: "ItemData" }));

export const ItemDeltaData = lazy(() =>
  z
    .object({ item_id: z.string(), native_item_id: z.string().nullish(), delta: z.string() })
    .meta({ id: "ItemDeltaData" }),
);

export const PermissionData = lazy(() =>
  z
    .object({
      permission_id: z.string(),
      action: z.string(),
      status: z.enum(["requested", "approved", "denied"]),
      metadata: Metadata().nullish().meta({ description: "On permission.resolved, `reply` is once, always or reject" }),
    })
    .meta({ id: "PermissionData" }),
);
export type PermissionData = Infer<typeof PermissionData>;

export const QuestionData = lazy(() =>
  z
    .object({
      question_id: z.string(),
      prompt: z.string(),
      options: z.array(z.string()),
      status: z.enum(["requested", "answered", "rejected"]),
      response: z.string().nullable().meta({ description: "The first chosen option" }),
      metadata: Metadata().nullish().meta({ description: "On question.resolved, `answers` holds the whole reply" }),
    })
    .meta({ id: "QuestionData" }),
);
export type QuestionData = Infer<typeof QuestionData>;

export const MessageQueuedData = lazy(() =>
  z
    .object({ message_id: z.string(), message: z.string(), attachments: z.array(Attachment()).optional() })
    .meta({ id: "MessageQueuedData" }),
);

export const MessageCancelledData = lazy(() =>
  z.object({ message_id: z.string() }).meta({ id: "MessageCancelledData" }),
);

export const ErrorData = lazy(() =>
  z
    .object({ message: z.string(), code: z.string().nullish(), details: z.unknown() })
    .partial({ details: true })
    .meta({ id: "ErrorData" }),
);
export type ErrorData = Infer<typeof ErrorData>;

export const AgentUnparsedData = lazy(() =>
  z
    .object({ error: z.string(), location: z.string(), raw_hash: z.string().nullish() })
    .meta({ id: "AgentUnparsedData" }),
);
export type AgentUnparsedData = Infer<typeof AgentUnparsedData>;

/** Every event type with its data. The union, the type names and the OpenAPI document are derived from this table. */
export const eventData = {
  "session.started": SessionStartedData,
  "session.updated": SessionUpdatedData,
  "session.ended": SessionEndedData,
  "turn.started": TurnStartedData,
  "turn.ended": TurnEndedData,
  "item.started": ItemData,
  "item.delta": ItemDeltaData,
  "item.completed": ItemData,
  "permission.requested": PermissionData,
  "permission.resolved": PermissionData,
  "question.requested": QuestionData,
  "question.resolved": QuestionData,
  "message.queued": MessageQueuedData,
  "message.cancelled": MessageCancelledData,
  "file.changed": FileChangedData,
  error: ErrorData,
  "agent.unparsed": AgentUnparsedData,
} as const;

export type EventType = keyof typeof eventData;
export type EventData<T extends EventType> = Infer<(typeof eventData)[T]>;

export const EventSource = lazy(() => z.enum(["agent", "daemon"]));

export interface EventEnvelope {
  event_id: string;
  sequence: number;
  time: string;
  session_id: string;
  native_session_id: string | null;
  source: Infer<typeof EventSource>;
  synthetic: boolean;
  raw?: unknown;
}

export type UniversalEvent = { [T in EventType]: EventEnvelope & { type: T; data: EventData<T> } }[EventType];
export type EventOf<T extends EventType> = Extract<UniversalEvent, { type: T }>;

const envelope = () => ({
  event_id: z.string(),
  sequence: z.int().min(1).meta({ description: "Per session, from 1, without gaps" }),
  time: z.iso.datetime().meta({ description: "RFC 3339, UTC" }),
  session_id: z.string(),
  native_session_id: z.string().nullable(),
  source: EventSource(),
  synthetic: z
    .boolean()
    .meta({ description: "Created by the daemon because the agent's protocol has no such message" }),
  raw: z.unknown().optional().meta({ description: "The agent's own message, only with include_raw" }),
});

/** The variants are built from the table, so the inferred type of the union is too wide; the cast gives it the exact type. */
export const UniversalEvent = lazy(() => {
  const [first, ...rest] = Object.entries(eventData).map(([type, data]) =>
    z.object({ ...envelope(), type: z.literal(type), data: data() }),
  );
  if (!first) throw new Error("there must be at least one event type");
  return z
    .discriminatedUnion("type", [first, ...rest])
    .meta({ id: "UniversalEvent" }) as unknown as z.ZodType<UniversalEvent>;
});
