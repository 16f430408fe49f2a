// Generated from the protocol of Codex 0.166.0 by packages/agents/schemas/codex.ts. Do not edit.
import * as z from "zod";

export const AbsolutePathBuf = z.string();
export type AbsolutePathBuf = z.infer<typeof AbsolutePathBuf>;

export const Account = z.discriminatedUnion("type", [
  z.object({ "type": z.literal("apiKey") }),
  z.object({ "type": z.literal("chatgpt") }),
  z.object({ "type": z.literal("amazonBedrock") }),
  z.object({ "type": z.literal("gcp") }),
]);
export type Account = z.infer<typeof Account>;

export const AgentMessageDeltaNotification = z.object({ "delta": z.string(), "itemId": z.string(), "threadId": z.string(), "turnId": z.string() });
export type AgentMessageDeltaNotification = z.infer<typeof AgentMessageDeltaNotification>;

export const AskForApproval = z.union([
  z.enum(["untrusted","on-request","never"]),
  z.object({ "granular": z.object({ "mcp_elicitations": z.boolean(), "request_permissions": z.boolean().optional(), "rules": z.boolean(), "sandbox_approval": z.boolean(), "skill_approval": z.boolean().optional() }) }),
]);
export type AskForApproval = z.infer<typeof AskForApproval>;

export const CodexErrorInfo = z.unknown();
export type CodexErrorInfo = z.infer<typeof CodexErrorInfo>;

export const CollabAgentStatus = z.enum(["pendingInit","running","interrupted","completed","errored","shutdown","notFound"]);
export type CollabAgentStatus = z.infer<typeof CollabAgentStatus>;

export const CollabAgentState = z.object({ "message": z.string().nullable().optional(), "status": CollabAgentStatus });
export type CollabAgentState = z.infer<typeof CollabAgentState>;

export const CollabAgentTool = z.enum(["spawnAgent","sendInput","resumeAgent","wait","closeAgent","sendMessage","followupTask","interruptAgent","listAgents"]);
export type CollabAgentTool = z.infer<typeof CollabAgentTool>;

export const CollabAgentToolCallStatus = z.enum(["inProgress","completed","failed","interrupted"]);
export type CollabAgentToolCallStatus = z.infer<typeof CollabAgentToolCallStatus>;

export const ModeKind = z.enum(["plan","default"]);
export type ModeKind = z.infer<typeof ModeKind>;

export const ReasoningEffort = z.string();
export type ReasoningEffort = z.infer<typeof ReasoningEffort>;

export const Settings = z.object({ "developer_instructions": z.string().nullable().optional(), "model": z.string(), "reasoning_effort": ReasoningEffort.nullable().optional() });
export type Settings = z.infer<typeof Settings>;

export const CollaborationMode = z.object({ "mode": ModeKind, "settings": Settings });
export type CollaborationMode = z.infer<typeof CollaborationMode>;

export const CollaborationModeMask = z.object({ "mode": ModeKind.nullable().optional(), "name": z.string() });
export type CollaborationModeMask = z.infer<typeof CollaborationModeMask>;

export const CollaborationModeListResponse = z.object({ "data": z.array(CollaborationModeMask) });
export type CollaborationModeListResponse = z.infer<typeof CollaborationModeListResponse>;

export const CommandAction = z.discriminatedUnion("type", [
  z.object({ "command": z.string(), "type": z.literal("read") }),
  z.object({ "command": z.string(), "type": z.literal("listFiles") }),
  z.object({ "command": z.string(), "type": z.literal("search") }),
  z.object({ "command": z.string(), "type": z.literal("unknown") }),
]);
export type CommandAction = z.infer<typeof CommandAction>;

export const CommandExecResponse = z.object({ "exitCode": z.number(), "stderr": z.string(), "stdout": z.string() });
export type CommandExecResponse = z.infer<typeof CommandExecResponse>;

export const NetworkPolicyRuleAction = z.enum(["allow","deny"]);
export type NetworkPolicyRuleAction = z.infer<typeof NetworkPolicyRuleAction>;

