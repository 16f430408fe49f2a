// Generated from the declarations for Claude Code 2.1.197 by packages/agents/schemas/claude.ts. Do not edit.
import * as z from "zod";

export const SDKSystemMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("init"), "session_id": z.string().nullish(), "model": z.string().nullish(), "permissionMode": z.string().nullish(), "mcp_servers": z.array(z.object({ "name": z.string(), "status": z.string().nullish() })).nullish() });
export type SDKSystemMessage = z.infer<typeof SDKSystemMessage>;

export const SDKStatusMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("status"), "status": z.string().nullish(), "permissionMode": z.string().nullish(), "compact_result": z.string().nullish(), "compact_error": z.string().nullish() });
export type SDKStatusMessage = z.infer<typeof SDKStatusMessage>;

export const SDKCompactBoundaryMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("compact_boundary"), "compact_metadata": z.object({ "trigger": z.string().nullish(), "pre_tokens": z.number().nullish(), "post_tokens": z.number().nullish(), "duration_ms": z.number().nullish(), "preserved_segment": z.object({ "head_uuid": z.string().nullish(), "anchor_uuid": z.string().nullish(), "tail_uuid": z.string().nullish() }).nullish(), "preserved_messages": z.object({ "anchor_uuid": z.string().nullish(), "uuids": z.array(z.string()).nullish() }).nullish() }).nullish() });
export type SDKCompactBoundaryMessage = z.infer<typeof SDKCompactBoundaryMessage>;

export const SDKAPIRetryMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("api_retry"), "attempt": z.number().nullish(), "max_retries": z.number().nullish(), "retry_delay_ms": z.number().nullish(), "error_status": z.number().nullish(), "error": z.string().nullish() });
export type SDKAPIRetryMessage = z.infer<typeof SDKAPIRetryMessage>;

export const SDKTaskStartedMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("task_started"), "task_id": z.string(), "tool_use_id": z.string().nullish(), "description": z.string().nullish(), "task_type": z.string().nullish(), "subagent_type": z.string().nullish(), "skip_transcript": z.boolean().nullish() });
export type SDKTaskStartedMessage = z.infer<typeof SDKTaskStartedMessage>;

export const SDKTaskProgressMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("task_progress"), "task_id": z.string(), "tool_use_id": z.string().nullish(), "description": z.string().nullish(), "summary": z.string().nullish() });
export type SDKTaskProgressMessage = z.infer<typeof SDKTaskProgressMessage>;

export const SDKTaskUpdatedMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("task_updated"), "task_id": z.string(), "patch": z.object({ "status": z.string().nullish(), "description": z.string().nullish(), "end_time": z.number().nullish(), "total_paused_ms": z.number().nullish(), "error": z.string().nullish(), "is_backgrounded": z.boolean().nullish() }).nullish() });
export type SDKTaskUpdatedMessage = z.infer<typeof SDKTaskUpdatedMessage>;

export const SDKTaskNotificationMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("task_notification"), "task_id": z.string(), "tool_use_id": z.string().nullish(), "status": z.string().nullish(), "summary": z.string().nullish() });
export type SDKTaskNotificationMessage = z.infer<typeof SDKTaskNotificationMessage>;

export const SDKPermissionDeniedMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("permission_denied"), "tool_name": z.string(), "tool_use_id": z.string(), "message": z.string() });
export type SDKPermissionDeniedMessage = z.infer<typeof SDKPermissionDeniedMessage>;

export const SDKHookStartedMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("hook_started"), "hook_id": z.string(), "hook_name": z.string().nullish() });
export type SDKHookStartedMessage = z.infer<typeof SDKHookStartedMessage>;

export const SDKHookResponseMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("hook_response"), "hook_id": z.string(), "hook_name": z.string().nullish(), "output": z.string().nullish(), "outcome": z.string().nullish() });
export type SDKHookResponseMessage = z.infer<typeof SDKHookResponseMessage>;

export const SDKModelRefusalFallbackMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("model_refusal_fallback"), "content": z.string().nullish() });
export type SDKModelRefusalFallbackMessage = z.infer<typeof SDKModelRefusalFallbackMessage>;

export const SDKModelRefusalNoFallbackMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("model_refusal_no_fallback"), "content": z.string().nullish() });
export type SDKModelRefusalNoFallbackMessage = z.infer<typeof SDKModelRefusalNoFallbackMessage>;

export const SDKInformationalMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("informational"), "content": z.string().nullish() });
export type SDKInformationalMessage = z.infer<typeof SDKInformationalMessage>;

export const SDKNotificationMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("notification"), "text": z.string() });
export type SDKNotificationMessage = z.infer<typeof SDKNotificationMessage>;

export const SDKLocalCommandOutputMessage = z.object({ "type": z.literal("system"), "subtype": z.literal("local_command_output"), "content": z.string().nullish() });
export type SDKLocalCommandOutputMessage = z.infer<typeof SDKLocalCommandOutputMessage>;

export const SDKPartialAssistantMessage = z.object({ "type": z.literal("stream_event"), "event": z.unknown().nullish(), "parent_tool_use_id": z.string().nullish() });
export type SDKPartialAssistantMessage = z.infer<typeof SDKPartialAssistantMessage>;

export const BetaUsage = z.object({ "input_tokens": z.number().nullish(), "output_tokens": z.number().nullish(), "cache_creation_input_tokens": z.number().nullish(), "cache_read_input_tokens": z.number().nullish() });
export type BetaUsage = z.infer<typeof BetaUsage>;

export const BetaMessage = z.object({ "id": z.string(), "role": z.literal("assistant"), "model": z.unknown().nullish(), "content": z.unknown().nullish(), "usage": BetaUsage.nullish() });
export type BetaMessage = z.infer<typeof BetaMessage>;

export const SDKAssistantMessage = z.object({ "type": z.literal("assistant"), "message": BetaMessage, "parent_tool_use_id": z.string().nullish(), "error": z.string().nullish(), "uuid": z.string().nullish() });
export type SDKAssistantMessage = z.infer<typeof SDKAssistantMessage>;

export const SDKUserMessage = z.object({ "type": z.literal("user"), "message": z.unknown(), "parent_tool_use_id": z.string().nullish(), "tool_use_result": z.unknown().nullish(), "uuid": z.string().nullish() });
export type SDKUserMessage = z.infer<typeof SDKUserMessage>;

export const ModelUsage = z.object({ "inputTokens": z.number().nullish(), "outputTokens": z.number().nullish(), "cacheReadInputTokens": z.number().nullish(), "cacheCreationInputTokens": z.number().nullish(), "contextWindow": z.number().nullish() });
export type ModelUsage = z.infer<typeof ModelUsage>;

export const SDKResultSuccess = z.object({ "type": z.literal("result"), "subtype": z.literal("success"), "is_error": z.boolean().nullish(), "api_error_status": z.number().nullish(), "result": z.string().nullish(), "total_cost_usd": z.number().nullish(), "modelUsage": z.record(z.string(), ModelUsage).nullish(), "terminal_reason": z.string().nullish(), "origin": z.unknown().nullish() });
export type SDKResultSuccess = z.infer<typeof SDKResultSuccess>;

export const SDKResultError = z.object({ "type": z.literal("result"), "subtype": z.string().nullish(), "is_error": z.boolean().nullish(), "errors": z.array(z.string()).nullish(), "total_cost_usd": z.number().nullish(), "modelUsage": z.record(z.string(), ModelUsage).nullish(), "terminal_reason": z.string().nullish(), "origin": z.unknown().nullish() });
export type SDKResultError = z.infer<typeof SDKResultError>;

