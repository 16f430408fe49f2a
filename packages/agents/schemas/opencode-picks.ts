/** What the adapter uses of OpenCode's API: everything else stays out of the artifact. */

/** Event types as they appear on the stream, by the name of their schema. */
export const events = [
  "EventMessagePartDelta",
  "EventMessagePartUpdated",
  "EventMessageUpdated",
  "EventPermissionAsked",
  "EventPermissionReplied",
  "EventQuestionAsked",
  "EventQuestionRejected",
  "EventQuestionReplied",
  "EventSessionCompacted",
  "EventSessionCreated",
  "EventSessionDeleted",
  "EventSessionError",
  "EventSessionIdle",
  "EventSessionStatus",
  "EventTodoUpdated",
];

/** Bodies of requests and answers, each under a name of its own. */
export const bodies: Record<string, { method: "get" | "post" | "patch"; path: string; side: "request" | "response" }> =
  {
    AgentList: { method: "get", path: "/agent", side: "response" },
    CreateSessionBody: { method: "post", path: "/session", side: "request" },
    McpStatusMap: { method: "get", path: "/mcp", side: "response" },
    PermissionReplyBody: { method: "post", path: "/permission/{requestID}/reply", side: "request" },
    PromptBody: { method: "post", path: "/session/{sessionID}/prompt_async", side: "request" },
    ProviderList: { method: "get", path: "/config/providers", side: "response" },
  };

/** Further schemas the adapter builds values of. */
export const schemas = ["McpLocalConfig", "McpRemoteConfig", "Session"];

/** Members kept of schemas that are large and hardly used. Schemas not named here are kept whole. */
export const members: Record<string, string[]> = {
  Agent: ["description", "hidden", "mode", "name"],
  AssistantMessage: ["cost", "error", "finish", "id", "mode", "parentID", "role", "sessionID", "time"],
  CreateSessionBody: ["title"],
  FilePart: ["filename", "id", "messageID", "mime", "sessionID", "type", "url"],
  FilePartInput: ["filename", "mime", "type", "url"],
  Model: ["id", "limit", "name", "providerID", "status", "variants"],
  PromptBody: ["agent", "model", "parts", "variant"],
  Provider: ["id", "models", "name"],
  Session: ["directory", "id", "parentID", "title"],
  UserMessage: ["agent", "id", "role", "sessionID", "time"],
};
