// Generated from the API document of OpenCode 1.18.33 by packages/agents/schemas/opencode.ts. Do not edit.
import * as z from "zod";

export const Agent = z.object({ "description": z.string().nullish(), "hidden": z.boolean().nullish(), "mode": z.enum(["subagent","primary","all"]).or(z.string()), "name": z.string() });
export type Agent = z.infer<typeof Agent>;

export const AgentList = z.array(Agent);
export type AgentList = z.infer<typeof AgentList>;

export const AgentPart = z.object({ "id": z.string(), "messageID": z.string(), "name": z.string(), "sessionID": z.string(), "source": z.object({ "end": z.number(), "start": z.number(), "value": z.string() }).nullish(), "type": z.literal("agent") });
export type AgentPart = z.infer<typeof AgentPart>;

export const AgentPartInput = z.object({ "id": z.string().nullish(), "name": z.string(), "source": z.object({ "end": z.number(), "start": z.number(), "value": z.string() }).nullish(), "type": z.literal("agent") });
export type AgentPartInput = z.infer<typeof AgentPartInput>;

export const APIError = z.object({ "data": z.object({ "isRetryable": z.boolean(), "message": z.string(), "metadata": z.record(z.string(), z.string()).nullish(), "responseBody": z.string().nullish(), "responseHeaders": z.record(z.string(), z.string()).nullish(), "statusCode": z.number().nullish() }), "name": z.literal("APIError") });
export type APIError = z.infer<typeof APIError>;

export const ProviderAuthError = z.object({ "data": z.object({ "message": z.string(), "providerID": z.string() }), "name": z.literal("ProviderAuthError") });
export type ProviderAuthError = z.infer<typeof ProviderAuthError>;

export const UnknownError = z.object({ "data": z.object({ "message": z.string(), "ref": z.string().nullish() }), "name": z.literal("UnknownError") });
export type UnknownError = z.infer<typeof UnknownError>;

export const MessageOutputLengthError = z.object({ "data": z.object({  }), "name": z.literal("MessageOutputLengthError") });
export type MessageOutputLengthError = z.infer<typeof MessageOutputLengthError>;

export const MessageAbortedError = z.object({ "data": z.object({ "message": z.string() }), "name": z.literal("MessageAbortedError") });
export type MessageAbortedError = z.infer<typeof MessageAbortedError>;

export const StructuredOutputError = z.object({ "data": z.object({ "message": z.string(), "retries": z.number() }), "name": z.literal("StructuredOutputError") });
export type StructuredOutputError = z.infer<typeof StructuredOutputError>;

export const ContextOverflowError = z.object({ "data": z.object({ "message": z.string(), "responseBody": z.string().nullish() }), "name": z.literal("ContextOverflowError") });
export type ContextOverflowError = z.infer<typeof ContextOverflowError>;

export const ContentFilterError = z.object({ "data": z.object({ "message": z.string() }), "name": z.literal("ContentFilterError") });
export type ContentFilterError = z.infer<typeof ContentFilterError>;

export const AssistantMessage = z.object({ "cost": z.number(), "error": z.union([
  z.discriminatedUnion("name", [
    ProviderAuthError,
    UnknownError,
    MessageOutputLengthError,
    MessageAbortedError,
    StructuredOutputError,
    ContextOverflowError,
    ContentFilterError,
    APIError,
  ]),
  z.looseObject({ name: z.string() }).refine((value) => !["ProviderAuthError","UnknownError","MessageOutputLengthError","MessageAbortedError","StructuredOutputError","ContextOverflowError","ContentFilterError","APIError"].includes(value.name)).transform((native) => ({ name: "unknown" as const, native })),
]).nullish(), "finish": z.string().nullish(), "id": z.string(), "mode": z.string(), "parentID": z.string(), "role": z.literal("assistant"), "sessionID": z.string(), "time": z.object({ "completed": z.number().nullish(), "created": z.number() }) });
export type AssistantMessage = z.infer<typeof AssistantMessage>;

