// Generated from the OpenAPI document by `npm run generate`. Do not edit.
import type { Caller, StreamOptions } from "../caller.ts";
import type { Answer, Body, Bytes, Query } from "../operation.ts";
import type { CallOptions } from "../transport.ts";
import type { AccessInfo, AcpEnvelope, AcpServerList, AgentDefinition, AgentInfo, AgentList, AgentModels, AgentModes, AgentRegistryInfo, AgentRegistryRefresh, AttachTmuxRequest, AuditPage, Checkpoint, CheckpointList, CreateCheckpointRequest, CreateProcessRequest, CreateSessionRequest, CreateSessionResponse, CreateTokenRequest, CreateTokenResponse, DiffResponse, EventPage, FileEntries, FileStat, ForkSessionRequest, GlobalEvent, Health, InputWritten, InstallRequest, McpConfigList, McpServerConfig, MessageRequest, MoveRequest, MoveResponse, PathResponse, PendingRequests, PermissionReplyRequest, ProcessConfig, ProcessConfigChange, ProcessEvent, ProcessInfo, ProcessInput, ProcessList, ProcessLogEntry, ProcessLogs, QuestionReplyRequest, RestoreResponse, RunProcessFrame, RunProcessRequest, RunProcessResult, SearchResponse, SessionInfo, SessionList, SignalRequest, SkillsConfig, SkillsConfigList, TerminalInfo, TerminalInput, TerminalList, TerminalScreen, TerminalSize, TokenList, TranscriptResponse, UniversalEvent, UpdateSessionRequest, UploadResponse, VersionInfo, WaitResponse, WriteFileResponse } from "./api.ts";

