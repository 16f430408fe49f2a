/**
 * One session as an ACP connection sees it. It follows the session's log, so it shows what anybody does there; what it
 * keeps beside the fold is the prompt that waits for its turn to end.
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
import type { Asking } from "./asking.ts";
import { askedUpdates, resolvedUpdates } from "./translate/permission.ts";
import { exitOf, sessionEnd, turnEnd } from "./translate/turn-end.ts";
import { updatesOf, type View } from "./translate/updates.ts";

export type Conversation = ReturnType<typeof converse>;

interface ConversationParts {
  session: Session;
  /** Where the session stood when the conversation begins. */
  state: SessionState;
  stored: StoredEvents;
  client: AgentContext;
  asking: Asking;
  view: View;
  /** A promise when the client has not read enough of what was sent; the log is read on when it resolves. */
  room(): Promise<void> | null;
  /** The session was deleted. */
  onEnd(): void;
}

interface Prompt extends PromiseWithResolvers<PromptResponse> {
  /** What came before it in the log, up to this sequence, is not of its turn. */
  after: number;
  /** Whether the message itself has come by. */
  seen: boolean;
}

/** Follows a session after a state, at the pace of the client. What is open in that state is asked for again. */
export function converse(parts: ConversationParts) {
  const { session, stored, client, asking, view } = parts;
  const sessionId = session.id;
  let { state } = parts;
  let running: Prompt | null = null;
  const ended = Promise.withResolvers<void>();
  /** The error that was the last thing the agent said in this turn. */
  let failure: ErrorData | null = null;

  /** Fails only when the connection is closed, and then this conversation has been left. */
  const notify = (method: string, params: Record<string, unknown>) =>
    void client.notify(method, params).catch(() => {});

  function handle(event: UniversalEvent): void {
    const before = state;
    state = foldEvent(state, event);
    const updates = isOwnMessage(event) ? [] : updatesOf(before, state, event, view);
    for (const update of updates) notify("session/update", { sessionId, update });
    react(event);
  }

  /** A client knows what it has sent itself: the first message of its turn. */
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
        asking.withdraw(event.data.permission_id);
        for (const update of resolvedUpdates(event.data)) notify("session/update", { sessionId, update });
        return;
      case "question.resolved":
        return asking.withdraw(event.data.question_id);
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

  /** After a whole batch, since the daemon may have answered a request by itself. */
  function askFor(known: SessionState): void {
    for (const permission of state.permissions)
      if (!known.permissions.includes(permission)) asking.permission(permission);
    for (const question of state.questions) if (!known.questions.includes(question)) asking.question(question);
  }

  const source = sessionSource<readonly LogRecord[]>(stored, session.number, {
    records: (records) => ({ data: records }),
    batch: ({ records }) => ({ data: records }),
  });
  const follower = follow(source, state.sequence, {
    write(records) {
      const known = state;
      for (const { text } of records) handle(JSON.parse(text));
      askFor(known);
      return parts.room();
    },
    end(error) {
      const [code, why] = error === undefined ? [-32002, "was deleted"] : [-32603, `cannot be read: ${error}`];
      settle(new RequestError(code, `session "${sessionId}" ${why}`));
      parts.onEnd();
      ended.resolve();
    },
  });
  askFor({ ...state, permissions: [], questions: [] });

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
      // Its first events come while the message is posted.
      running = prompt;
      try {
        await session.post({ ...message, delivery: "reject" }, null);
      } catch (error) {
        if (running === prompt) running = null;
        throw error;
      }
      return prompt.promise;
    },
    /** Follows to the end of the log; resolves when the client has been sent all of it. */
    finish(): Promise<void> {
      follower.finish();
      return ended.promise;
    },
    /** Stops following. */
    leave(): void {
      settle(new RequestError(-32603, "the ACP server was closed"));
      asking.leave();
      follower.stop();
    },
  };
}
