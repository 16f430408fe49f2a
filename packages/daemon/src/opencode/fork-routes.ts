/** Sessions that begin with what was said in another. */
import * as z from "zod";
import { forkTitle } from "../session/fork.ts";
import { type DoorContext, exchangeOf } from "./context.ts";
import { announceDraft, draftView } from "./drafts.ts";
import { newSessionId } from "./ids.ts";
import type { DoorRoutes } from "./router.ts";
import { sessionView } from "./session-view.ts";

const Fork = z.object({ messageID: z.string().optional() });

export function forkRoutes(context: DoorContext): DoorRoutes {
  const { sessions, drafts, announcements } = context;
  return {
    /** The message that is named is the first that the fork does not have: its client lets people say it differently. */
    async "POST /session/:sessionID/fork"(call) {
      const id = call.param("sessionID");
      const { messageID } = await call.body(Fork);
      const draft = drafts.find(id);
      if (draft) {
        const { directory, title, agentMode, permissionMode, model } = draft;
        const fork = drafts.add({ directory, title: forkTitle(title), agentMode, permissionMode, model });
        announceDraft(announcements, fork, "session.created", "session.updated");
        return draftView(fork);
      }
      const before = messageID === undefined ? null : await exchangeOf(context, sessions.get(id), messageID);
      const fork = await sessions.fork(id, newSessionId(), before ? { lastTurn: before.turn - 1 } : {});
      return sessionView(fork.info());
    },
  };
}