/** One method for each operation of the API. */
export interface Methods {
  /**
   * Name of the server and links to API and docs.
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
  getAgent(agent: string, query?: Query<"getAgent">, options?: CallOptions): Promise<AgentInfo>;
  /**
   * Define an agent, or change its definition.
   *
   * Any program that speaks ACP (the Agent Client Protocol) over stdio. Running sessions continue; the change applies when the agent is next started.
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
   * Refresh the public ACP registry.
   *
   * The registry lists the agents that are available without a definition. If the document cannot be read, nothing changes.
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
   * Sessions, newest first.
   *
   * All sessions, or those that match every filter. With `limit`, one page: `nextCursor`, present only when more follow, is the `cursor` of the next page.
   *
   * `GET /v1/sessions`
   */
  listSessions(query?: Query<"listSessions">, options?: CallOptions): Promise<SessionList>;
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
   * Create a session that continues the conversation of this one.
   *
   * A new session with the same agent and settings, whose history begins with the copied turns. The agent gets them as context with the first message. Files do not change; restore a checkpoint to go back to older ones.
   *
   * `POST /v1/sessions/{session_id}/fork`
   */
  forkSession(sessionId: string, request?: ForkSessionRequest, options?: CallOptions): Promise<SessionInfo>;
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
   * For clients that cannot stream. `idle`: no turn is running, waiting or queued; `request`: a permission or question is open; `ended`: the session has ended. Separate several conditions with commas; the first one that holds ends the wait.
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
   * Cancel a queued message.
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
   * A page of a session's events.
   *
   * The `Sandbox-Agent-Log` response header is the id of the log: another data directory behind the same address has another one. An `offset` beyond the end, or of another log than `log`, is answered with an empty page and `reset`.
   *
   * `GET /v1/sessions/{session_id}/events`
   */
  getEvents(sessionId: string, query?: Query<"getEvents">, options?: CallOptions): Promise<EventPage>;
  /**
   * A session's events, past and live.
   *
   * The `Sandbox-Agent-Log` response header is the id of the log: another data directory behind the same address has another one. A cursor that is beyond the end, or whose `log` is not the id of this log, is answered with a frame `event: reset` (`reason`: `beyond_end` or `other_log`, `log`: the id of this one) and then everything from the first event on.
   *
   * `GET /v1/sessions/{session_id}/events/sse`
   */
  streamEvents(sessionId: string, query?: Query<"streamEvents">, options?: StreamOptions): AsyncGenerator<UniversalEvent, void, undefined>;
  /**
   * The events of all sessions on one stream.
   *
   * Live from now on; the `Last-Event-ID` response header is the current position. With `Last-Event-ID` or `offset` (the `id` of a frame of this stream, or 0 for everything kept) it continues after that frame. Frames without an `id` are not stored: `install.progress` (InstallProgressEvent) and `process.started`, `process.exited`, `process.deleted` (ProcessEvent). The `Sandbox-Agent-Log` response header is the id of the log: another data directory behind the same address has another one. A cursor that is beyond the end, or whose `log` is not the id of this log, is answered with a frame `event: reset` (`reason`: `beyond_end` or `other_log`, `log`: the id of this one) and then everything from the first event on.
   *
   * `GET /v1/events/sse`
   */
  streamAllEvents(query?: Query<"streamAllEvents">, options?: StreamOptions): AsyncGenerator<GlobalEvent, void, undefined>;
  /**
   * List a directory, sorted by name.
   *
   * `GET /v1/fs/entries`
   */
  listFsEntries(query?: Query<"listFsEntries">, options?: CallOptions): Promise<FileEntries>;
  /**
   * The bytes of a file, whole or a part.
   *
   * `HEAD` answers the same headers without the bytes.
   *
   * `GET /v1/fs/file`
   */
  readFsFile(query: Query<"readFsFile">, options?: CallOptions): Promise<Response>;
  /**
   * Write a file atomically.
   *
   * Streamed to disk at any size. Readers see the old content until the new is complete. Missing parent directories are created. The new `ETag` is in the response headers.
   *
   * `PUT /v1/fs/file`
   */
  writeFsFile(query: Query<"writeFsFile">, bytes: Bytes, options?: CallOptions): Promise<WriteFileResponse>;
  /**
   * Type, size and modification time of a file or directory.
   *
   * `GET /v1/fs/stat`
   */
  statFs(query: Query<"statFs">, options?: CallOptions): Promise<FileStat>;
  /**
   * Create a directory and its parents; succeeds if it exists.
   *
   * `POST /v1/fs/mkdir`
   */
  mkdirFs(query: Query<"mkdirFs">, options?: CallOptions): Promise<PathResponse>;
  /**
   * Move or rename a file or directory.
   *
   * Missing parents of the target are created. An existing target is replaced only with `overwrite`, and is kept if the move fails.
   *
   * `POST /v1/fs/move`
   */
  moveFs(request: MoveRequest, query?: Query<"moveFs">, options?: CallOptions): Promise<MoveResponse>;
  /**
   * Delete a file, a symbolic link or a directory.
   *
   * `DELETE /v1/fs/entry`
   */
  deleteFsEntry(query: Query<"deleteFsEntry">, options?: CallOptions): Promise<PathResponse>;
  /**
   * Unpack a tar or tar.gz archive into a directory.
   *
   * Streamed; the directory is created. At most 16 GiB unpacked, 1,000,000 entries, paths of 4096 bytes and 128 directories; beyond that the request fails with `payload_too_large`. Nothing is written outside of the directory, and no link of the archive may lead out of the fs root. Entries before a rejected one stay written.
   *
   * `POST /v1/fs/upload-batch`
   */
  uploadFsBatch(bytes: Bytes, query?: Query<"uploadFsBatch">, options?: CallOptions): Promise<UploadResponse>;
  /**
   * A directory as a tar.gz archive.
   *
   * Files, directories and symbolic links, streamed. Unpacking it with `upload-batch` gives the same tree.
   *
   * `GET /v1/fs/download`
   */
  downloadFsDirectory(query?: Query<"downloadFsDirectory">, options?: CallOptions): Promise<Response>;
  /**
   * Find files by name or content.
   *
   * Plain text, ignoring case unless it has capitals. In names, `*`, `?`, `[…]` and `{…}` make it a glob, matched against the last part of the path unless it has a slash. Files that `.gitignore` excludes, `.git`, and for content binary files and those over 16 MB are left out.
   *
   * `GET /v1/fs/search`
   */
  searchFs(query: Query<"searchFs">, options?: CallOptions): Promise<SearchResponse>;
  /**
   * Processes, oldest first.
   *
   * `GET /v1/processes`
   */
  listProcesses(query?: Query<"listProcesses">, options?: CallOptions): Promise<ProcessList>;
  /**
   * Start a process in the background.
   *
   * `POST /v1/processes`
   */
  createProcess(request: CreateProcessRequest, options?: CallOptions): Promise<ProcessInfo>;
  /**
   * Run a program and return its output.
   *
   * The program is killed when its time limit is reached or the client disconnects. Any exit code is a success of this call.
   *
   * `POST /v1/processes/run`
   */
  runProcess(request: RunProcessRequest, options?: CallOptions): Promise<RunProcessResult>;
  /**
   * Run a program and stream its output.
   *
   * Frames `event: log` (ProcessLogEntry), then one `event: exit` (RunProcessEnd). A slow client slows the program down; nothing is dropped.
   *
   * `POST /v1/processes/run/stream`
   */
  runProcessStream(request: Body<"runProcessStream">, options?: StreamOptions): AsyncGenerator<RunProcessFrame, void, undefined>;
  /**
   * Stream of started, exited and deleted processes.
   *
   * Live from now on; with `Last-Event-ID` it continues after that frame, as far back as the last 1000 events. The same events are on `GET /v1/events/sse`, without an id.
   *
   * `GET /v1/processes/events/sse`
   */
  streamProcessEvents(options?: StreamOptions): AsyncGenerator<ProcessEvent, void, undefined>;
  /**
   * Limits for processes.
   *
   * `GET /v1/processes/config`
   */
  getProcessConfig(options?: CallOptions): Promise<ProcessConfig>;
  /**
   * Change limits for processes until the daemon stops.
   *
   * `POST /v1/processes/config`
   */
  setProcessConfig(request: ProcessConfigChange, options?: CallOptions): Promise<ProcessConfig>;
  /**
   * One process.
   *
   * `GET /v1/processes/{process_id}`
   */
  getProcess(processId: string, options?: CallOptions): Promise<ProcessInfo>;
  /**
   * Delete an ended process and its log.
   *
   * `DELETE /v1/processes/{process_id}`
   */
  deleteProcess(processId: string, options?: CallOptions): Promise<void>;
  /**
   * Stop a process and its descendants (SIGTERM).
   *
   * A terminal also gets SIGHUP, because interactive shells ignore SIGTERM.
   *
   * `POST /v1/processes/{process_id}/stop`
   */
  stopProcess(processId: string, query?: Query<"stopProcess">, options?: CallOptions): Promise<ProcessInfo>;
  /**
   * Kill a process and its descendants (SIGKILL).
   *
   * `POST /v1/processes/{process_id}/kill`
   */
  killProcess(processId: string, query?: Query<"killProcess">, options?: CallOptions): Promise<ProcessInfo>;
  /**
   * Send a signal to a process, not to its descendants.
   *
   * `POST /v1/processes/{process_id}/signal`
   */
  signalProcess(processId: string, request: SignalRequest, options?: CallOptions): Promise<ProcessInfo>;
  /**
   * Write to the standard input of a process.
   *
   * `POST /v1/processes/{process_id}/input`
   */
  writeProcessInput(processId: string, request: ProcessInput, options?: CallOptions): Promise<InputWritten>;
  /**
   * Output of a process.
   *
   * With `follow=true`, a stream of frames `event: log`, beginning with the stored ones; it ends with the process. A reader slower than the process misses what the log no longer holds.
   *
   * `GET /v1/processes/{process_id}/logs`
   */
  getProcessLogs(processId: string, query?: Query<"getProcessLogs">, options?: CallOptions): Promise<ProcessLogs>;
  /**
   * Output of a process.
   *
   * With `follow=true`, a stream of frames `event: log`, beginning with the stored ones; it ends with the process. A reader slower than the process misses what the log no longer holds.
   *
   * `GET /v1/processes/{process_id}/logs`
   */
  getProcessLogsStream(processId: string, query?: Query<"getProcessLogs">, options?: StreamOptions): AsyncGenerator<ProcessLogEntry, void, undefined>;
  /**
   * Change the size of a process's terminal.
   *
   * `POST /v1/processes/{process_id}/terminal/resize`
   */
  resizeProcessTerminal(processId: string, request: TerminalSize, options?: CallOptions): Promise<TerminalSize>;
  /**
   * Attach to a process's terminal.
   *
   * The same as `GET /v1/terminals/{terminal_id}/ws` with the id of the process.
   *
   * `GET /v1/processes/{process_id}/terminal/ws`
   */
  attachProcessTerminal(processId: string): string;
  /**
   * Terminals of processes, of agents and of tmux.
   *
   * `GET /v1/terminals`
   */
  listTerminals(options?: CallOptions): Promise<TerminalList>;
  /**
   * Open a terminal on a pane of a running tmux.
   *
   * The pane keeps its size and its own clients. If the pane is already open, its terminal is returned.
   *
   * `POST /v1/terminals/tmux`
   */
  attachTmux(request: AttachTmuxRequest, options?: CallOptions): Promise<TerminalInfo>;
  /**
   * One terminal.
   *
   * `GET /v1/terminals/{terminal_id}`
   */
  getTerminal(terminalId: string, options?: CallOptions): Promise<TerminalInfo>;
  /**
   * Detach from a tmux pane, which keeps running, or delete an ended terminal.
   *
   * `DELETE /v1/terminals/{terminal_id}`
   */
  closeTerminal(terminalId: string, options?: CallOptions): Promise<void>;
  /**
   * Current screen of a terminal.
   *
   * `GET /v1/terminals/{terminal_id}/screen`
   */
  getTerminalScreen(terminalId: string, options?: CallOptions): Promise<TerminalScreen>;
  /**
   * Type into a terminal.
   *
   * `POST /v1/terminals/{terminal_id}/input`
   */
  writeTerminalInput(terminalId: string, request: TerminalInput, options?: CallOptions): Promise<InputWritten>;
  /**
   * Change the size of a terminal.
   *
   * `POST /v1/terminals/{terminal_id}/resize`
   */
  resizeTerminal(terminalId: string, request: TerminalSize, options?: CallOptions): Promise<TerminalSize>;
  /**
   * Output of a terminal as an asciicast v2 recording.
   *
   * `GET /v1/terminals/{terminal_id}/recording`
   */
  getTerminalRecording(terminalId: string, options?: CallOptions): Promise<Response>;
  /**
   * Attach to a terminal.
   *
   * A WebSocket. Binary frames are terminal output, beginning with the current screen; text frames are JSON. A viewer that falls behind gets the current screen again instead of the output it missed. The socket closes when the terminal ends. Browsers send the token as `access_token`.
   *
   * `GET /v1/terminals/{terminal_id}/ws`
   */
  attachTerminal(terminalId: string): string;
  /**
   * What a turn or the whole session changed in its directory.
   *
   * A running turn and the whole session are compared with the current files.
   *
   * `GET /v1/sessions/{session_id}/diff`
   */
  getDiff(sessionId: string, query?: Query<"getDiff">, options?: CallOptions): Promise<DiffResponse>;
  /**
   * Checkpoints of a session's directory, oldest first.
   *
   * `GET /v1/sessions/{session_id}/checkpoints`
   */
  listCheckpoints(sessionId: string, options?: CallOptions): Promise<CheckpointList>;
  /**
   * Create a checkpoint of the files in a session's directory.
   *
   * Every turn creates one when it starts and one when it ends.
   *
   * `POST /v1/sessions/{session_id}/checkpoints`
   */
  createCheckpoint(sessionId: string, request?: CreateCheckpointRequest, options?: CallOptions): Promise<Checkpoint>;
  /**
   * What restoring a checkpoint would change.
   *
   * `GET /v1/sessions/{session_id}/checkpoints/{checkpoint_id}/preview`
   */
  previewCheckpoint(sessionId: string, checkpointId: string, options?: CallOptions): Promise<DiffResponse>;
  /**
   * Restore the files of the directory from a checkpoint.
   *
   * Ignored files and the conversation do not change. Rejected while a turn runs in the directory.
   *
   * `POST /v1/sessions/{session_id}/checkpoints/{checkpoint_id}/restore`
   */
  restoreCheckpoint(sessionId: string, checkpointId: string, options?: CallOptions): Promise<RestoreResponse>;
  /**
   * All configured MCP servers.
   *
   * `GET /v1/config/mcp/list`
   */
  listMcpConfig(query?: Query<"listMcpConfig">, options?: CallOptions): Promise<McpConfigList>;
  /**
   * One configured MCP server.
   *
   * `GET /v1/config/mcp`
   */
  getMcpConfig(query: Query<"getMcpConfig">, options?: CallOptions): Promise<McpServerConfig>;
  /**
   * Configure an MCP server for a directory.
   *
   * Applies to every session in the directory, to running ones from their next turn. Settings a session was created with take precedence. The value `<redacted>` keeps the stored secret.
   *
   * `PUT /v1/config/mcp`
   */
  setMcpConfig(query: Query<"setMcpConfig">, request: McpServerConfig, options?: CallOptions): Promise<void>;
  /**
   * Remove an MCP server from a directory.
   *
   * `DELETE /v1/config/mcp`
   */
  deleteMcpConfig(query: Query<"deleteMcpConfig">, options?: CallOptions): Promise<void>;
  /**
   * All configured skills.
   *
   * `GET /v1/config/skills/list`
   */
  listSkillsConfig(query?: Query<"listSkillsConfig">, options?: CallOptions): Promise<SkillsConfigList>;
  /**
   * One configured entry of skills.
   *
   * `GET /v1/config/skills`
   */
  getSkillsConfig(query: Query<"getSkillsConfig">, options?: CallOptions): Promise<SkillsConfig>;
  /**
   * Configure skills for a directory.
   *
   * Applies to every session in the directory, to running ones from their next turn. Settings a session was created with take precedence.
   *
   * `PUT /v1/config/skills`
   */
  setSkillsConfig(query: Query<"setSkillsConfig">, request: SkillsConfig, options?: CallOptions): Promise<void>;
  /**
   * Remove skills from a directory.
   *
   * `DELETE /v1/config/skills`
   */
  deleteSkillsConfig(query: Query<"deleteSkillsConfig">, options?: CallOptions): Promise<void>;
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
   * All messages of an ACP server, past and live.
   *
   * Frames are named `message` and numbered from 1. Every reader gets all of them.
   *
   * `GET /v1/acp/{server_id}`
   */
  streamAcpMessages(serverId: string, options?: StreamOptions): AsyncGenerator<AcpEnvelope, void, undefined>;
  /**
   * Close an ACP server; its sessions stay in the log.
   *
   * Running prompts are aborted and agents are closed. Answers immediately, even for ids that do not exist.
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
  /**
   * What the token of this request allows.
   *
   * `GET /v1/access`
   */
  getAccess(options?: CallOptions): Promise<AccessInfo>;
  /**
   * Create a token with scopes and an expiry time.
   *
   * For browsers, bots and people who should not have the daemon's own token. A token never allows more than the token that created it.
   *
   * `POST /v1/tokens`
   */
  createToken(request: CreateTokenRequest, options?: CallOptions): Promise<CreateTokenResponse>;
  /**
   * Created tokens, newest first.
   *
   * Those that expired more than 30 days ago are left out.
   *
   * `GET /v1/tokens`
   */
  listTokens(options?: CallOptions): Promise<TokenList>;
  /**
   * Revoke a token immediately; its streams and sockets are closed.
   *
   * `DELETE /v1/tokens/{token_id}`
   */
  revokeToken(tokenId: string, options?: CallOptions): Promise<void>;
  /**
   * Who did what, when, from where, and how it ended; newest first.
   *
   * `GET /v1/audit`
   */
  listAudit(query?: Query<"listAudit">, options?: CallOptions): Promise<AuditPage>;
}