export const NetworkPolicyAmendment = z.object({ "action": NetworkPolicyRuleAction, "host": z.string() });
export type NetworkPolicyAmendment = z.infer<typeof NetworkPolicyAmendment>;

export const CommandExecutionApprovalDecision = z.union([
  z.literal("accept"),
  z.literal("acceptForSession"),
  z.object({ "acceptWithExecpolicyAmendment": z.object({ "execpolicy_amendment": z.array(z.string()) }) }),
  z.object({ "applyNetworkPolicyAmendment": z.object({ "network_policy_amendment": NetworkPolicyAmendment }) }),
  z.literal("decline"),
  z.literal("cancel"),
]);
export type CommandExecutionApprovalDecision = z.infer<typeof CommandExecutionApprovalDecision>;

export const CommandExecutionOutputDeltaNotification = z.object({ "delta": z.string(), "itemId": z.string(), "threadId": z.string(), "turnId": z.string() });
export type CommandExecutionOutputDeltaNotification = z.infer<typeof CommandExecutionOutputDeltaNotification>;

export const LegacyAppPathString = z.string();
export type LegacyAppPathString = z.infer<typeof LegacyAppPathString>;

export const CommandExecutionRequestApprovalParams = z.object({ "command": z.string().nullable().optional(), "cwd": LegacyAppPathString.nullable().optional(), "itemId": z.string(), "reason": z.string().nullable().optional(), "threadId": z.string(), "turnId": z.string() });
export type CommandExecutionRequestApprovalParams = z.infer<typeof CommandExecutionRequestApprovalParams>;

export const CommandExecutionRequestApprovalResponse = z.object({ "decision": CommandExecutionApprovalDecision });
export type CommandExecutionRequestApprovalResponse = z.infer<typeof CommandExecutionRequestApprovalResponse>;

export const CommandExecutionStatus = z.enum(["inProgress","completed","failed","declined"]);
export type CommandExecutionStatus = z.infer<typeof CommandExecutionStatus>;

export const ConfigWarningNotification = z.object({ "details": z.string().nullable().optional(), "summary": z.string() });
export type ConfigWarningNotification = z.infer<typeof ConfigWarningNotification>;

export const DeprecationNoticeNotification = z.object({ "details": z.string().nullable().optional(), "summary": z.string() });
export type DeprecationNoticeNotification = z.infer<typeof DeprecationNoticeNotification>;

export const DynamicToolCallOutputContentItem = z.discriminatedUnion("type", [
  z.object({ "text": z.string(), "type": z.literal("inputText") }),
  z.object({ "imageUrl": z.string(), "type": z.literal("inputImage") }),
  z.object({ "audioUrl": z.string(), "type": z.literal("inputAudio") }),
]);
export type DynamicToolCallOutputContentItem = z.infer<typeof DynamicToolCallOutputContentItem>;

export const DynamicToolCallStatus = z.enum(["inProgress","completed","failed"]);
export type DynamicToolCallStatus = z.infer<typeof DynamicToolCallStatus>;

export const TurnError = z.object({ "additionalDetails": z.string().nullable().optional(), "codexErrorInfo": CodexErrorInfo.nullable().optional(), "message": z.string() });
export type TurnError = z.infer<typeof TurnError>;

export const ErrorNotification = z.object({ "error": TurnError, "threadId": z.string(), "turnId": z.string(), "willRetry": z.boolean() });
export type ErrorNotification = z.infer<typeof ErrorNotification>;

export const FileChangeApprovalDecision = z.union([
  z.literal("accept"),
  z.literal("acceptForSession"),
  z.literal("decline"),
  z.literal("cancel"),
]);
export type FileChangeApprovalDecision = z.infer<typeof FileChangeApprovalDecision>;

export const FileChangeRequestApprovalParams = z.object({ "grantRoot": z.string().nullable().optional(), "itemId": z.string(), "reason": z.string().nullable().optional(), "threadId": z.string(), "turnId": z.string() });
export type FileChangeRequestApprovalParams = z.infer<typeof FileChangeRequestApprovalParams>;

