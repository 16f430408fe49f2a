/** Messages to a session: sending, streaming the answer, taking back, aborting. */
import { ProblemError } from "@sandbox-agent/schema";
import type { HttpContext } from "./context.ts";
import { turnFrames } from "./frame-sources.ts";
import { logHeader, sessionLogId } from "./log-cursor.ts";
import type { Handlers } from "./router.ts";

export function messageHandlers(context: HttpContext) {
  const { sessions, streams, log } = context;
  return {
    async postMessage({ request, params, body }) {
      const { messageId } = await sessions.get(params.session_id).post(body, idempotencyKey(request));
      return new Response(null, { status: 204, headers: { "x-message-id": messageId } });
    },
    async postMessageStream({ request, signal, params, query, body }) {
      const session = sessions.get(params.session_id);
      const posted = await session.post(body, idempotencyKey(request));
      const source = turnFrames(context, session.number, posted, query.include_raw ?? false);
      return streams.open({ signal }, source, posted.afterSequence, {
        "x-message-id": posted.messageId,
        [logHeader]: sessionLogId(log, session.number),
      });
    },
    cancelMessage: ({ params }) => sessions.get(params.session_id).cancelMessage(params.message_id),
    abortTurn: ({ params }) => sessions.get(params.session_id).abort(),
  } satisfies Partial<Handlers>;
}

function idempotencyKey(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key !== null && (key === "" || key.length > 255))
    throw new ProblemError("invalid_request", "Idempotency-Key must have 1 to 255 characters");
  return key;
}
