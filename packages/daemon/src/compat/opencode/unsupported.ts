/** What OpenCode can do and its sessions here cannot: answered plainly, and told to those who have the session open. */
import { ProblemError } from "@sandbox-agent/schema";
import type { OpenCodeContext } from "./context.ts";
import { shownId } from "./ids.ts";
import { factsOf } from "./messages.ts";
import type { OpenCodeCall, OpenCodeRoutes } from "./router.ts";

const ofSessions = {
  "POST /session/:sessionID/share": "sharing sessions is not supported",
  "DELETE /session/:sessionID/share": "sharing sessions is not supported",
  "POST /session/:sessionID/summarize": "compacting is left to the agent; try its own command for it",
  "POST /session/:sessionID/shell": "running a shell command in a session is not supported; ask the agent",
  "DELETE /session/:sessionID/message/:messageID": "messages cannot be deleted: the log is kept as it is",
};

export function unsupportedRoutes({ sessions, drafts, announcements }: OpenCodeContext): OpenCodeRoutes {
  const refusing = (message: string) => (call: OpenCodeCall) => {
    const id = call.param("sessionID");
    const directory = drafts.find(id)?.directory ?? factsOf(sessions.get(id).info()).directory;
    announcements.fail(directory, shownId(id), message);
    throw new ProblemError("invalid_request", message);
  };
  return Object.fromEntries(Object.entries(ofSessions).map(([route, message]) => [route, refusing(message)]));
}