export const SDKMessageOrigin = z.union([z.object({ "kind": z.literal("human") }), z.object({ "kind": z.literal("channel") }), z.object({ "kind": z.literal("peer") }), z.object({ "kind": z.literal("task-notification") }), z.object({ "kind": z.literal("coordinator") }), z.object({ "kind": z.literal("auto-continuation") })]);
export type SDKMessageOrigin = z.infer<typeof SDKMessageOrigin>;

export const SDKRateLimitInfo = z.object({ "status": z.string().nullish(), "resetsAt": z.number().nullish(), "rateLimitType": z.string().nullish(), "utilization": z.number().nullish() });
export type SDKRateLimitInfo = z.infer<typeof SDKRateLimitInfo>;

export const SDKRateLimitEvent = z.object({ "type": z.literal("rate_limit_event"), "rate_limit_info": SDKRateLimitInfo });
export type SDKRateLimitEvent = z.infer<typeof SDKRateLimitEvent>;

export const SDKToolProgressMessage = z.object({ "type": z.literal("tool_progress"), "tool_use_id": z.string(), "tool_name": z.string(), "parent_tool_use_id": z.string().nullish(), "elapsed_time_seconds": z.number().nullish() });
export type SDKToolProgressMessage = z.infer<typeof SDKToolProgressMessage>;

export const SDKToolUseSummaryMessage = z.object({ "type": z.literal("tool_use_summary"), "summary": z.string().nullish() });
export type SDKToolUseSummaryMessage = z.infer<typeof SDKToolUseSummaryMessage>;

export const SDKPromptSuggestionMessage = z.object({ "type": z.literal("prompt_suggestion"), "suggestion": z.string().nullish() });
export type SDKPromptSuggestionMessage = z.infer<typeof SDKPromptSuggestionMessage>;

export const SDKControlRequest = z.object({ "type": z.literal("control_request"), "request_id": z.string(), "request": z.unknown() });
export type SDKControlRequest = z.infer<typeof SDKControlRequest>;

export const SDKControlCancelRequest = z.object({ "type": z.literal("control_cancel_request"), "request_id": z.string() });
export type SDKControlCancelRequest = z.infer<typeof SDKControlCancelRequest>;

export const ControlResponse = z.object({ "subtype": z.literal("success"), "request_id": z.string(), "response": z.record(z.string(), z.unknown()).nullish() });
export type ControlResponse = z.infer<typeof ControlResponse>;

export const ControlErrorResponse = z.object({ "subtype": z.literal("error"), "request_id": z.string(), "error": z.string().nullish() });
export type ControlErrorResponse = z.infer<typeof ControlErrorResponse>;

export const SDKControlResponse = z.object({ "type": z.literal("control_response"), "response": z.union([ControlResponse, ControlErrorResponse]) });
export type SDKControlResponse = z.infer<typeof SDKControlResponse>;

export const SDKControlPermissionRequest = z.object({ "subtype": z.literal("can_use_tool"), "tool_name": z.string(), "title": z.string().nullish(), "description": z.string().nullish(), "input": z.record(z.string(), z.unknown()), "permission_suggestions": z.unknown().nullish(), "blocked_path": z.string().nullish(), "decision_reason": z.string().nullish(), "tool_use_id": z.string(), "agent_id": z.string().nullish() });
export type SDKControlPermissionRequest = z.infer<typeof SDKControlPermissionRequest>;

export const SDKControlElicitationRequest = z.object({ "subtype": z.literal("elicitation"), "mcp_server_name": z.string().nullish(), "message": z.string(), "mode": z.string().nullish(), "url": z.string().nullish(), "requested_schema": z.record(z.string(), z.unknown()).nullish() });
export type SDKControlElicitationRequest = z.infer<typeof SDKControlElicitationRequest>;

export const AgentInfo = z.object({ "name": z.string(), "description": z.string().nullish() });
export type AgentInfo = z.infer<typeof AgentInfo>;