export function createMethods(api: Caller): Methods {
  return {
    getServerInfo: (options) => api.text("getServerInfo", { ...options }),
    getHealth: (options) => api.json("getHealth", { ...options }),
    getVersion: (options) => api.json("getVersion", { ...options }),
    getOpenApi: (options) => api.json("getOpenApi", { ...options }),
    listAgents: (options) => api.json("listAgents", { ...options }),
    getAgent: (agent, query, options) => api.json("getAgent", { path: { agent }, query, ...options }),
    defineAgent: (agent, request, options) => api.json("defineAgent", { path: { agent }, body: request, ...options }),
    removeAgent: (agent, options) => api.nothing("removeAgent", { path: { agent }, ...options }),
    refreshAgentRegistry: (request, options) => api.json("refreshAgentRegistry", { body: request, ...options }),
    installAgent: (agent, request, options) => api.nothing("installAgent", { path: { agent }, body: request, ...options }),
    getAgentModes: (agent, options) => api.json("getAgentModes", { path: { agent }, ...options }),
    getAgentModels: (agent, options) => api.json("getAgentModels", { path: { agent }, ...options }),
    listSessions: (query, options) => api.json("listSessions", { query, ...options }),
    createSession: (sessionId, request, options) => api.json("createSession", { path: { session_id: sessionId }, body: request, ...options }),
    getSession: (sessionId, options) => api.json("getSession", { path: { session_id: sessionId }, ...options }),
    updateSession: (sessionId, request, options) => api.json("updateSession", { path: { session_id: sessionId }, body: request, ...options }),
    deleteSession: (sessionId, options) => api.nothing("deleteSession", { path: { session_id: sessionId }, ...options }),
    forkSession: (sessionId, request, options) => api.json("forkSession", { path: { session_id: sessionId }, body: request, ...options }),
    terminateSession: (sessionId, options) => api.nothing("terminateSession", { path: { session_id: sessionId }, ...options }),
    getTranscript: (sessionId, options) => api.json("getTranscript", { path: { session_id: sessionId }, ...options }),
    waitForSession: (sessionId, query, options) => api.json("waitForSession", { path: { session_id: sessionId }, query, ...options }),
    postMessage: (sessionId, request, options) => api.nothing("postMessage", { path: { session_id: sessionId }, body: request, ...options }),
    postMessageStream: (sessionId, request, query, options) => api.events<"postMessageStream", UniversalEvent>("postMessageStream", { path: { session_id: sessionId }, body: request, query, ...options }),
    cancelMessage: (sessionId, messageId, options) => api.nothing("cancelMessage", { path: { session_id: sessionId, message_id: messageId }, ...options }),
    abortTurn: (sessionId, options) => api.nothing("abortTurn", { path: { session_id: sessionId }, ...options }),
    getRequests: (sessionId, options) => api.json("getRequests", { path: { session_id: sessionId }, ...options }),
    replyPermission: (sessionId, permissionId, request, options) => api.nothing("replyPermission", { path: { session_id: sessionId, permission_id: permissionId }, body: request, ...options }),
    replyQuestion: (sessionId, questionId, request, options) => api.nothing("replyQuestion", { path: { session_id: sessionId, question_id: questionId }, body: request, ...options }),
    rejectQuestion: (sessionId, questionId, options) => api.nothing("rejectQuestion", { path: { session_id: sessionId, question_id: questionId }, ...options }),
    getEvents: (sessionId, query, options) => api.json("getEvents", { path: { session_id: sessionId }, query, ...options }),
    streamEvents: (sessionId, query, options) => api.events<"streamEvents", UniversalEvent>("streamEvents", { path: { session_id: sessionId }, query, ...options }),
    streamAllEvents: (query, options) => api.events<"streamAllEvents", GlobalEvent>("streamAllEvents", { query, ...options }),
    listFsEntries: (query, options) => api.json("listFsEntries", { query, ...options }),
    readFsFile: (query, options) => api.response("readFsFile", { query, ...options }),
    writeFsFile: (query, bytes, options) => api.json("writeFsFile", { query, body: bytes, ...options }),
    statFs: (query, options) => api.json("statFs", { query, ...options }),
    mkdirFs: (query, options) => api.json("mkdirFs", { query, ...options }),
    moveFs: (request, query, options) => api.json("moveFs", { body: request, query, ...options }),
    deleteFsEntry: (query, options) => api.json("deleteFsEntry", { query, ...options }),
    uploadFsBatch: (bytes, query, options) => api.json("uploadFsBatch", { body: bytes, query, ...options }),
    downloadFsDirectory: (query, options) => api.response("downloadFsDirectory", { query, ...options }),
    searchFs: (query, options) => api.json("searchFs", { query, ...options }),
    listProcesses: (query, options) => api.json("listProcesses", { query, ...options }),
    createProcess: (request, options) => api.json("createProcess", { body: request, ...options }),
    runProcess: (request, options) => api.json("runProcess", { body: request, ...options }),
    runProcessStream: (request, options) => api.events<"runProcessStream", RunProcessFrame>("runProcessStream", { body: request, ...options }),
    streamProcessEvents: (options) => api.events<"streamProcessEvents", ProcessEvent>("streamProcessEvents", { ...options }),
    getProcessConfig: (options) => api.json("getProcessConfig", { ...options }),
    setProcessConfig: (request, options) => api.json("setProcessConfig", { body: request, ...options }),
    getProcess: (processId, options) => api.json("getProcess", { path: { process_id: processId }, ...options }),
    deleteProcess: (processId, options) => api.nothing("deleteProcess", { path: { process_id: processId }, ...options }),
    stopProcess: (processId, query, options) => api.json("stopProcess", { path: { process_id: processId }, query, ...options }),
    killProcess: (processId, query, options) => api.json("killProcess", { path: { process_id: processId }, query, ...options }),
    signalProcess: (processId, request, options) => api.json("signalProcess", { path: { process_id: processId }, body: request, ...options }),
    writeProcessInput: (processId, request, options) => api.json("writeProcessInput", { path: { process_id: processId }, body: request, ...options }),
    getProcessLogs: (processId, query, options) => api.json("getProcessLogs", { path: { process_id: processId }, query, ...options }),
    getProcessLogsStream: (processId, query, options) => api.events<"getProcessLogs", ProcessLogEntry>("getProcessLogs", { path: { process_id: processId }, query, ...options }),
    resizeProcessTerminal: (processId, request, options) => api.json("resizeProcessTerminal", { path: { process_id: processId }, body: request, ...options }),
    attachProcessTerminal: (processId) => api.socketUrl("attachProcessTerminal", { path: { process_id: processId } }),
    listTerminals: (options) => api.json("listTerminals", { ...options }),
    attachTmux: (request, options) => api.json("attachTmux", { body: request, ...options }),
    getTerminal: (terminalId, options) => api.json("getTerminal", { path: { terminal_id: terminalId }, ...options }),
    closeTerminal: (terminalId, options) => api.nothing("closeTerminal", { path: { terminal_id: terminalId }, ...options }),
    getTerminalScreen: (terminalId, options) => api.json("getTerminalScreen", { path: { terminal_id: terminalId }, ...options }),
    writeTerminalInput: (terminalId, request, options) => api.json("writeTerminalInput", { path: { terminal_id: terminalId }, body: request, ...options }),
    resizeTerminal: (terminalId, request, options) => api.json("resizeTerminal", { path: { terminal_id: terminalId }, body: request, ...options }),
    getTerminalRecording: (terminalId, options) => api.response("getTerminalRecording", { path: { terminal_id: terminalId }, ...options }),
    attachTerminal: (terminalId) => api.socketUrl("attachTerminal", { path: { terminal_id: terminalId } }),
    getDiff: (sessionId, query, options) => api.json("getDiff", { path: { session_id: sessionId }, query, ...options }),
    listCheckpoints: (sessionId, options) => api.json("listCheckpoints", { path: { session_id: sessionId }, ...options }),
    createCheckpoint: (sessionId, request, options) => api.json("createCheckpoint", { path: { session_id: sessionId }, body: request, ...options }),
    previewCheckpoint: (sessionId, checkpointId, options) => api.json("previewCheckpoint", { path: { session_id: sessionId, checkpoint_id: checkpointId }, ...options }),
    restoreCheckpoint: (sessionId, checkpointId, options) => api.json("restoreCheckpoint", { path: { session_id: sessionId, checkpoint_id: checkpointId }, ...options }),
    listMcpConfig: (query, options) => api.json("listMcpConfig", { query, ...options }),
    getMcpConfig: (query, options) => api.json("getMcpConfig", { query, ...options }),
    setMcpConfig: (query, request, options) => api.nothing("setMcpConfig", { query, body: request, ...options }),
    deleteMcpConfig: (query, options) => api.nothing("deleteMcpConfig", { query, ...options }),
    listSkillsConfig: (query, options) => api.json("listSkillsConfig", { query, ...options }),
    getSkillsConfig: (query, options) => api.json("getSkillsConfig", { query, ...options }),
    setSkillsConfig: (query, request, options) => api.nothing("setSkillsConfig", { query, body: request, ...options }),
    deleteSkillsConfig: (query, options) => api.nothing("deleteSkillsConfig", { query, ...options }),
    listAcpServers: (options) => api.json("listAcpServers", { ...options }),
    postAcpMessage: (serverId, request, query, options) => api.json("postAcpMessage", { path: { server_id: serverId }, body: request, query, ...options }),
    streamAcpMessages: (serverId, options) => api.events<"streamAcpMessages", AcpEnvelope>("streamAcpMessages", { path: { server_id: serverId }, ...options }),
    closeAcpServer: (serverId, options) => api.nothing("closeAcpServer", { path: { server_id: serverId }, ...options }),
    connectAcp: (serverId, query) => api.socketUrl("connectAcp", { path: { server_id: serverId }, query }),
    getAccess: (options) => api.json("getAccess", { ...options }),
    createToken: (request, options) => api.json("createToken", { body: request, ...options }),
    listTokens: (options) => api.json("listTokens", { ...options }),
    revokeToken: (tokenId, options) => api.nothing("revokeToken", { path: { token_id: tokenId }, ...options }),
    listAudit: (query, options) => api.json("listAudit", { query, ...options }),
  };
}