export const FileChangeRequestApprovalResponse = z.object({ "decision": FileChangeApprovalDecision });
export type FileChangeRequestApprovalResponse = z.infer<typeof FileChangeRequestApprovalResponse>;

export const PatchChangeKind = z.discriminatedUnion("type", [
  z.object({ "type": z.literal("add") }),
  z.object({ "type": z.literal("delete") }),
  z.object({ "move_path": z.string().nullable().optional(), "type": z.literal("update") }),
]);
export type PatchChangeKind = z.infer<typeof PatchChangeKind>;

export const FileUpdateChange = z.object({ "diff": z.string(), "kind": PatchChangeKind, "path": z.string() });
export type FileUpdateChange = z.infer<typeof FileUpdateChange>;

export const FunctionCallOutputBody = z.unknown();
export type FunctionCallOutputBody = z.infer<typeof FunctionCallOutputBody>;

export const GetAccountResponse = z.object({ "account": Account.nullable().optional(), "requiresOpenaiAuth": z.boolean() });
export type GetAccountResponse = z.infer<typeof GetAccountResponse>;

export const GrantedPermissionProfile = z.unknown();
export type GrantedPermissionProfile = z.infer<typeof GrantedPermissionProfile>;

export const UserInput = z.discriminatedUnion("type", [
  z.object({ "text": z.string(), "type": z.literal("text") }),
  z.object({ "type": z.literal("image"), "url": z.string().optional() }),
  z.object({ "path": z.string(), "type": z.literal("localImage") }),
  z.object({ "type": z.literal("audio"), "url": z.string() }),
  z.object({ "path": z.string(), "type": z.literal("localAudio") }),
  z.object({ "name": z.string(), "path": z.string(), "type": z.literal("skill") }),
  z.object({ "name": z.string(), "path": z.string(), "type": z.literal("mention") }),
]);
export type UserInput = z.infer<typeof UserInput>;

export const PatchApplyStatus = z.enum(["inProgress","completed","failed","declined"]);
export type PatchApplyStatus = z.infer<typeof PatchApplyStatus>;

export const McpToolCallError = z.object({ "message": z.string() });
export type McpToolCallError = z.infer<typeof McpToolCallError>;

export const McpToolCallResult = z.object({ "_meta": z.unknown().optional(), "content": z.array(z.unknown()), "structuredContent": z.unknown().optional() });
export type McpToolCallResult = z.infer<typeof McpToolCallResult>;

export const McpToolCallStatus = z.enum(["inProgress","completed","failed"]);
export type McpToolCallStatus = z.infer<typeof McpToolCallStatus>;

export const SubAgentActivityKind = z.enum(["started","interacted","interrupted","completed"]);
export type SubAgentActivityKind = z.infer<typeof SubAgentActivityKind>;

export const WebSearchAction = z.unknown();
export type WebSearchAction = z.infer<typeof WebSearchAction>;

