/** Messages to a session: send, stream the answer, cancel, abort. */
import { resolve } from "node:path";
import { type MessageRequest, ProblemError } from "@sandbox-agent/schema";
import { requireScope } from "../access/authorize.ts";
import { hasScope, type Principal } from "../access/principal.ts";
import { sessionRoot } from "../access/session-root.ts";
import { atPlace } from "../files/place.ts";
import type { HttpContext } from "./context.ts";
import { turnFrames } from "./frame-sources.ts";
import { logHeader, sessionLogId } from "./log-cursor.ts";
import type { Handlers } from "./router.ts";

export function messageHandlers(context: HttpContext) {
  const { sessions, streams, log, root, privateFiles } = context;

  /** Agents read the files that a message names, so its sender must be allowed to read them. */
  async function authorizeAttachments(
    principal: Principal,
    sessionId: string,
    { attachments = [] }: MessageRequest,
  ): Promise<void> {
    if (attachments.length === 0) return;
    requireScope(principal, "read", "a message with attachments");
    if (hasScope(principal, "admin")) return;
    const { directory } = sessions.get(sessionId).info();
    if (!directory && principal.sessions)
      throw new ProblemError("permission_denied", "this token is for sessions with a directory only");
    const others = [...(principal.sessions ?? [])].flatMap((id) => sessions.peek(id)?.directory ?? []);
    const reachable = directory && principal.sessions ? sessionRoot(root, directory, others) : root;
    for (const { path } of attachments)
      await atPlace(reachable, resolve(directory ?? ".", path), { follow: true }, (place) =>
        privateFiles.check(principal, place.path, "one"),
      );
  }

  return {
    async postMessage({ request, params, body, principal }) {
      await authorizeAttachments(principal, params.session_id, body);
      const { messageId } = await sessions.get(params.session_id).post(body, idempotencyKey(request));
      return new Response(null, { status: 204, headers: { "x-message-id": messageId } });
    },
    async postMessageStream({ request, signal, connection, params, query, body, principal }) {
      await authorizeAttachments(principal, params.session_id, body);
      const session = sessions.get(params.session_id);
      const posted = await session.post(body, idempotencyKey(request));
      const source = turnFrames(context, session.number, posted, query.include_raw ?? false);
      return streams.open({ signal, connection }, source, posted.afterSequence, {
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