export const CompactionPart = z.object({ "auto": z.boolean(), "id": z.string(), "messageID": z.string(), "overflow": z.boolean().nullish(), "sessionID": z.string(), "tail_start_id": z.string().nullish(), "type": z.literal("compaction") });
export type CompactionPart = z.infer<typeof CompactionPart>;

export const CreateSessionBody = z.object({ "title": z.string().nullish() });
export type CreateSessionBody = z.infer<typeof CreateSessionBody>;

export const EventMessagePartDelta = z.object({ "id": z.string(), "properties": z.object({ "delta": z.string(), "field": z.string(), "messageID": z.string(), "partID": z.string(), "sessionID": z.string() }), "type": z.literal("message.part.delta") });
export type EventMessagePartDelta = z.infer<typeof EventMessagePartDelta>;

export const TextPart = z.object({ "id": z.string(), "ignored": z.boolean().nullish(), "messageID": z.string(), "metadata": z.record(z.string(), z.unknown()).nullish(), "sessionID": z.string(), "synthetic": z.boolean().nullish(), "text": z.string(), "time": z.object({ "end": z.number().nullish(), "start": z.number() }).nullish(), "type": z.literal("text") });
export type TextPart = z.infer<typeof TextPart>;

export const SubtaskPart = z.object({ "agent": z.string(), "command": z.string().nullish(), "description": z.string(), "id": z.string(), "messageID": z.string(), "model": z.object({ "modelID": z.string(), "providerID": z.string() }).nullish(), "prompt": z.string(), "sessionID": z.string(), "type": z.literal("subtask") });
export type SubtaskPart = z.infer<typeof SubtaskPart>;

export const ReasoningPart = z.object({ "id": z.string(), "messageID": z.string(), "metadata": z.record(z.string(), z.unknown()).nullish(), "sessionID": z.string(), "text": z.string(), "time": z.object({ "end": z.number().nullish(), "start": z.number() }), "type": z.literal("reasoning") });
export type ReasoningPart = z.infer<typeof ReasoningPart>;

export const FilePart = z.object({ "filename": z.string().nullish(), "id": z.string(), "messageID": z.string(), "mime": z.string(), "sessionID": z.string(), "type": z.literal("file"), "url": z.string() });
export type FilePart = z.infer<typeof FilePart>;

export const ToolStatePending = z.object({ "input": z.record(z.string(), z.unknown()), "raw": z.string(), "status": z.literal("pending") });
export type ToolStatePending = z.infer<typeof ToolStatePending>;

export const ToolStateRunning = z.object({ "input": z.record(z.string(), z.unknown()), "metadata": z.record(z.string(), z.unknown()).nullish(), "status": z.literal("running"), "time": z.object({ "start": z.number() }), "title": z.string().nullish() });
export type ToolStateRunning = z.infer<typeof ToolStateRunning>;

export const ToolStateCompleted = z.object({ "attachments": z.array(FilePart).nullish(), "input": z.record(z.string(), z.unknown()), "metadata": z.record(z.string(), z.unknown()), "output": z.string(), "status": z.literal("completed"), "time": z.object({ "compacted": z.number().nullish(), "end": z.number(), "start": z.number() }), "title": z.string() });
export type ToolStateCompleted = z.infer<typeof ToolStateCompleted>;

export const ToolStateError = z.object({ "error": z.string(), "input": z.record(z.string(), z.unknown()), "metadata": z.record(z.string(), z.unknown()).nullish(), "status": z.literal("error"), "time": z.object({ "end": z.number(), "start": z.number() }) });
export type ToolStateError = z.infer<typeof ToolStateError>;

export const ToolState = z.union([
  z.discriminatedUnion("status", [
    ToolStatePending,
    ToolStateRunning,
    ToolStateCompleted,
    ToolStateError,
  ]),
  z.looseObject({ status: z.string() }).refine((value) => !["pending","running","completed","error"].includes(value.status)).transform((native) => ({ status: "unknown" as const, native })),
]);
export type ToolState = z.infer<typeof ToolState>;