export const ThreadItem = z.discriminatedUnion("type", [
  z.object({ "content": z.array(UserInput), "id": z.string(), "type": z.literal("userMessage") }),
  z.object({ "id": z.string(), "type": z.literal("hookPrompt") }),
  z.object({ "id": z.string(), "text": z.string(), "type": z.literal("agentMessage") }),
  z.object({ "id": z.string(), "name": z.string(), "output": FunctionCallOutputBody, "type": z.literal("functionCallOutput") }),
  z.object({ "id": z.string(), "text": z.string(), "type": z.literal("plan") }),
  z.object({ "content": z.array(z.string()).optional(), "id": z.string(), "summary": z.array(z.string()).optional(), "type": z.literal("reasoning") }),
  z.object({ "aggregatedOutput": z.string().nullable().optional(), "command": z.string(), "commandActions": z.array(CommandAction), "cwd": LegacyAppPathString, "exitCode": z.number().nullable().optional(), "id": z.string(), "status": CommandExecutionStatus, "type": z.literal("commandExecution") }),
  z.object({ "changes": z.array(FileUpdateChange), "id": z.string(), "status": PatchApplyStatus, "type": z.literal("fileChange") }),
  z.object({ "arguments": z.unknown(), "error": McpToolCallError.nullable().optional(), "id": z.string(), "result": McpToolCallResult.nullable().optional(), "server": z.string(), "status": McpToolCallStatus, "tool": z.string(), "type": z.literal("mcpToolCall") }),
  z.object({ "arguments": z.unknown(), "contentItems": z.array(DynamicToolCallOutputContentItem).nullable().optional(), "id": z.string(), "namespace": z.string().nullable().optional(), "status": DynamicToolCallStatus, "success": z.boolean().nullable().optional(), "tool": z.string(), "type": z.literal("dynamicToolCall") }),
  z.object({ "agentsStates": z.record(z.string(), CollabAgentState), "id": z.string(), "model": z.string().nullable().optional(), "prompt": z.string().nullable().optional(), "receiverThreadIds": z.array(z.string()), "status": CollabAgentToolCallStatus, "tool": CollabAgentTool, "type": z.literal("collabAgentToolCall") }),
  z.object({ "agentPath": z.string(), "agentThreadId": z.string(), "id": z.string(), "kind": SubAgentActivityKind, "type": z.literal("subAgentActivity") }),
  z.object({ "action": WebSearchAction.nullable().optional(), "id": z.string(), "query": z.string(), "type": z.literal("webSearch") }),
  z.object({ "id": z.string(), "path": LegacyAppPathString, "type": z.literal("imageView") }),
  z.object({ "durationMs": z.number(), "id": z.string(), "type": z.literal("sleep") }),
  z.object({ "id": z.string(), "revisedPrompt": z.string().nullable().optional(), "savedPath": AbsolutePathBuf.nullable().optional(), "status": z.string(), "type": z.literal("imageGeneration") }),
  z.object({ "id": z.string(), "review": z.string(), "type": z.literal("enteredReviewMode") }),
  z.object({ "id": z.string(), "review": z.string(), "type": z.literal("exitedReviewMode") }),
  z.object({ "id": z.string(), "type": z.literal("contextCompaction") }),
]);
export type ThreadItem = z.infer<typeof ThreadItem>;

export const ItemCompletedNotification = z.object({ "item": ThreadItem, "threadId": z.string(), "turnId": z.string() });
export type ItemCompletedNotification = z.infer<typeof ItemCompletedNotification>;

export const ItemStartedNotification = z.object({ "item": ThreadItem, "threadId": z.string(), "turnId": z.string() });
export type ItemStartedNotification = z.infer<typeof ItemStartedNotification>;

export const McpServerElicitationAction = z.enum(["accept","decline","cancel"]);
export type McpServerElicitationAction = z.infer<typeof McpServerElicitationAction>;

export const McpServerElicitationRequestParams = z.object({ "_meta": z.unknown().optional(), "message": z.string().optional(), "requestedSchema": z.unknown().optional(), "serverName": z.string(), "threadId": z.string(), "turnId": z.string().nullable().optional(), "url": z.string().optional() });
export type McpServerElicitationRequestParams = z.infer<typeof McpServerElicitationRequestParams>;

export const McpServerElicitationRequestResponse = z.object({ "_meta": z.unknown().optional(), "action": McpServerElicitationAction, "content": z.unknown().optional() });
export type McpServerElicitationRequestResponse = z.infer<typeof McpServerElicitationRequestResponse>;

export const McpServerStartupState = z.enum(["starting","ready","failed","cancelled"]);
export type McpServerStartupState = z.infer<typeof McpServerStartupState>;

export const McpServerStatusUpdatedNotification = z.object({ "error": z.string().nullable().optional(), "name": z.string(), "status": McpServerStartupState, "threadId": z.string().nullable().optional() });
export type McpServerStatusUpdatedNotification = z.infer<typeof McpServerStatusUpdatedNotification>;

