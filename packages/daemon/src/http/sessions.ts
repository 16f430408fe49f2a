/** Sessions as a resource. */
import { transcriptResponse } from "@sandbox-agent/schema";
import { readTranscript } from "../session/read-transcript.ts";
import { waitFor } from "../session/wait.ts";
import type { HttpContext } from "./context.ts";
import type { Handlers } from "./router.ts";

type SessionHandlers = Pick<
  Handlers,
  | "listSessions"
  | "createSession"
  | "getSession"
  | "updateSession"
  | "forkSession"
  | "deleteSession"
  | "terminateSession"
  | "getTranscript"
  | "waitForSession"
>;

const defaultWaitMs = 30_000;
const maxWaitMs = 600_000;

export function sessionHandlers(context: HttpContext): SessionHandlers {
  const { sessions, log } = context;
  return {
    listSessions: () => ({ sessions: sessions.list() }),
    async createSession({ params, body }) {
      const session = await sessions.create(params.session_id, body);
      return { healthy: true, nativeSessionId: session.state.nativeSessionId };
    },
    getSession: ({ params }) => sessions.get(params.session_id).info(),
    updateSession: ({ params, body }) => sessions.update(params.session_id, body),
    async deleteSession({ params }) {
      await sessions.delete(params.session_id);
      return undefined;
    },
    async terminateSession({ params }) {
      await sessions.get(params.session_id).terminate();
      return undefined;
    },
    async forkSession({ params, body: { sessionId, ...change } }) {
      const fork = await sessions.fork(params.session_id, sessionId ?? Bun.randomUUIDv7(), change);
      return fork.info();
    },
    getTranscript({ params }) {
      const session = sessions.get(params.session_id);
      return readTranscript(context, session, (transcript) => transcriptResponse(session.id, transcript));
    },
    async waitForSession({ params, query, request }) {
      const session = sessions.get(params.session_id);
      const timeoutMs = Math.min(query.timeout_ms ?? defaultWaitMs, maxWaitMs);
      const signal = AbortSignal.any([request.signal, sessions.stopping]);
      const reached = await waitFor(session, log, query.until ?? ["idle"], timeoutMs, signal);
      // The session may have been deleted meanwhile, or the daemon be stopping.
      return { reached, session: sessions.get(params.session_id).info() };
    },
  };
}