export const ToolPart = z.object({ "callID": z.string(), "id": z.string(), "messageID": z.string(), "metadata": z.record(z.string(), z.unknown()).nullish(), "sessionID": z.string(), "state": ToolState, "tool": z.string(), "type": z.literal("tool") });
export type ToolPart = z.infer<typeof ToolPart>;

export const StepStartPart = z.object({ "id": z.string(), "messageID": z.string(), "sessionID": z.string(), "snapshot": z.string().nullish(), "type": z.literal("step-start") });
export type StepStartPart = z.infer<typeof StepStartPart>;

export const StepFinishPart = z.object({ "cost": z.number(), "id": z.string(), "messageID": z.string(), "reason": z.string(), "sessionID": z.string(), "snapshot": z.string().nullish(), "tokens": z.object({ "cache": z.object({ "read": z.number(), "write": z.number() }), "input": z.number(), "output": z.number(), "reasoning": z.number(), "total": z.number().nullish() }), "type": z.literal("step-finish") });
export type StepFinishPart = z.infer<typeof StepFinishPart>;

export const SnapshotPart = z.object({ "id": z.string(), "messageID": z.string(), "sessionID": z.string(), "snapshot": z.string(), "type": z.literal("snapshot") });
export type SnapshotPart = z.infer<typeof SnapshotPart>;

export const PatchPart = z.object({ "files": z.array(z.string()), "hash": z.string(), "id": z.string(), "messageID": z.string(), "sessionID": z.string(), "type": z.literal("patch") });
export type PatchPart = z.infer<typeof PatchPart>;

export const RetryPart = z.object({ "attempt": z.number(), "error": APIError, "id": z.string(), "messageID": z.string(), "sessionID": z.string(), "time": z.object({ "created": z.number() }), "type": z.literal("retry") });
export type RetryPart = z.infer<typeof RetryPart>;

export const Part = z.union([
  z.discriminatedUnion("type", [
    TextPart,
    SubtaskPart,
    ReasoningPart,
    FilePart,
    ToolPart,
    StepStartPart,
    StepFinishPart,
    SnapshotPart,
    PatchPart,
    AgentPart,
    RetryPart,
    CompactionPart,
  ]),
  z.looseObject({ type: z.string() }).refine((value) => !["text","subtask","reasoning","file","tool","step-start","step-finish","snapshot","patch","agent","retry","compaction"].includes(value.type)).transform((native) => ({ type: "unknown" as const, native })),
]);
export type Part = z.infer<typeof Part>;

export const EventMessagePartUpdated = z.object({ "id": z.string(), "properties": z.object({ "part": Part, "sessionID": z.string(), "time": z.number() }), "type": z.literal("message.part.updated") });
export type EventMessagePartUpdated = z.infer<typeof EventMessagePartUpdated>;

export const UserMessage = z.object({ "agent": z.string(), "id": z.string(), "role": z.literal("user"), "sessionID": z.string(), "time": z.object({ "created": z.number() }) });
export type UserMessage = z.infer<typeof UserMessage>;

export const Message = z.discriminatedUnion("role", [UserMessage, AssistantMessage]);
export type Message = z.infer<typeof Message>;

export const EventMessageUpdated = z.object({ "id": z.string(), "properties": z.object({ "info": Message, "sessionID": z.string() }), "type": z.literal("message.updated") });
export type EventMessageUpdated = z.infer<typeof EventMessageUpdated>;

export const EventPermissionAsked = z.object({ "id": z.string(), "properties": z.object({ "always": z.array(z.string()), "id": z.string(), "metadata": z.record(z.string(), z.unknown()), "patterns": z.array(z.string()), "permission": z.string(), "sessionID": z.string(), "tool": z.object({ "callID": z.string(), "messageID": z.string() }).nullish() }), "type": z.literal("permission.asked") });
export type EventPermissionAsked = z.infer<typeof EventPermissionAsked>;

