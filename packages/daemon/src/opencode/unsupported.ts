/** What OpenCode can do and its sessions here cannot: answered plainly, and told to those who have the session open. */
import { ProblemError } from "@sandbox-agent/schema";
import type { DoorContext } from "./context.ts";
import { shownId } from "./ids.ts";
import { factsOf } from "./messages.ts";
import type { DoorCall, DoorHandler, DoorRoutes } from "./router.ts";

const ofSessions = {
  "POST /session/:sessionID/share": "sharing sessions is not supported",
  "DELETE /session/:sessionID/share": "sharing sessions is not supported",
  "POST /session/:sessionID/summarize": "compacting is left to the agent; try its own command for it",
  "POST /session/:sessionID/shell": "running a shell command in a session is not supported; ask the agent",
  "DELETE /session/:sessionID/message/:messageID": "messages cannot be deleted: the log is kept as it is",
};

/** Parts of the daemon that the door does not lead to yet. */
const ofServer = {
  "GET /find/symbol": "searching symbols",
  "GET /file/status": "the status of files",
};

export function unsupportedRoutes(context: DoorContext): DoorRoutes {
  const sessionRoutes = Object.entries(ofSessions).map(([route, message]) => [route, refusing(context, message)]);
  const serverRoutes = Object.entries(ofServer).map(([route, what]) => [
    route,
    () => refuse(`${what} is not supported`),
  ]);
  return { ...Object.fromEntries(sessionRoutes), ...Object.fromEntries(serverRoutes) };
}

function refusing({ sessions, drafts, announcements }: DoorContext, message: string): DoorHandler {
  return (call: DoorCall) => {
    const id = call.param("sessionID");
    const directory = drafts.find(id)?.directory ?? factsOf(sessions.get(id).info()).directory;
    announcements.fail(directory, shownId(id), message);
    refuse(message);
  };
}

function refuse(message: string): never {
  throw new ProblemError("invalid_request", message);
}