export const McpToolCallProgressNotification = z.object({ "itemId": z.string(), "message": z.string(), "threadId": z.string(), "turnId": z.string() });
export type McpToolCallProgressNotification = z.infer<typeof McpToolCallProgressNotification>;

export const ReasoningEffortOption = z.object({ "reasoningEffort": ReasoningEffort });
export type ReasoningEffortOption = z.infer<typeof ReasoningEffortOption>;

export const Model = z.object({ "defaultReasoningEffort": ReasoningEffort, "displayName": z.string(), "id": z.string(), "isDefault": z.boolean(), "supportedReasoningEfforts": z.array(ReasoningEffortOption) });
export type Model = z.infer<typeof Model>;

export const ModelListResponse = z.object({ "data": z.array(Model), "nextCursor": z.string().nullable().optional() });
export type ModelListResponse = z.infer<typeof ModelListResponse>;

export const NetworkAccess = z.enum(["restricted","enabled"]);
export type NetworkAccess = z.infer<typeof NetworkAccess>;

export const PermissionGrantScope = z.enum(["turn","session"]);
export type PermissionGrantScope = z.infer<typeof PermissionGrantScope>;

export const RequestPermissionProfile = z.unknown();
export type RequestPermissionProfile = z.infer<typeof RequestPermissionProfile>;

export const PermissionsRequestApprovalParams = z.object({ "cwd": LegacyAppPathString, "itemId": z.string(), "permissions": RequestPermissionProfile, "reason": z.string().nullable().optional(), "threadId": z.string(), "turnId": z.string() });
export type PermissionsRequestApprovalParams = z.infer<typeof PermissionsRequestApprovalParams>;

export const PermissionsRequestApprovalResponse = z.object({ "permissions": GrantedPermissionProfile, "scope": PermissionGrantScope.optional() });
export type PermissionsRequestApprovalResponse = z.infer<typeof PermissionsRequestApprovalResponse>;

export const PlanDeltaNotification = z.object({ "delta": z.string(), "itemId": z.string(), "threadId": z.string(), "turnId": z.string() });
export type PlanDeltaNotification = z.infer<typeof PlanDeltaNotification>;

export const ResponseItem = z.discriminatedUnion("type", [
  z.object({ "type": z.literal("additional_tools") }),
  z.object({ "type": z.literal("message") }),
  z.object({ "type": z.literal("agent_message") }),
  z.object({ "type": z.literal("reasoning") }),
  z.object({ "type": z.literal("local_shell_call") }),
  z.object({ "arguments": z.string(), "call_id": z.string(), "name": z.string(), "namespace": z.string().nullable().optional(), "type": z.literal("function_call") }),
  z.object({ "type": z.literal("tool_search_call") }),
  z.object({ "call_id": z.string().nullable().optional(), "output": FunctionCallOutputBody, "type": z.literal("function_call_output") }),
  z.object({ "call_id": z.string(), "input": z.string(), "name": z.string(), "type": z.literal("custom_tool_call") }),
  z.object({ "call_id": z.string(), "output": FunctionCallOutputBody, "type": z.literal("custom_tool_call_output") }),
  z.object({ "type": z.literal("tool_search_output") }),
  z.object({ "type": z.literal("web_search_call") }),
  z.object({ "type": z.literal("image_generation_call") }),
  z.object({ "type": z.literal("compaction") }),
  z.object({ "type": z.literal("configuration_update") }),
  z.object({ "type": z.literal("compaction_trigger") }),
  z.object({ "type": z.literal("context_compaction") }),
  z.object({ "type": z.literal("other") }),
]);
export type ResponseItem = z.infer<typeof ResponseItem>;

export const RawResponseItemCompletedNotification = z.object({ "item": ResponseItem, "threadId": z.string(), "turnId": z.string() });
export type RawResponseItemCompletedNotification = z.infer<typeof RawResponseItemCompletedNotification>;