export const EventPermissionReplied = z.object({ "id": z.string(), "properties": z.object({ "reply": z.enum(["once","always","reject"]).or(z.string()), "requestID": z.string(), "sessionID": z.string() }), "type": z.literal("permission.replied") });
export type EventPermissionReplied = z.infer<typeof EventPermissionReplied>;

export const QuestionOption = z.object({ "description": z.string(), "label": z.string() });
export type QuestionOption = z.infer<typeof QuestionOption>;

export const QuestionInfo = z.object({ "custom": z.boolean().nullish(), "header": z.string(), "multiple": z.boolean().nullish(), "options": z.array(QuestionOption), "question": z.string() });
export type QuestionInfo = z.infer<typeof QuestionInfo>;

export const QuestionTool = z.object({ "callID": z.string(), "messageID": z.string() });
export type QuestionTool = z.infer<typeof QuestionTool>;

export const EventQuestionAsked = z.object({ "id": z.string(), "properties": z.object({ "id": z.string(), "questions": z.array(QuestionInfo), "sessionID": z.string(), "tool": QuestionTool.nullish() }), "type": z.literal("question.asked") });
export type EventQuestionAsked = z.infer<typeof EventQuestionAsked>;

export const EventQuestionRejected = z.object({ "id": z.string(), "properties": z.object({ "requestID": z.string(), "sessionID": z.string() }), "type": z.literal("question.rejected") });
export type EventQuestionRejected = z.infer<typeof EventQuestionRejected>;

export const QuestionAnswer = z.array(z.string());
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;

export const EventQuestionReplied = z.object({ "id": z.string(), "properties": z.object({ "answers": z.array(QuestionAnswer), "requestID": z.string(), "sessionID": z.string() }), "type": z.literal("question.replied") });
export type EventQuestionReplied = z.infer<typeof EventQuestionReplied>;

export const EventSessionCompacted = z.object({ "id": z.string(), "properties": z.object({ "sessionID": z.string() }), "type": z.literal("session.compacted") });
export type EventSessionCompacted = z.infer<typeof EventSessionCompacted>;

export const Session = z.object({ "directory": z.string(), "id": z.string(), "parentID": z.string().nullish(), "title": z.string() });
export type Session = z.infer<typeof Session>;

export const EventSessionCreated = z.object({ "id": z.string(), "properties": z.object({ "info": Session, "sessionID": z.string() }), "type": z.literal("session.created") });
export type EventSessionCreated = z.infer<typeof EventSessionCreated>;

export const EventSessionDeleted = z.object({ "id": z.string(), "properties": z.object({ "info": Session, "sessionID": z.string() }), "type": z.literal("session.deleted") });
export type EventSessionDeleted = z.infer<typeof EventSessionDeleted>;

export const EventSessionError = z.object({ "id": z.string(), "properties": z.object({ "error": z.union([
  z.discriminatedUnion("name", [
    ProviderAuthError,
    UnknownError,
    MessageOutputLengthError,
    MessageAbortedError,
    StructuredOutputError,
    ContextOverflowError,
    ContentFilterError,
    APIError,
  ]),
  z.looseObject({ name: z.string() }).refine((value) => !["ProviderAuthError","UnknownError","MessageOutputLengthError","MessageAbortedError","StructuredOutputError","ContextOverflowError","ContentFilterError","APIError"].includes(value.name)).transform((native) => ({ name: "unknown" as const, native })),
]).nullish(), "sessionID": z.string().nullish() }), "type": z.literal("session.error") });
export type EventSessionError = z.infer<typeof EventSessionError>;

export const EventSessionIdle = z.object({ "id": z.string(), "properties": z.object({ "sessionID": z.string() }), "type": z.literal("session.idle") });
export type EventSessionIdle = z.infer<typeof EventSessionIdle>;

