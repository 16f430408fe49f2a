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
import type { Session } from "../session/session.ts";
import type { EventLog } from "../store/event-log.ts";
import type { Asking } from "./asking.ts";
import { askedUpdates, resolvedUpdates } from "./translate/permission.ts";
import { exitOf, sessionEnd, turnEnd } from "./translate/turn-end.ts";
import { updatesOf, type View } from "./translate/updates.ts";

export interface Conversation {
  readonly session: Session;
  readonly view: View;
  /** Whether a prompt of this connection is running. */
  readonly prompting: boolean;
  /** Sends a message; resolves when its turn has ended. */
  prompt(message: MessageRequest): Promise<PromptResponse>;
  /** Stops following. */
  leave(): void;
}

export interface ConversationParts {
  session: Session;
  log: EventLog;
  client: AgentContext;
  asking: Asking;
  view: View;
  /** The session was deleted. */
  onEnd(): void;
}

/** Follows a session from its present state on; what is open in it is asked for again. */
export function follow({ session, log, client, asking, view, onEnd }: ConversationParts): Conversation {
  log.flush();
  let state: SessionState = session.state;
  let turn: PromiseWithResolvers<PromptResponse> | null = null;
  /** Whether the events that are coming are those of the message being posted here. */
  let posting = false;
  /** The error that was the last thing the agent said in this turn. */
  let failure: ErrorData | null = null;

  const sessionId = session.id;
  const notify = (method: string, params: Record<string, unknown>) =>
    void client.notify(method, params).catch(() => {});

  function handle(event: UniversalEvent): void {
    const before = state;
    state = foldEvent(state, event);
    const updates = isOwnMessage(event) ? [] : updatesOf(before, state, event, view);
    for (const update of updates) notify("session/update", { sessionId, update });
    react(event);
  }

  /** A client knows what it has sent itself. */
  function isOwnMessage(event: UniversalEvent): boolean {
    return posting && event.type === "item.started" && event.data.item.role === "user";
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
        return settle(turnEnd(event, failure, session.info().agent));
      case "session.ended": {
        const { reason, message } = event.data;
        notify("_sandboxagent/session/ended", { sessionId, reason, ...(message && { message }) });
        return settle(sessionEnd(event, session.info().agent));
      }
    }
  }

  function settle(end: PromptResponse | RequestError): void {
    const ended = turn;
    turn = null;
    if (end instanceof RequestError) ended?.reject(end);
    else ended?.resolve(end);
  }

  /** After a whole batch, since the daemon may have answered a request by itself. */
  function askFor(known: SessionState): void {
    for (const permission of state.permissions)
      if (!known.permissions.includes(permission)) asking.permission(permission);
    for (const question of state.questions) if (!known.questions.includes(question)) asking.question(question);
  }

  const leave = log.feed.subscribe(session.number, {
    deliver({ records }) {
      const known = state;
      for (const { sequence, text } of records) if (sequence > state.sequence) handle(JSON.parse(text));
      askFor(known);
    },
    end() {
      settle(new RequestError(-32002, `session "${sessionId}" was deleted`));
      onEnd();
    },
  });
  askFor({ ...state, permissions: [], questions: [] });

  return {
    session,
    view,
    get prompting() {
      return turn !== null;
    },
    async prompt(message) {
      if (turn) throw new ProblemError("conflict", "a prompt of this session is running; wait for it or cancel it");
      const own = Promise.withResolvers<PromptResponse>();
      turn = own;
      posting = true;
      // The turn's first events come while this runs, before it returns.
      const posted = session.post({ ...message, delivery: "reject" }, null);
      posting = false;
      await posted.catch((error) => {
        turn = null;
        own.reject(error);
      });
      return own.promise;
    },
    leave() {
      leave();
      asking.leave();
      settle(new RequestError(-32603, "the ACP server was closed"));
    },
  };
}
