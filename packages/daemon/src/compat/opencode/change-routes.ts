/** What sessions changed in their files, with revert and redo, as the OpenCode API shows it. */
import { ProblemError, type SessionRevert } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Session } from "../../session/session.ts";
import { fileDiffs } from "./changes.ts";
import { exchangeOf, type OpenCodeContext } from "./context.ts";
import { factsOf } from "./messages.ts";
import type { OpenCodeCall, OpenCodeRoutes } from "./router.ts";
import { sessionView } from "./session-view.ts";
import type { OpenCodeSession, SnapshotFileDiff } from "./wire.ts";

const RevertRequest = z.object({ messageID: z.string() });

export function changeRoutes(context: OpenCodeContext): OpenCodeRoutes {
  const { sessions, drafts, announcements, diffs } = context;

  function restored(session: Session, revert: SessionRevert | null): OpenCodeSession {
    // A turn that started meanwhile clears the revert.
    if (!session.state.turn) session.recordRevert(revert);
    diffs.changed(session.id);
    return sessionView(session.info());
  }

  async function revert(session: Session, messageID: string): Promise<OpenCodeSession> {
    const { turn, messageId } = await exchangeOf(context, session, messageID);
    const changes = session.requireChanges();
    const checkpoints = await changes.listAll();
    const start = checkpoints.find((kept) => kept.reason === "turn_started" && kept.turn === turn);
    if (!start) throw new ProblemError("not_found", `there is no checkpoint of the files before message ${messageID}`);
    // After several reverts in a row, unrevert returns to the state before the first.
    const first = session.state.revert?.checkpointId;
    const { undo } = await changes.restore(start.checkpointId);
    return restored(session, { messageId, checkpointId: first ?? undo.checkpointId });
  }

  async function unrevert(session: Session): Promise<OpenCodeSession> {
    const reverted = session.state.revert;
    if (!reverted) return sessionView(session.info());
    await session.requireChanges().restore(reverted.checkpointId);
    return restored(session, null);
  }

  /** OpenCode's terminal interface does not show failed requests, so a notice is sent too. */
  async function orNotice(session: Session, work: () => Promise<OpenCodeSession>): Promise<OpenCodeSession> {
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
      // A session without a directory tracks no changes.
      if (!session.changes) return [];
      const messageId = call.query.get("messageID");
      const turn = messageId === null ? null : (await exchangeOf(context, session, messageId)).turn;
      return session.changes.diff(turn).then(fileDiffs, emptyIfUnavailable);
    },
    async "POST /session/:sessionID/revert"(call) {
      const session = requireSession(context, call);
      const { messageID } = await call.body(RevertRequest);
      return orNotice(session, () => revert(session, messageID));
    },
    async "POST /session/:sessionID/unrevert"(call) {
      const session = requireSession(context, call);
      return orNotice(session, () => unrevert(session));
    },
  };
}

/** Clients do not open a session whose diff request fails, so an unavailable diff is empty. */
function emptyIfUnavailable(error: unknown): SnapshotFileDiff[] {
  if (error instanceof ProblemError && error.kind === "checkpoints_unavailable") return [];
  throw error;
}

function requireSession({ sessions, drafts }: OpenCodeContext, call: OpenCodeCall): Session {
  const id = call.param("sessionID");
  if (drafts.find(id))
    throw new ProblemError("invalid_request", "this session has no messages yet, so there is nothing to revert");
  return sessions.get(id);
}