export const ReasoningSummaryPartAddedNotification = z.object({ "itemId": z.string(), "summaryIndex": z.number(), "threadId": z.string(), "turnId": z.string() });
export type ReasoningSummaryPartAddedNotification = z.infer<typeof ReasoningSummaryPartAddedNotification>;

export const ReasoningSummaryTextDeltaNotification = z.object({ "delta": z.string(), "itemId": z.string(), "summaryIndex": z.number(), "threadId": z.string(), "turnId": z.string() });
export type ReasoningSummaryTextDeltaNotification = z.infer<typeof ReasoningSummaryTextDeltaNotification>;

export const ReasoningTextDeltaNotification = z.object({ "contentIndex": z.number(), "delta": z.string(), "itemId": z.string(), "threadId": z.string(), "turnId": z.string() });
export type ReasoningTextDeltaNotification = z.infer<typeof ReasoningTextDeltaNotification>;

export const RequestId = z.union([
  z.string(),
  z.number(),
]);
export type RequestId = z.infer<typeof RequestId>;

export const SandboxMode = z.enum(["read-only","workspace-write","danger-full-access"]);
export type SandboxMode = z.infer<typeof SandboxMode>;

export const SandboxPolicy = z.discriminatedUnion("type", [
  z.object({ "type": z.literal("dangerFullAccess") }),
  z.object({ "networkAccess": z.boolean().optional(), "type": z.literal("readOnly") }),
  z.object({ "networkAccess": NetworkAccess.optional(), "type": z.literal("externalSandbox") }),
  z.object({ "excludeSlashTmp": z.boolean().optional(), "excludeTmpdirEnvVar": z.boolean().optional(), "networkAccess": z.boolean().optional(), "type": z.literal("workspaceWrite"), "writableRoots": z.array(AbsolutePathBuf).optional() }),
]);
export type SandboxPolicy = z.infer<typeof SandboxPolicy>;

export const ServerRequestResolvedNotification = z.object({ "requestId": RequestId, "threadId": z.string() });
export type ServerRequestResolvedNotification = z.infer<typeof ServerRequestResolvedNotification>;

export const TerminalInteractionNotification = z.object({ "itemId": z.string(), "processId": z.string(), "stdin": z.string(), "threadId": z.string(), "turnId": z.string() });
export type TerminalInteractionNotification = z.infer<typeof TerminalInteractionNotification>;

export const Thread = z.object({ "id": z.string(), "parentThreadId": z.string().nullable().optional() });
export type Thread = z.infer<typeof Thread>;

export const ThreadResumeParams = z.object({ "approvalPolicy": AskForApproval.nullable().optional(), "config": z.record(z.string(), z.unknown()).nullable().optional(), "cwd": z.string().nullable().optional(), "excludeTurns": z.boolean().optional(), "model": z.string().nullable().optional(), "modelProvider": z.string().nullable().optional(), "sandbox": SandboxMode.nullable().optional(), "threadId": z.string() });
export type ThreadResumeParams = z.infer<typeof ThreadResumeParams>;

export const ThreadResumeResponse = z.object({ "model": z.string(), "thread": Thread });
export type ThreadResumeResponse = z.infer<typeof ThreadResumeResponse>;

export const ThreadStartParams = z.object({ "approvalPolicy": AskForApproval.nullable().optional(), "config": z.record(z.string(), z.unknown()).nullable().optional(), "cwd": z.string().nullable().optional(), "experimentalRawEvents": z.boolean().optional(), "model": z.string().nullable().optional(), "modelProvider": z.string().nullable().optional(), "sandbox": SandboxMode.nullable().optional() });
export type ThreadStartParams = z.infer<typeof ThreadStartParams>;

export const ThreadStartResponse = z.object({ "model": z.string(), "thread": Thread });
export type ThreadStartResponse = z.infer<typeof ThreadStartResponse>;

export const TokenUsageBreakdown = z.object({ "cachedInputTokens": z.number(), "cacheWriteInputTokens": z.number().optional(), "inputTokens": z.number(), "outputTokens": z.number(), "reasoningOutputTokens": z.number(), "totalTokens": z.number() });
export type TokenUsageBreakdown = z.infer<typeof TokenUsageBreakdown>;

