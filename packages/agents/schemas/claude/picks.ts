/**
 * What the Claude Code adapter reads and writes of the stream-json protocol. The types come from the declarations of the
 * agent SDK that belongs to the pinned version; this list only selects the types and members that are needed.
 * What is not named here is neither generated nor checked at run time, so a newer version that changes it does no harm.
 */

/** The declarations of the API's own messages, which those of the agent SDK refer to. */
export const apiPackage = "@anthropic-ai/sdk@0.94.0";

/** The agent SDK 0.3.N describes Claude Code 2.1.N. */
export function sdkPackage(version: string): string {
  return `@anthropic-ai/claude-agent-sdk@${version.replace(/^2\.1\./, "0.3.")}`;
}

/** Type → members to keep. An empty list keeps all. */
export const picks: Record<string, readonly string[]> = {
  // Messages
  SDKSystemMessage: ["type", "subtype", "session_id", "model", "permissionMode", "mcp_servers"],
  SDKStatusMessage: ["type", "subtype", "status", "permissionMode", "compact_result", "compact_error"],
  SDKCompactBoundaryMessage: ["type", "subtype", "compact_metadata"],
  SDKAPIRetryMessage: ["type", "subtype", "attempt", "max_retries", "retry_delay_ms", "error_status", "error"],
  SDKTaskStartedMessage: [
    "type",
    "subtype",
    "task_id",
    "tool_use_id",
    "description",
    "task_type",
    "subagent_type",
    "skip_transcript",
  ],
  SDKTaskProgressMessage: ["type", "subtype", "task_id", "tool_use_id", "description", "summary"],
  SDKTaskUpdatedMessage: ["type", "subtype", "task_id", "patch"],
  SDKTaskNotificationMessage: ["type", "subtype", "task_id", "tool_use_id", "status", "summary"],
  SDKPermissionDeniedMessage: ["type", "subtype", "tool_name", "tool_use_id", "message"],
  SDKHookStartedMessage: ["type", "subtype", "hook_id", "hook_name"],
  SDKHookResponseMessage: ["type", "subtype", "hook_id", "hook_name", "output", "outcome"],
  SDKModelRefusalFallbackMessage: ["type", "subtype", "content"],
  SDKModelRefusalNoFallbackMessage: ["type", "subtype", "content"],
  SDKInformationalMessage: ["type", "subtype", "content"],
  SDKNotificationMessage: ["type", "subtype", "text"],
  SDKLocalCommandOutputMessage: ["type", "subtype", "content"],
  SDKPartialAssistantMessage: ["type", "event", "parent_tool_use_id"],
  SDKAssistantMessage: ["type", "message", "parent_tool_use_id", "error", "uuid"],
  SDKUserMessage: ["type", "message", "parent_tool_use_id", "tool_use_result", "uuid"],
  SDKResultSuccess: [
    "type",
    "subtype",
    "is_error",
    "api_error_status",
    "result",
    "total_cost_usd",
    "modelUsage",
    "terminal_reason",
    "origin",
  ],
  SDKResultError: [
    "type",
    "subtype",
    "is_error",
    "errors",
    "total_cost_usd",
    "modelUsage",
    "terminal_reason",
    "origin",
  ],
  SDKMessageOrigin: ["kind"],
  SDKRateLimitEvent: ["type", "rate_limit_info"],
  SDKRateLimitInfo: ["status", "resetsAt", "rateLimitType", "utilization"],
  SDKToolProgressMessage: ["type", "tool_use_id", "tool_name", "parent_tool_use_id", "elapsed_time_seconds"],
  SDKToolUseSummaryMessage: ["type", "summary"],
  SDKPromptSuggestionMessage: ["type", "suggestion"],
  ModelUsage: ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "contextWindow"],

  // Control protocol
  SDKControlRequest: ["type", "request_id", "request"],
  SDKControlCancelRequest: [],
  SDKControlResponse: [],
  ControlResponse: ["subtype", "request_id", "response"],
  ControlErrorResponse: ["subtype", "request_id", "error"],
  SDKControlPermissionRequest: [
    "subtype",
    "tool_name",
    "title",
    "description",
    "input",
    "permission_suggestions",
    "blocked_path",
    "decision_reason",
    "tool_use_id",
    "agent_id",
  ],
  SDKControlElicitationRequest: ["subtype", "mcp_server_name", "message", "mode", "url", "requested_schema"],
  SDKControlInitializeResponse: ["agents", "models"],
  AgentInfo: ["name", "description"],
  ModelInfo: ["value", "displayName", "description", "supportedEffortLevels"],
  PermissionUpdate: [],
  PermissionRuleValue: [],
  PermissionResult: ["behavior", "updatedInput", "updatedPermissions", "message", "interrupt"],
  McpStdioServerConfig: ["type", "command", "args", "env", "timeout"],
  McpHttpServerConfig: ["type", "url", "headers", "timeout"],
  McpSSEServerConfig: ["type", "url", "headers", "timeout"],

  // The API's messages
  BetaMessage: ["id", "role", "model", "content", "usage"],
  BetaUsage: ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
  BetaMessageDeltaUsage: ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
  BetaTextBlock: ["type", "text"],
  BetaThinkingBlock: ["type", "thinking"],
  BetaRedactedThinkingBlock: ["type"],
  BetaToolUseBlock: ["type", "id", "name", "input"],
  BetaToolResultBlockParam: ["type", "tool_use_id", "content", "is_error"],
  BetaRawMessageStartEvent: ["type", "message"],
  BetaRawMessageDeltaEvent: ["type", "usage"],
  BetaRawContentBlockStartEvent: ["type", "index", "content_block"],
  BetaRawContentBlockDeltaEvent: ["type", "index", "delta"],
  BetaTextDelta: [],
  BetaThinkingDelta: [],
  BetaInputJSONDelta: [],

  // Tools
  AskUserQuestionInput: ["questions"],
  ExitPlanModeInput: ["plan", "planFilePath"],
  FileWriteOutput: ["type", "filePath", "content", "structuredPatch"],
  FileEditOutput: ["filePath", "structuredPatch"],
  TodoWriteInput: [],
};

/**
 * Members that are not checked: unions whose elements are parsed one by one, so that an unknown element does not invalidate
 * the rest, and members that are sent without being declared.
 */
export const opaque: ReadonlySet<string> = new Set([
  "SDKPartialAssistantMessage.event",
  "SDKUserMessage.message",
  "SDKResultSuccess.origin",
  "SDKResultError.origin",
  "SDKControlRequest.request",
  "SDKControlPermissionRequest.permission_suggestions",
  "BetaMessage.content",
  "BetaToolUseBlock.input",
  "BetaToolResultBlockParam.content",
  "BetaRawContentBlockStartEvent.content_block",
  "BetaRawContentBlockDeltaEvent.delta",
  "ExitPlanModeInput.plan",
  "ExitPlanModeInput.planFilePath",
]);

/** Members without which a message cannot be used. They are required if they are declared as required. */
export const needed: ReadonlySet<string> = new Set([
  "request_id",
  "request",
  "response",
  "task_id",
  "hook_id",
  "tool_use_id",
  "id",
  "name",
  "tool_name",
  "input",
  "index",
  "text",
  "thinking",
  "partial_json",
  "filePath",
  "value",
  "toolName",
  "question",
  "label",
  "rate_limit_info",
  "message",
  "command",
  "url",
]);