export const ModelInfo = z.object({ "value": z.string(), "displayName": z.string().nullish(), "description": z.string().nullish(), "supportedEffortLevels": z.array(z.string()).nullish() });
export type ModelInfo = z.infer<typeof ModelInfo>;

export const SDKControlInitializeResponse = z.object({ "agents": z.array(AgentInfo).nullish(), "models": z.array(ModelInfo).nullish() });
export type SDKControlInitializeResponse = z.infer<typeof SDKControlInitializeResponse>;

export const PermissionRuleValue = z.object({ "toolName": z.string(), "ruleContent": z.string().nullish() });
export type PermissionRuleValue = z.infer<typeof PermissionRuleValue>;

export const PermissionUpdate = z.union([z.object({ "type": z.literal("addRules"), "rules": z.array(PermissionRuleValue).nullish(), "behavior": z.string().nullish(), "destination": z.string().nullish() }), z.object({ "type": z.literal("replaceRules"), "rules": z.array(PermissionRuleValue).nullish(), "behavior": z.string().nullish(), "destination": z.string().nullish() }), z.object({ "type": z.literal("removeRules"), "rules": z.array(PermissionRuleValue).nullish(), "behavior": z.string().nullish(), "destination": z.string().nullish() }), z.object({ "type": z.literal("setMode"), "mode": z.string().nullish(), "destination": z.string().nullish() }), z.object({ "type": z.literal("addDirectories"), "directories": z.array(z.string()).nullish(), "destination": z.string().nullish() }), z.object({ "type": z.literal("removeDirectories"), "directories": z.array(z.string()).nullish(), "destination": z.string().nullish() })]);
export type PermissionUpdate = z.infer<typeof PermissionUpdate>;

export const PermissionResult = z.union([z.object({ "behavior": z.literal("allow"), "updatedInput": z.record(z.string(), z.unknown()).nullish(), "updatedPermissions": z.array(PermissionUpdate).nullish() }), z.object({ "behavior": z.literal("deny"), "message": z.string(), "interrupt": z.boolean().nullish() })]);
export type PermissionResult = z.infer<typeof PermissionResult>;

export const McpStdioServerConfig = z.object({ "type": z.literal("stdio").nullish(), "command": z.string(), "args": z.array(z.string()).nullish(), "env": z.record(z.string(), z.string()).nullish(), "timeout": z.number().nullish() });
export type McpStdioServerConfig = z.infer<typeof McpStdioServerConfig>;

export const McpHttpServerConfig = z.object({ "type": z.literal("http"), "url": z.string(), "headers": z.record(z.string(), z.string()).nullish(), "timeout": z.number().nullish() });
export type McpHttpServerConfig = z.infer<typeof McpHttpServerConfig>;

export const McpSSEServerConfig = z.object({ "type": z.literal("sse"), "url": z.string(), "headers": z.record(z.string(), z.string()).nullish(), "timeout": z.number().nullish() });
export type McpSSEServerConfig = z.infer<typeof McpSSEServerConfig>;

export const BetaMessageDeltaUsage = z.object({ "input_tokens": z.number().nullish(), "output_tokens": z.number().nullish(), "cache_creation_input_tokens": z.number().nullish(), "cache_read_input_tokens": z.number().nullish() });
export type BetaMessageDeltaUsage = z.infer<typeof BetaMessageDeltaUsage>;

export const BetaTextBlock = z.object({ "type": z.literal("text"), "text": z.string() });
export type BetaTextBlock = z.infer<typeof BetaTextBlock>;

export const BetaThinkingBlock = z.object({ "type": z.literal("thinking"), "thinking": z.string() });
export type BetaThinkingBlock = z.infer<typeof BetaThinkingBlock>;

export const BetaRedactedThinkingBlock = z.object({ "type": z.literal("redacted_thinking") });
export type BetaRedactedThinkingBlock = z.infer<typeof BetaRedactedThinkingBlock>;

