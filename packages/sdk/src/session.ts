/** A session as an object. Uses only the methods of the client. */
import { transcriptResponse } from "@sandbox-agent/schema/transcript";
import type { Caller } from "./caller.ts";
import type { Methods } from "./generated/methods.ts";
import { followSession } from "./session-feed.ts";
import type { SendOptions, Session } from "./session-types.ts";
import type { CallOptions } from "./transport.ts";
import { promptTurn } from "./turn.ts";

/** Timeout of one request; it is repeated until the condition is reached. */
const waitMs = 30_000;

export function openSession(id: string, api: Caller, methods: Methods): Session {
  const feed = followSession(id, api, methods);

  async function post(message: string, { signal, headers, ...request }: SendOptions): Promise<{ messageId: string }> {
    const response = await api.response("postMessage", {
      path: { session_id: id },
      body: { ...request, message },
      ...(signal && { signal }),
      ...(headers && { headers }),
    });
    return { messageId: response.headers.get("x-message-id") ?? "" };
  }

  const session: Session = {
    id,
    prompt: (message, options = {}) => promptTurn(id, api, feed, message, options),
    send: (message, options = {}) => post(message, options),
    queue: (message, options = {}) => post(message, { ...options, delivery: "queue" }),
    steer: (message, options = {}) => post(message, { ...options, delivery: "steer" }),
    cancel: (messageId, options) => methods.cancelMessage(id, messageId, options),
    abort: (options) => methods.abortTurn(id, options),

    on: feed.on,
    events: ({ offset = 0, includeRaw = false, ...options } = {}) =>
      methods.streamEvents(id, { offset, include_raw: includeRaw }, options),
    transcript: () => transcriptResponse(id, feed.transcript),
    async refresh(options) {
      await feed.refresh(options);
      return session.transcript();
    },

    requests: (options) => methods.getRequests(id, options),
    replyPermission: (permissionId, reply, options) => methods.replyPermission(id, permissionId, { reply }, options),
    replyQuestion: (questionId, answers, options) => methods.replyQuestion(id, questionId, { answers }, options),
    rejectQuestion: (questionId, options) => methods.rejectQuestion(id, questionId, options),

    wait: (until = "idle", options) => waitFor(id, methods, [until].flat().join(","), options),
    info: (options) => methods.getSession(id, options),
    update: (change, options) => methods.updateSession(id, change, options),
    terminate: (options) => methods.terminateSession(id, options),
    async delete(options) {
      feed.close();
      await methods.deleteSession(id, options);
    },
    close: feed.close,
  };
  return session;
}

async function waitFor(id: string, methods: Methods, until: string, options?: CallOptions) {
  for (;;) {
    const { reached, session } = await methods.waitForSession(id, { until, timeout_ms: waitMs }, options);
    if (reached !== null) return { reached, session };
  }
}