export const SessionStatus = z.union([
  z.discriminatedUnion("type", [
    z.object({ "type": z.literal("idle") }),
    z.object({ "action": z.object({ "label": z.string(), "link": z.string().nullish(), "message": z.string(), "provider": z.string(), "reason": z.string(), "title": z.string() }).nullish(), "attempt": z.number(), "message": z.string(), "next": z.number(), "type": z.literal("retry") }),
    z.object({ "type": z.literal("busy") }),
  ]),
  z.looseObject({ type: z.string() }).refine((value) => !["idle","retry","busy"].includes(value.type)).transform((native) => ({ type: "unknown" as const, native })),
]);
export type SessionStatus = z.infer<typeof SessionStatus>;

export const EventSessionStatus = z.object({ "id": z.string(), "properties": z.object({ "sessionID": z.string(), "status": SessionStatus }), "type": z.literal("session.status") });
export type EventSessionStatus = z.infer<typeof EventSessionStatus>;

export const Todo = z.object({ "content": z.string(), "priority": z.string(), "status": z.string() });
export type Todo = z.infer<typeof Todo>;

export const EventTodoUpdated = z.object({ "id": z.string(), "properties": z.object({ "sessionID": z.string(), "todos": z.array(Todo) }), "type": z.literal("todo.updated") });
export type EventTodoUpdated = z.infer<typeof EventTodoUpdated>;

export const FilePartInput = z.object({ "filename": z.string().nullish(), "mime": z.string(), "type": z.literal("file"), "url": z.string() });
export type FilePartInput = z.infer<typeof FilePartInput>;

export const McpLocalConfig = z.object({ "command": z.array(z.string()), "cwd": z.string().nullish(), "enabled": z.boolean().nullish(), "environment": z.record(z.string(), z.string()).nullish(), "timeout": z.number().nullish(), "type": z.literal("local") });
export type McpLocalConfig = z.infer<typeof McpLocalConfig>;

export const McpOAuthConfig = z.object({ "callbackPort": z.number().nullish(), "clientId": z.string().nullish(), "clientSecret": z.string().nullish(), "redirectUri": z.string().nullish(), "scope": z.string().nullish() });
export type McpOAuthConfig = z.infer<typeof McpOAuthConfig>;

export const McpRemoteConfig = z.object({ "enabled": z.boolean().nullish(), "headers": z.record(z.string(), z.string()).nullish(), "oauth": z.union([McpOAuthConfig, z.literal(false)]).nullish(), "timeout": z.number().nullish(), "type": z.literal("remote"), "url": z.string() });
export type McpRemoteConfig = z.infer<typeof McpRemoteConfig>;

export const MCPStatusConnected = z.object({ "status": z.literal("connected") });
export type MCPStatusConnected = z.infer<typeof MCPStatusConnected>;

export const MCPStatusDisabled = z.object({ "status": z.literal("disabled") });
export type MCPStatusDisabled = z.infer<typeof MCPStatusDisabled>;

export const MCPStatusFailed = z.object({ "error": z.string(), "status": z.literal("failed") });
export type MCPStatusFailed = z.infer<typeof MCPStatusFailed>;

export const MCPStatusNeedsAuth = z.object({ "status": z.literal("needs_auth") });
export type MCPStatusNeedsAuth = z.infer<typeof MCPStatusNeedsAuth>;

export const MCPStatusNeedsClientRegistration = z.object({ "error": z.string(), "status": z.literal("needs_client_registration") });
export type MCPStatusNeedsClientRegistration = z.infer<typeof MCPStatusNeedsClientRegistration>;

