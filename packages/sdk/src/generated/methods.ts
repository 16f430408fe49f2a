// Generated from the OpenAPI document by `npm run generate`. Do not edit.
import type { Caller, StreamOptions } from "../caller.ts";
import type { Answer, Body, Bytes, Query } from "../operation.ts";
import type { CallOptions } from "../transport.ts";
import type { AcpEnvelope, AcpServerList, AgentDefinition, AgentInfo, AgentList, AgentModels, AgentModes, AgentRegistryInfo, AgentRegistryRefresh, CreateSessionRequest, CreateSessionResponse, EventPage, Health, InstallRequest, MessageRequest, PendingRequests, PermissionReplyRequest, QuestionReplyRequest, SessionInfo, SessionList, TranscriptResponse, UniversalEvent, UpdateSessionRequest, VersionInfo, WaitResponse } from "./api.ts";

/** One method for each operation of the API. */
export interface Methods {
  /**
   * What this server is and where to go next.
   *
   * `GET /`
   */
  getServerInfo(options?: CallOptions): Promise<string>;
  /**
   * Liveness; needs no token.
   *
   * `GET /v1/health`
   */
  getHealth(options?: CallOptions): Promise<Health>;
  /**
   * Version of the daemon.
   *
   * `GET /v1/version`
   */
  getVersion(options?: CallOptions): Promise<VersionInfo>;
  /**
   * This API as an OpenAPI 3.1 document.
   *
   * `GET /v1/openapi.json`
   */
  getOpenApi(options?: CallOptions): Promise<Answer<"getOpenApi">>;
  /**
   * All agents with their capabilities.
   *
   * `GET /v1/agents`
   */
  listAgents(options?: CallOptions): Promise<AgentList>;
  /**
   * One agent.
   *
   * `GET /v1/agents/{agent}`
   */
  getAgent(agent: string, options?: CallOptions): Promise<AgentInfo>;
  /**
   * Define an agent, or change its definition.
   *
   * Any program that speaks the Agent Client Protocol over stdio. Sessions that run go on; the change counts when an agent is started the next time.
   *
   * `PUT /v1/agents/{agent}`
   */
  defineAgent(agent: string, request: AgentDefinition, options?: CallOptions): Promise<AgentInfo>;
  /**
   * Remove the definition of an agent; its sessions stay readable.
   *
   * `DELETE /v1/agents/{agent}`
   */
  removeAgent(agent: string, options?: CallOptions): Promise<void>;
  /**
   * Fetch the public ACP registry anew.
   *
   * The list of agents that are known without being defined. A document that cannot be read changes nothing.
   *
   * `POST /v1/agents/registry/refresh`
   */
  refreshAgentRegistry(request?: AgentRegistryRefresh, options?: CallOptions): Promise<AgentRegistryInfo>;
  /**
   * Install an agent.
   *
   * `POST /v1/agents/{agent}/install`
   */
  installAgent(agent: string, request?: InstallRequest, options?: CallOptions): Promise<void>;
  /**
   * Modes of an agent.
   *
   * `GET /v1/agents/{agent}/modes`
   */
  getAgentModes(agent: string, options?: CallOptions): Promise<AgentModes>;
  /**
   * Models of an agent.
   *
   * `GET /v1/agents/{agent}/models`
   */
  getAgentModels(agent: string, options?: CallOptions): Promise<AgentModels>;
  /**
   * All sessions, newest first.
   *
   * `GET /v1/sessions`
   */
  listSessions(options?: CallOptions): Promise<SessionList>;
  /**
   * Create a session under an id of your choice.
   *
   * `POST /v1/sessions/{session_id}`
   */
  createSession(sessionId: string, request: CreateSessionRequest, options?: CallOptions): Promise<CreateSessionResponse>;
  /**
   * One session.
   *
   * `GET /v1/sessions/{session_id}`
   */
  getSession(sessionId: string, options?: CallOptions): Promise<SessionInfo>;
  /**
   * Change title, model, variant or modes.
   *
   * The change applies from the next turn and is announced by a `session.updated` event.
   *
   * `PATCH /v1/sessions/{session_id}`
   */
  updateSession(sessionId: string, request: UpdateSessionRequest, options?: CallOptions): Promise<SessionInfo>;
  /**
   * End a session and erase its history.
   *
   * `DELETE /v1/sessions/{session_id}`
   */
  deleteSession(sessionId: string, options?: CallOptions): Promise<void>;
  /**
   * End a session; its history stays readable.
   *
   * `POST /v1/sessions/{session_id}/terminate`
   */
  terminateSession(sessionId: string, options?: CallOptions): Promise<void>;
  /**
   * The conversation so far: items, turns, errors, open requests.
   *
   * `GET /v1/sessions/{session_id}/transcript`
   */
  getTranscript(sessionId: string, options?: CallOptions): Promise<TranscriptResponse>;
  /**
   * Wait until a session reaches a condition.
   *
   * For clients that cannot stream. `idle`: nothing runs, waits or is queued; `request`: a permission or question is open; `ended`: the session has ended. Several conditions are separated by commas, the first to hold answers.
   *
   * `GET /v1/sessions/{session_id}/wait`
   */
  waitForSession(sessionId: string, query?: Query<"waitForSession">, options?: CallOptions): Promise<WaitResponse>;
  /**
   * Send a message; the turn runs in the background.
   *
   * The id of the message is in the `X-Message-Id` response header.
   *
   * `POST /v1/sessions/{session_id}/messages`
   */
  postMessage(sessionId: string, request: MessageRequest, options?: CallOptions): Promise<void>;
  /**
   * Send a message and stream its turn.
   *
   * Closes after the first `turn.ended`, `session.ended`, `error`, `agent.unparsed`, `permission.requested` or `question.requested`.
   *
   * `POST /v1/sessions/{session_id}/messages/stream`
   */
  postMessageStream(sessionId: string, request: MessageRequest, query?: Query<"postMessageStream">, options?: StreamOptions): AsyncGenerator<UniversalEvent, void, undefined>;
  /**
   * Take a queued message back.
   *
   * `DELETE /v1/sessions/{session_id}/messages/{message_id}`
   */
  cancelMessage(sessionId: string, messageId: string, options?: CallOptions): Promise<void>;
  /**
   * End the running turn and drop queued messages; the session stays.
   *
   * `POST /v1/sessions/{session_id}/abort`
   */
  abortTurn(sessionId: string, options?: CallOptions): Promise<void>;
  /**
   * A page of a session's events.
   *
   * `GET /v1/sessions/{session_id}/events`
   */
  getEvents(sessionId: string, query?: Query<"getEvents">, options?: CallOptions): Promise<EventPage>;
  /**
   * A session's events, past and live.
   *
   * `GET /v1/sessions/{session_id}/events/sse`
   */
  streamEvents(sessionId: string, query?: Query<"streamEvents">, options?: StreamOptions): AsyncGenerator<UniversalEvent, void, undefined>;
  /**
   * The events of all sessions on one stream.
   *
   * Live from now on; the `Last-Event-ID` response header says where that is. With `Last-Event-ID` or `offset` (the `id` of a frame of this stream, or 0 for everything kept) it continues after that frame. Frames without an `id` are not stored: `install.progress` (InstallProgressEvent).
   *
   * `GET /v1/events/sse`
   */
  streamAllEvents(query?: Query<"streamAllEvents">, options?: StreamOptions): AsyncGenerator<UniversalEvent, void, undefined>;
  /**
   * Open permissions and questions.
   *
   * `GET /v1/sessions/{session_id}/requests`
   */
  getRequests(sessionId: string, options?: CallOptions): Promise<PendingRequests>;
  /**
   * Answer a permission request.
   *
   * `POST /v1/sessions/{session_id}/permissions/{permission_id}/reply`
   */
  replyPermission(sessionId: string, permissionId: string, request: PermissionReplyRequest, options?: CallOptions): Promise<void>;
  /**
   * Answer a question.
   *
   * `POST /v1/sessions/{session_id}/questions/{question_id}/reply`
   */
  replyQuestion(sessionId: string, questionId: string, request: QuestionReplyRequest, options?: CallOptions): Promise<void>;
  /**
   * Decline to answer a question.
   *
   * `POST /v1/sessions/{session_id}/questions/{question_id}/reject`
   */
  rejectQuestion(sessionId: string, questionId: string, options?: CallOptions): Promise<void>;
  /**
   * Open ACP servers.
   *
   * `GET /v1/acp`
   */
  listAcpServers(options?: CallOptions): Promise<AcpServerList>;
  /**
   * Send one ACP message to an agent.
   *
   * The first message, `initialize`, creates the server under an id of your choice. A request is answered with its response, however long that takes; a notification or a response with 202. The response is also on the stream.
   *
   * `POST /v1/acp/{server_id}`
   */
  postAcpMessage(serverId: string, request: AcpEnvelope, query?: Query<"postAcpMessage">, options?: CallOptions): Promise<AcpEnvelope>;
  /**
   * Everything an ACP server says, past and live.
   *
   * Frames are named `message` and numbered from 1. Any number of readers gets all of them.
   *
   * `GET /v1/acp/{server_id}`
   */
  streamAcpMessages(serverId: string, options?: StreamOptions): AsyncGenerator<AcpEnvelope, void, undefined>;
  /**
   * Close an ACP server; its sessions stay in the log.
   *
   * Running prompts are aborted and agents are closed. Answers at once, also for ids that do not exist.
   *
   * `DELETE /v1/acp/{server_id}`
   */
  closeAcpServer(serverId: string, options?: CallOptions): Promise<void>;
  /**
   * An ACP connection over a WebSocket.
   *
   * One message per text frame, in both directions, as in ACP's remote transport. The server lives as long as the socket.
   *
   * `GET /v1/acp/{server_id}/socket`
   */
  connectAcp(serverId: string, query?: Query<"connectAcp">): string;
}

