/** Permissions and questions: lists open requests and takes replies. */
import { pendingRequests } from "@sandbox-agent/schema";
import type { HttpContext } from "./context.ts";
import type { Handlers } from "./router.ts";

export function requestHandlers({ sessions }: HttpContext) {
  return {
    getRequests: ({ params }) => pendingRequests(sessions.get(params.session_id).state),
    replyPermission: ({ params, body }) =>
      sessions.get(params.session_id).replyPermission(params.permission_id, body.reply),
    replyQuestion: ({ params, body }) =>
      sessions.get(params.session_id).replyQuestion(params.question_id, body.answers),
    rejectQuestion: ({ params }) => sessions.get(params.session_id).replyQuestion(params.question_id, null),
  } satisfies Partial<Handlers>;
}