export const BetaToolUseBlock = z.object({ "type": z.literal("tool_use"), "id": z.string(), "name": z.string(), "input": z.unknown() });
export type BetaToolUseBlock = z.infer<typeof BetaToolUseBlock>;

export const BetaToolResultBlockParam = z.object({ "type": z.literal("tool_result"), "tool_use_id": z.string(), "content": z.unknown().nullish(), "is_error": z.boolean().nullish() });
export type BetaToolResultBlockParam = z.infer<typeof BetaToolResultBlockParam>;

export const BetaRawMessageStartEvent = z.object({ "type": z.literal("message_start"), "message": BetaMessage });
export type BetaRawMessageStartEvent = z.infer<typeof BetaRawMessageStartEvent>;

export const BetaRawMessageDeltaEvent = z.object({ "type": z.literal("message_delta"), "usage": BetaMessageDeltaUsage.nullish() });
export type BetaRawMessageDeltaEvent = z.infer<typeof BetaRawMessageDeltaEvent>;

export const BetaRawContentBlockStartEvent = z.object({ "type": z.literal("content_block_start"), "index": z.number(), "content_block": z.unknown().nullish() });
export type BetaRawContentBlockStartEvent = z.infer<typeof BetaRawContentBlockStartEvent>;

export const BetaRawContentBlockDeltaEvent = z.object({ "type": z.literal("content_block_delta"), "index": z.number(), "delta": z.unknown().nullish() });
export type BetaRawContentBlockDeltaEvent = z.infer<typeof BetaRawContentBlockDeltaEvent>;

export const BetaTextDelta = z.object({ "text": z.string(), "type": z.literal("text_delta") });
export type BetaTextDelta = z.infer<typeof BetaTextDelta>;

export const BetaThinkingDelta = z.object({ "thinking": z.string(), "type": z.literal("thinking_delta") });
export type BetaThinkingDelta = z.infer<typeof BetaThinkingDelta>;

export const BetaInputJSONDelta = z.object({ "partial_json": z.string(), "type": z.literal("input_json_delta") });
export type BetaInputJSONDelta = z.infer<typeof BetaInputJSONDelta>;

export const AskUserQuestionInput = z.object({ "questions": z.array(z.object({ "question": z.string(), "header": z.string().nullish(), "options": z.array(z.object({ "label": z.string(), "description": z.string().nullish(), "preview": z.string().nullish() })).nullish(), "multiSelect": z.boolean().nullish() })).nullish() });
export type AskUserQuestionInput = z.infer<typeof AskUserQuestionInput>;

export const ExitPlanModeInput = z.object({ "plan": z.unknown().nullish(), "planFilePath": z.unknown().nullish() });
export type ExitPlanModeInput = z.infer<typeof ExitPlanModeInput>;

export const FileWriteOutput = z.object({ "type": z.string().nullish(), "filePath": z.string(), "content": z.string().nullish(), "structuredPatch": z.array(z.object({ "oldStart": z.number().nullish(), "oldLines": z.number().nullish(), "newStart": z.number().nullish(), "newLines": z.number().nullish(), "lines": z.array(z.string()).nullish() })).nullish() });
export type FileWriteOutput = z.infer<typeof FileWriteOutput>;

export const FileEditOutput = z.object({ "filePath": z.string(), "structuredPatch": z.array(z.object({ "oldStart": z.number().nullish(), "oldLines": z.number().nullish(), "newStart": z.number().nullish(), "newLines": z.number().nullish(), "lines": z.array(z.string()).nullish() })).nullish() });
export type FileEditOutput = z.infer<typeof FileEditOutput>;

export const TodoWriteInput = z.object({ "todos": z.array(z.object({ "content": z.string().nullish(), "status": z.string().nullish(), "activeForm": z.string().nullish() })).nullish() });
export type TodoWriteInput = z.infer<typeof TodoWriteInput>;