export function createMethods(api: Caller): Methods {
  return {
    getServerInfo: (options) => api.text("getServerInfo", { ...options }),
    getHealth: (options) => api.json("getHealth", { ...options }),
    getVersion: (options) => api.json("getVersion", { ...options }),
    getOpenApi: (options) => api.json("getOpenApi", { ...options }),
    listAgents: (options) => api.json("listAgents", { ...options }),
    getAgent: (agent, options) => api.json("getAgent", { path: { agent }, ...options }),
    defineAgent: (agent, request, options) => api.json("defineAgent", { path: { agent }, body: request, ...options }),
    removeAgent: (agent, options) => api.nothing("removeAgent", { path: { agent }, ...options }),
    refreshAgentRegistry: (request, options) => api.json("refreshAgentRegistry", { body: request, ...options }),
    installAgent: (agent, request, options) => api.nothing("installAgent", { path: { agent }, body: request, ...options }),
    getAgentModes: (agent, options) => api.json("getAgentModes", { path: { agent }, ...options }),
    getAgentModels: (agent, options) => api.json("getAgentModels", { path: { agent }, ...options }),
    listSessions: (options) => api.json("listSessions", { ...options }),
    createSession: (sessionId, request, options) => api.json("createSession", { path: { session_id: sessionId }, body: request, ...options }),
    getSession: (sessionId, options) => api.json("getSession", { path: { session_id: sessionId }, ...options }),
    updateSession: (sessionId, request, options) => api.json("updateSession", { path: { session_id: sessionId }, body: request, ...options }),
    deleteSession: (sessionId, options) => api.nothing("deleteSession", { path: { session_id: sessionId }, ...options }),
    terminateSession: (sessionId, options) => api.nothing("terminateSession", { path: { session_id: sessionId }, ...options }),
    getTranscript: (sessionId, options) => api.json("getTranscript", { path: { session_id: sessionId }, ...options }),
    waitForSession: (sessionId, query, options) => api.json("waitForSession", { path: { session_id: sessionId }, query, ...options }),
    postMessage: (sessionId, request, options) => api.nothing("postMessage", { path: { session_id: sessionId }, body: request, ...options }),
    postMessageStream: (sessionId, request, query, options) => api.events<"postMessageStream", UniversalEvent>("postMessageStream", { path: { session_id: sessionId }, body: request, query, ...options }),
    cancelMessage: (sessionId, messageId, options) => api.nothing("cancelMessage", { path: { session_id: sessionId, message_id: messageId }, ...options }),
    abortTurn: (sessionId, options) => api.nothing("abortTurn", { path: { session_id: sessionId }, ...options }),
    getEvents: (sessionId, query, options) => api.json("getEvents", { path: { session_id: sessionId }, query, ...options }),
    streamEvents: (sessionId, query, options) => api.events<"streamEvents", UniversalEvent>("streamEvents", { path: { session_id: sessionId }, query, ...options }),
    streamAllEvents: (query, options) => api.events<"streamAllEvents", UniversalEvent>("streamAllEvents", { query, ...options }),
    getRequests: (sessionId, options) => api.json("getRequests", { path: { session_id: sessionId }, ...options }),
    replyPermission: (sessionId, permissionId, request, options) => api.nothing("replyPermission", { path: { session_id: sessionId, permission_id: permissionId }, body: request, ...options }),
    replyQuestion: (sessionId, questionId, request, options) => api.nothing("replyQuestion", { path: { session_id: sessionId, question_id: questionId }, body: request, ...options }),
    rejectQuestion: (sessionId, questionId, options) => api.nothing("rejectQuestion", { path: { session_id: sessionId, question_id: questionId }, ...options }),
    listAcpServers: (options) => api.json("listAcpServers", { ...options }),
    postAcpMessage: (serverId, request, query, options) => api.json("postAcpMessage", { path: { server_id: serverId }, body: request, query, ...options }),
    streamAcpMessages: (serverId, options) => api.events<"streamAcpMessages", AcpEnvelope>("streamAcpMessages", { path: { server_id: serverId }, ...options }),
    closeAcpServer: (serverId, options) => api.nothing("closeAcpServer", { path: { server_id: serverId }, ...options }),
    connectAcp: (serverId, query) => api.socketUrl("connectAcp", { path: { server_id: serverId }, query }),
  };
}
