/**
 * One session on an ACP connection. It follows the session's log, so it shows what all clients do there. Besides the
 * folded state it holds only the prompt that waits for the end of its turn.
 */
import { type AgentContext, type PromptResponse, RequestError } from "@agentclientprotocol/sdk/unstable";
import {
  type ErrorData,
  foldEvent,
  type MessageRequest,
  ProblemError,
  type SessionState,
  type UniversalEvent,
} from "@sandbox-agent/schema";
import { follow } from "../../follow/follow.ts";
import { type StoredEvents, sessionSource } from "../../follow/session-source.ts";
import type { Session } from "../../session/session.ts";
import type { LogRecord } from "../../store/encode.ts";
import type { ClientRequests } from "./client-requests.ts";
import { askedUpdates, resolvedUpdates } from "./translate/permission.ts";
import { exitOf, sessionEnd, turnEnd } from "./translate/turn-end.ts";
import { updatesOf, type View } from "./translate/updates.ts";

export type Conversation = ReturnType<typeof openConversation>;

interface ConversationParts {
  session: Session;
  /** The session's state when the conversation opens. */
  state: SessionState;
  stored: StoredEvents;
  client: AgentContext;
  requests: ClientRequests;
  view: View;
  /** A promise when the client has too much unread; reading the log continues when it resolves. */
  drained(): Promise<void> | null;
  /** Called when the session is deleted or its log cannot be read. */
  onEnd(): void;
}

interface Prompt extends PromiseWithResolvers<PromptResponse> {
  /** Events up to this sequence do not belong to its turn. */
  after: number;
  /** Whether the prompt's own message has been read from the log. */
  seen: boolean;
}

/** Follows a session from a state on, at the client's pace. Requests that are open in that state are sent again. */
export function openConversation(parts: ConversationParts) {
  const { session, stored, client, requests, view } = parts;
  const sessionId = session.id;
  let { state } = parts;
  let running: Prompt | null = null;
  const ended = Promise.withResolvers<void>();
  /** The error of this turn, if no item came after it. */
  let failure: ErrorData | null = null;

  /** Fails only when the connection is closed, which also ends this conversation. */
  const notify = (method: string, params: Record<string, unknown>) =>
    void client.notify(method, params).catch(() => {});

  function handle(event: UniversalEvent): void {
    const before = state;
    state = foldEvent(state, event);
    const updates = isOwnMessage(event) ? [] : updatesOf(before, state, event, view);
    for (const update of updates) notify("session/update", { sessionId, update });
    react(event);
  }

  /** The first message of its turn is not sent back to the client, which has sent it. */
  function isOwnMessage(event: UniversalEvent): boolean {
    if (!running || running.seen || event.sequence <= running.after) return false;
    return (running.seen = event.type === "item.started" && event.data.item.role === "user");
  }

  function react(event: UniversalEvent): void {
    switch (event.type) {
      case "permission.requested":
        for (const update of askedUpdates(event.data)) notify("session/update", { sessionId, update });
        return;
      case "permission.resolved":
        requests.withdraw(event.data.permission_id);
        for (const update of resolvedUpdates(event.data)) notify("session/update", { sessionId, update });
        return;
      case "question.resolved":
        return requests.withdraw(event.data.question_id);
      case "turn.started":
      case "item.started":
        failure = null;
        return;
      case "error": {
        failure = event.data;
        const exit = exitOf(event.data);
        if (exit) notify("_adapter/agent_exited", { success: false, code: exit.exit_code });
        return;
      }
      case "agent.unparsed":
        return notify("_sandboxagent/agent/unparsed", { sessionId, ...event.data });
      case "turn.ended":
        return settle(turnEnd(event, failure, session.info().agent), event.sequence);
      case "session.ended": {
        const { reason, message } = event.data;
        notify("_sandboxagent/session/ended", { sessionId, reason, ...(message && { message }) });
        return settle(sessionEnd(event, session.info().agent), event.sequence);
      }
    }
  }

  function settle(end: PromptResponse | RequestError, sequence = Number.POSITIVE_INFINITY): void {
    if (!running || sequence <= running.after) return;
    const { resolve, reject } = running;
    running = null;
    if (end instanceof RequestError) reject(end);
    else resolve(end);
  }

  /** Runs after a whole batch, because the daemon may have answered a request itself within it. */
  function sendRequests(known: SessionState): void {
    for (const permission of state.permissions)
      if (!known.permissions.includes(permission)) requests.permission(permission);
    for (const question of state.questions) if (!known.questions.includes(question)) requests.question(question);
  }

  const source = sessionSource<readonly LogRecord[]>(stored, session.number, {
    records: (records) => ({ data: records }),
    batch: ({ records }) => ({ data: records }),
  });
  const follower = follow(source, state.sequence, {
    write(records) {
      const known = state;
      for (const { text } of records) handle(JSON.parse(text));
      sendRequests(known);
      return parts.drained();
    },
    end(error) {
      const [code, why] = error === undefined ? [-32002, "was deleted"] : [-32603, `cannot be read: ${error}`];
      settle(new RequestError(code, `session "${sessionId}" ${why}`));
      parts.onEnd();
      ended.resolve();
    },
  });
  sendRequests({ ...state, permissions: [], questions: [] });

  return {
    session,
    view,
    /** Whether a prompt of this connection is running. */
    get prompting(): boolean {
      return running !== null;
    },
    /** Sends a message; resolves when its turn has ended. */
    async prompt(message: MessageRequest): Promise<PromptResponse> {
      if (running) throw new ProblemError("conflict", "a prompt of this session is running; wait for it or cancel it");
      const prompt = { ...Promise.withResolvers<PromptResponse>(), after: session.state.sequence, seen: false };
      // Set before posting, because the first events arrive during the post.
      running = prompt;
      try {
        await session.post({ ...message, delivery: "reject" }, null);
      } catch (error) {
        if (running === prompt) running = null;
        throw error;
      }
      return prompt.promise;
    },
    /** Resolves when everything up to the end of the log has been sent to the client. */
    finish(): Promise<void> {
      follower.finish();
      return ended.promise;
    },
    /** Rejects the running prompt and stops following. */
    leave(): void {
      settle(new RequestError(-32603, "the ACP server was closed"));
      requests.leave();
      follower.stop();
    },
  };
}
