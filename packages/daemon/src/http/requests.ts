/** Permissions and questions: what is open, and the answers. */
import { pendingRequests } from "@sandbox-agent/schema";
import type { HttpContext } from "./context.ts";
import type { Handlers } from "./router.ts";

type RequestHandlers = Pick<Handlers, "getRequests" | "replyPermission" | "replyQuestion" | "rejectQuestion">;

export function requestHandlers({ sessions }: HttpContext): RequestHandlers {
  return {
    getRequests: ({ params }) => pendingRequests(sessions.get(params.session_id).state),
    async replyPermission({ params, body }) {
      await sessions.get(params.session_id).replyPermission(params.permission_id, body.reply);
      return undefined;
    },
    async replyQuestion({ params, body }) {
      await sessions.get(params.session_id).replyQuestion(params.question_id, body.answers);
      return undefined;
    },
    async rejectQuestion({ params }) {
      await sessions.get(params.session_id).replyQuestion(params.question_id, null);
      return undefined;
    },
  };
}
