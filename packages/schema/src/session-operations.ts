/** The operations on sessions, their messages and their open requests. */
import * as z from "zod";
import { includeRaw } from "./event-operations.ts";
import { lazy } from "./lazy.ts";
import { MessageRequest, PermissionReplyRequest, QuestionReplyRequest } from "./message.ts";
import type { Operation } from "./operations.ts";
import { integerQuery, listQuery, positiveQuery } from "./query.ts";
import {
  CreateSessionRequest,
  CreateSessionResponse,
  ForkSessionRequest,
  PendingRequests,
  SessionInfo,
  SessionList,
  SessionStatus,
  TranscriptResponse,
  UpdateSessionRequest,
  WaitCondition,
  WaitResponse,
} from "./session.ts";

const idempotencyKey = { "Idempotency-Key": "A message repeated under the same key is not sent a second time" };
const session = "/v1/sessions/{session_id}";

export const sessionOperations = {
  listSessions: {
    method: "GET",
    path: "/v1/sessions",
    tag: "sessions",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "Sessions, newest first",
    description:
      "All sessions, or those that match every filter. With `limit`, one page: `nextCursor`, present only when more follow, is the `cursor` of the next page.",
    query: lazy(() =>
      z.object({
        limit: positiveQuery().optional().describe("At most this many; default: all"),
        cursor: z.string().optional().describe("`nextCursor` of the previous page"),
        agent: z.string().optional().describe("Only sessions of this agent"),
        status: listQuery(SessionStatus())
          .optional()
          .describe("Only sessions with this status: `idle`, `running`, `waiting`, `ended`, or a list of them"),
        directory: z.string().optional().describe("Only sessions that were created with this directory"),
      }),
    ),
    success: { status: 200, json: SessionList },
  },
  createSession: {
    method: "POST",
    path: session,
    tag: "sessions",
    scopes: ["prompt"],
    summary: "Create a session under an id of your choice",
    body: CreateSessionRequest,
    success: { status: 200, json: CreateSessionResponse },
    problems: [
      "unsupported_agent",
      "mode_not_supported",
      "agent_not_installed",
      "session_already_exists",
      "install_failed",
      "agent_process_exited",
      "stream_error",
      "timeout",
    ],
  },
  getSession: {
    method: "GET",
    path: session,
    tag: "sessions",
    scopes: ["read"],
    summary: "One session",
    success: { status: 200, json: SessionInfo },
    problems: ["session_not_found"],
  },
  updateSession: {
    method: "PATCH",
    path: session,
    tag: "sessions",
    scopes: ["prompt"],
    summary: "Change title, model, variant or modes",
    description: "The change applies from the next turn and is announced by a `session.updated` event.",
    body: UpdateSessionRequest,
    success: { status: 200, json: SessionInfo },
    problems: ["session_not_found", "mode_not_supported"],
  },
  forkSession: {
    method: "POST",
    path: `${session}/fork`,
    tag: "sessions",
    scopes: ["prompt"],
    summary: "Create a session that continues the conversation of this one",
    description:
      "A new session with the same agent and settings, whose history begins with the copied turns. The agent gets them as context with the first message. Files do not change; restore a checkpoint to go back to older ones.",
    body: ForkSessionRequest,
    bodyOptional: true,
    success: { status: 200, json: SessionInfo },
    problems: [
      "session_not_found",
      "unsupported_agent",
      "mode_not_supported",
      "agent_not_installed",
      "session_already_exists",
      "install_failed",
      "agent_process_exited",
      "stream_error",
      "timeout",
    ],
  },
  deleteSession: {
    method: "DELETE",
    path: session,
    tag: "sessions",
    scopes: ["admin"],
    summary: "End a session and erase its history",
    success: { status: 204 },
    problems: ["session_not_found"],
  },
  terminateSession: {
    method: "POST",
    path: `${session}/terminate`,
    tag: "sessions",
    scopes: ["prompt"],
    summary: "End a session; its history stays readable",
    success: { status: 204 },
    problems: ["session_not_found"],
  },
  getTranscript: {
    method: "GET",
    path: `${session}/transcript`,
    tag: "sessions",
    scopes: ["read"],
    summary: "The conversation so far: items, turns, errors, open requests",
    success: { status: 200, json: TranscriptResponse },
    problems: ["session_not_found"],
  },
  waitForSession: {
    method: "GET",
    path: `${session}/wait`,
    tag: "sessions",
    scopes: ["read"],
    summary: "Wait until a session reaches a condition",
    description:
      "For clients that cannot stream. `idle`: no turn is running, waiting or queued; `request`: a permission or question is open; `ended`: the session has ended. Separate several conditions with commas; the first one that holds ends the wait.",
    query: lazy(() =>
      z.object({
        until: listQuery(WaitCondition())
          .optional()
          .describe("`idle` (default), `request`, `ended`, or a list of them"),
        timeout_ms: integerQuery().optional().describe("Default 30000, at most 600000"),
      }),
    ),
    success: { status: 200, json: WaitResponse },
    problems: ["session_not_found"],
  },

  postMessage: {
    method: "POST",
    path: `${session}/messages`,
    tag: "messages",
    scopes: ["prompt"],
    summary: "Send a message; the turn runs in the background",
    description: "The id of the message is in the `X-Message-Id` response header.",
    headers: idempotencyKey,
    body: MessageRequest,
    success: { status: 204 },
    problems: ["session_not_found", "conflict", "agent_process_exited"],
  },
  postMessageStream: {
    method: "POST",
    path: `${session}/messages/stream`,
    tag: "messages",
    scopes: ["prompt"],
    summary: "Send a message and stream its turn",
    description:
      "Closes after the first `turn.ended`, `session.ended`, `error`, `agent.unparsed`, `permission.requested` or `question.requested`.",
    headers: idempotencyKey,
    query: lazy(() => z.object({ include_raw: includeRaw() })),
    body: MessageRequest,
    success: { status: 200, events: true },
    problems: ["session_not_found", "conflict", "agent_process_exited"],
  },
  cancelMessage: {
    method: "DELETE",
    path: `${session}/messages/{message_id}`,
    tag: "messages",
    scopes: ["prompt"],
    summary: "Cancel a queued message",
    success: { status: 204 },
    problems: ["session_not_found", "not_found"],
  },
  abortTurn: {
    method: "POST",
    path: `${session}/abort`,
    tag: "messages",
    scopes: ["prompt"],
    summary: "End the running turn and drop queued messages; the session stays",
    success: { status: 204 },
    problems: ["session_not_found"],
  },

  getRequests: {
    method: "GET",
    path: `${session}/requests`,
    tag: "requests",
    scopes: ["read"],
    summary: "Open permissions and questions",
    success: { status: 200, json: PendingRequests },
    problems: ["session_not_found"],
  },
  replyPermission: {
    method: "POST",
    path: `${session}/permissions/{permission_id}/reply`,
    tag: "requests",
    scopes: ["approve"],
    summary: "Answer a permission request",
    body: PermissionReplyRequest,
    success: { status: 204 },
    problems: ["session_not_found"],
  },
  replyQuestion: {
    method: "POST",
    path: `${session}/questions/{question_id}/reply`,
    tag: "requests",
    scopes: ["approve"],
    summary: "Answer a question",
    body: QuestionReplyRequest,
    success: { status: 204 },
    problems: ["session_not_found"],
  },
  rejectQuestion: {
    method: "POST",
    path: `${session}/questions/{question_id}/reject`,
    tag: "requests",
    scopes: ["approve"],
    summary: "Decline to answer a question",
    success: { status: 204 },
    problems: ["session_not_found"],
  },
} as const satisfies Record<string, Operation>;