export const MCPStatus = z.union([
  z.discriminatedUnion("status", [
    MCPStatusConnected,
    MCPStatusDisabled,
    MCPStatusFailed,
    MCPStatusNeedsAuth,
    MCPStatusNeedsClientRegistration,
  ]),
  z.looseObject({ status: z.string() }).refine((value) => !["connected","disabled","failed","needs_auth","needs_client_registration"].includes(value.status)).transform((native) => ({ status: "unknown" as const, native })),
]);
export type MCPStatus = z.infer<typeof MCPStatus>;

export const McpStatusMap = z.record(z.string(), MCPStatus);
export type McpStatusMap = z.infer<typeof McpStatusMap>;

export const Model = z.object({ "id": z.string(), "limit": z.object({ "context": z.number(), "input": z.number().nullish(), "output": z.number() }), "name": z.string(), "providerID": z.string(), "status": z.enum(["alpha","beta","deprecated","active"]).or(z.string()), "variants": z.record(z.string(), z.record(z.string(), z.unknown())).nullish() });
export type Model = z.infer<typeof Model>;

export const PermissionReplyBody = z.object({ "message": z.string().nullish(), "reply": z.enum(["once","always","reject"]).or(z.string()) });
export type PermissionReplyBody = z.infer<typeof PermissionReplyBody>;

export const TextPartInput = z.object({ "id": z.string().nullish(), "ignored": z.boolean().nullish(), "metadata": z.record(z.string(), z.unknown()).nullish(), "synthetic": z.boolean().nullish(), "text": z.string(), "time": z.object({ "end": z.number().nullish(), "start": z.number() }).nullish(), "type": z.literal("text") });
export type TextPartInput = z.infer<typeof TextPartInput>;

export const SubtaskPartInput = z.object({ "agent": z.string(), "command": z.string().nullish(), "description": z.string(), "id": z.string().nullish(), "model": z.object({ "modelID": z.string(), "providerID": z.string() }).nullish(), "prompt": z.string(), "type": z.literal("subtask") });
export type SubtaskPartInput = z.infer<typeof SubtaskPartInput>;

export const PromptBody = z.object({ "agent": z.string().nullish(), "model": z.object({ "modelID": z.string(), "providerID": z.string() }).nullish(), "parts": z.array(z.union([
  z.discriminatedUnion("type", [
    TextPartInput,
    FilePartInput,
    AgentPartInput,
    SubtaskPartInput,
  ]),
  z.looseObject({ type: z.string() }).refine((value) => !["text","file","agent","subtask"].includes(value.type)).transform((native) => ({ type: "unknown" as const, native })),
])), "variant": z.string().nullish() });
export type PromptBody = z.infer<typeof PromptBody>;

export const Provider = z.object({ "id": z.string(), "models": z.record(z.string(), Model), "name": z.string() });
export type Provider = z.infer<typeof Provider>;

export const ProviderList = z.object({ "default": z.record(z.string(), z.string()), "providers": z.array(Provider) });
export type ProviderList = z.infer<typeof ProviderList>;

export const eventSchemas = {
  "message.part.delta": EventMessagePartDelta,
  "message.part.updated": EventMessagePartUpdated,
  "message.updated": EventMessageUpdated,
  "permission.asked": EventPermissionAsked,
  "permission.replied": EventPermissionReplied,
  "question.asked": EventQuestionAsked,
  "question.rejected": EventQuestionRejected,
  "question.replied": EventQuestionReplied,
  "session.compacted": EventSessionCompacted,
  "session.created": EventSessionCreated,
  "session.deleted": EventSessionDeleted,
  "session.error": EventSessionError,
  "session.idle": EventSessionIdle,
  "session.status": EventSessionStatus,
  "todo.updated": EventTodoUpdated,
};
export type NativeEvent = EventMessagePartDelta | EventMessagePartUpdated | EventMessageUpdated | EventPermissionAsked | EventPermissionReplied | EventQuestionAsked | EventQuestionRejected | EventQuestionReplied | EventSessionCompacted | EventSessionCreated | EventSessionDeleted | EventSessionError | EventSessionIdle | EventSessionStatus | EventTodoUpdated;
