/** Routes of OpenCode that are not supported here: they fail, and clients that have the session open get a notice. */
import { ProblemError } from "@sandbox-agent/schema";
import type { OpenCodeContext } from "./context.ts";
import { toOpenCodeId } from "./ids.ts";
import { factsOf } from "./messages.ts";
import type { OpenCodeCall, OpenCodeRoutes } from "./router.ts";

const messages = {
  "POST /session/:sessionID/share": "sharing sessions is not supported",
  "DELETE /session/:sessionID/share": "sharing sessions is not supported",
  "POST /session/:sessionID/summarize": "compacting a session is not supported; use the agent's own command for it",
  "POST /session/:sessionID/shell":
    "running a shell command in a session is not supported; ask the agent to run it, or use a terminal",
  "DELETE /session/:sessionID/message/:messageID": "deleting a message is not supported: the log is append-only",
};

export function unsupportedRoutes({ sessions, drafts, announcements }: OpenCodeContext): OpenCodeRoutes {
  const reject = (message: string) => (call: OpenCodeCall) => {
    const id = call.param("sessionID");
    const directory = drafts.find(id)?.directory ?? factsOf(sessions.get(id).info()).directory;
    announcements.fail(directory, toOpenCodeId(id), message);
    throw new ProblemError("invalid_request", message);
  };
  return Object.fromEntries(Object.entries(messages).map(([route, message]) => [route, reject(message)]));
}