export const ThreadTokenUsage = z.object({ "last": TokenUsageBreakdown, "modelContextWindow": z.number().nullable().optional(), "total": TokenUsageBreakdown });
export type ThreadTokenUsage = z.infer<typeof ThreadTokenUsage>;

export const ThreadTokenUsageUpdatedNotification = z.object({ "threadId": z.string(), "tokenUsage": ThreadTokenUsage, "turnId": z.string() });
export type ThreadTokenUsageUpdatedNotification = z.infer<typeof ThreadTokenUsageUpdatedNotification>;

export const ToolRequestUserInputAnswer = z.object({ "answers": z.array(z.string()) });
export type ToolRequestUserInputAnswer = z.infer<typeof ToolRequestUserInputAnswer>;

export const ToolRequestUserInputOption = z.object({ "description": z.string(), "label": z.string() });
export type ToolRequestUserInputOption = z.infer<typeof ToolRequestUserInputOption>;

export const ToolRequestUserInputQuestion = z.object({ "header": z.string(), "id": z.string(), "isOther": z.boolean().optional(), "isSecret": z.boolean().optional(), "options": z.array(ToolRequestUserInputOption).nullable().optional(), "question": z.string() });
export type ToolRequestUserInputQuestion = z.infer<typeof ToolRequestUserInputQuestion>;

export const ToolRequestUserInputParams = z.object({ "itemId": z.string(), "questions": z.array(ToolRequestUserInputQuestion), "threadId": z.string(), "turnId": z.string() });
export type ToolRequestUserInputParams = z.infer<typeof ToolRequestUserInputParams>;

export const ToolRequestUserInputResponse = z.object({ "answers": z.record(z.string(), ToolRequestUserInputAnswer) });
export type ToolRequestUserInputResponse = z.infer<typeof ToolRequestUserInputResponse>;

export const TurnStatus = z.enum(["completed","interrupted","failed","inProgress"]);
export type TurnStatus = z.infer<typeof TurnStatus>;

export const Turn = z.object({ "error": TurnError.nullable().optional(), "id": z.string(), "status": TurnStatus });
export type Turn = z.infer<typeof Turn>;

export const TurnCompletedNotification = z.object({ "threadId": z.string(), "turn": Turn });
export type TurnCompletedNotification = z.infer<typeof TurnCompletedNotification>;

export const TurnPlanStepStatus = z.enum(["pending","inProgress","completed"]);
export type TurnPlanStepStatus = z.infer<typeof TurnPlanStepStatus>;

export const TurnPlanStep = z.object({ "status": TurnPlanStepStatus, "step": z.string() });
export type TurnPlanStep = z.infer<typeof TurnPlanStep>;

export const TurnPlanUpdatedNotification = z.object({ "explanation": z.string().nullable().optional(), "plan": z.array(TurnPlanStep), "threadId": z.string(), "turnId": z.string() });
export type TurnPlanUpdatedNotification = z.infer<typeof TurnPlanUpdatedNotification>;

export const TurnStartedNotification = z.object({ "threadId": z.string(), "turn": Turn });
export type TurnStartedNotification = z.infer<typeof TurnStartedNotification>;

export const TurnStartParams = z.object({ "approvalPolicy": AskForApproval.nullable().optional(), "collaborationMode": CollaborationMode.nullable().optional(), "effort": ReasoningEffort.nullable().optional(), "input": z.array(UserInput), "model": z.string().nullable().optional(), "sandboxPolicy": SandboxPolicy.nullable().optional(), "threadId": z.string() });
export type TurnStartParams = z.infer<typeof TurnStartParams>;

export const TurnStartResponse = z.object({ "turn": Turn });
export type TurnStartResponse = z.infer<typeof TurnStartResponse>;

export const WarningNotification = z.object({ "message": z.string(), "threadId": z.string().nullable().optional() });
export type WarningNotification = z.infer<typeof WarningNotification>;
