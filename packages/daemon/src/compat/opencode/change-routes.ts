/** What sessions changed in their files, with revert and redo, as the OpenCode API shows it. */
import { ProblemError, type SessionRevert } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Session } from "../../session/session.ts";
import { fileDiffs } from "./changes.ts";
import { exchangeOf, type OpenCodeContext } from "./context.ts";
import { factsOf } from "./messages.ts";
import type { OpenCodeCall, OpenCodeRoutes } from "./router.ts";
import { sessionView } from "./session-view.ts";
import type { SessionShown, SnapshotFileDiff } from "./wire.ts";

const RevertRequest = z.object({ messageID: z.string() });

export function changeRoutes(context: OpenCodeContext): OpenCodeRoutes {
  const { sessions, drafts, announcements, diffs } = context;

  function tell(session: Session, revert: SessionRevert | null): SessionShown {
    // Somebody may have begun a turn meanwhile; its changes count.
    if (!session.state.turn) session.noteRevert(revert);
    diffs.changed(session.id);
    return sessionView(session.info());
  }

  async function revert(session: Session, messageID: string): Promise<SessionShown> {
    const { turn, messageId } = await exchangeOf(context, session, messageID);
    const changes = session.requireChanges();
    const checkpoints = await changes.listAll();
    const start = checkpoints.find((kept) => kept.reason === "turn_started" && kept.turn === turn);
    if (!start) throw new ProblemError("not_found", `the files before ${messageID} were not kept`);
    // Going back further still leads to where it all began.
    const first = session.state.revert?.checkpointId;
    const { undo } = await changes.restore(start.checkpointId);
    return tell(session, { messageId, checkpointId: first ?? undo.checkpointId });
  }

  async function unrevert(session: Session): Promise<SessionShown> {
    const lasting = session.state.revert;
    if (!lasting) return sessionView(session.info());
    await session.requireChanges().restore(lasting.checkpointId);
    return tell(session, null);
  }

  /** OpenCode's own interface shows nothing of a request that failed. */
  async function orNotice(session: Session, work: () => Promise<SessionShown>): Promise<SessionShown> {
    try {
      return await work();
    } catch (error) {
      const { id, directory } = factsOf(session.info());
      if (error instanceof ProblemError) announcements.fail(directory, id, error.message);
      throw error;
    }
  }

  return {
    async "GET /session/:sessionID/diff"(call): Promise<SnapshotFileDiff[]> {
      const id = call.param("sessionID");
      if (drafts.find(id)) return [];
      const session = sessions.get(id);
      // A session without a directory of its own has changed nothing that could be shown.
      if (!session.changes) return [];
      const messageId = call.query.get("messageID");
      const turn = messageId === null ? null : (await exchangeOf(context, session, messageId)).turn;
      return session.changes.diff(turn).then(fileDiffs, emptyIfUnavailable);
    },
    async "POST /session/:sessionID/revert"(call) {
      const session = spokenTo(context, call);
      const { messageID } = await call.body(RevertRequest);
      return orNotice(session, () => revert(session, messageID));
    },
    async "POST /session/:sessionID/unrevert"(call) {
      const session = spokenTo(context, call);
      return orNotice(session, () => unrevert(session));
    },
  };
}

/** Clients open a session only if they are told its diff: one that cannot be had is empty. */
function emptyIfUnavailable(error: unknown): SnapshotFileDiff[] {
  if (error instanceof ProblemError && error.kind === "checkpoints_unavailable") return [];
  throw error;
}

function spokenTo({ sessions, drafts }: OpenCodeContext, call: OpenCodeCall): Session {
  const id = call.param("sessionID");
  if (drafts.find(id)) throw new ProblemError("invalid_request", "nothing has been said in this session yet");
  return sessions.get(id);
}
