/** Sessions as a resource. */
import { resolve } from "node:path";
import { ProblemError, transcriptResponse } from "@sandbox-agent/schema";
import { authorizeSettings, requireSession } from "../access/authorize.ts";
import { mayUseSession } from "../access/principal.ts";
import { readTranscript } from "../session/read-transcript.ts";
import { waitFor } from "../session/wait.ts";
import { jsonList } from "../slices.ts";
import type { HttpContext } from "./context.ts";
import { jsonText } from "./json-text.ts";
import type { Handlers } from "./router.ts";

const defaultWaitMs = 30_000;
const maxWaitMs = 600_000;

export function sessionHandlers(context: HttpContext) {
  const { sessions, log } = context;
  return {
    async listSessions({ query, principal }) {
      const listed = sessions.list({
        agent: query.agent,
        directory: query.directory && resolve(query.directory),
        statuses: query.status,
        before: query.cursor === undefined ? undefined : numberIn(query.cursor),
      });
      const texts: string[] = [];
      let last = 0;
      let nextCursor: string | undefined;
      for await (const { number, info } of listed) {
        if (!mayUseSession(principal, info.sessionId)) continue;
        if (texts.length === query.limit) {
          nextCursor = cursorAt(last);
          break;
        }
        texts.push(JSON.stringify(info));
        last = number;
      }
      // Each session is serialized in the slice that read it, because serializing a long list at once blocks the loop.
      const more = nextCursor === undefined ? "" : `,"nextCursor":"${nextCursor}"`;
      return jsonText(`{"sessions":[${texts.join(",")}]${more}}`);
    },
    async createSession({ params, body, principal }) {
      authorizeSettings(principal, body);
      const session = await sessions.create(params.session_id, body);
      return { healthy: true, nativeSessionId: session.state.nativeSessionId };
    },
    getSession: ({ params }) => sessions.get(params.session_id).info(),
    updateSession({ params, body, principal }) {
      authorizeSettings(principal, body);
      return sessions.update(params.session_id, body);
    },
    deleteSession: ({ params }) => sessions.delete(params.session_id),
    terminateSession: ({ params }) => sessions.get(params.session_id).terminate(),
    async forkSession({ params, body: { sessionId = Bun.randomUUIDv7(), ...change }, principal }) {
      requireSession(principal, sessionId);
      authorizeSettings(principal, change);
      const fork = await sessions.fork(params.session_id, sessionId, change);
      return fork.info();
    },
    async getTranscript({ params }) {
      const session = sessions.get(params.session_id);
      const response = await readTranscript(context, session, (transcript) =>
        transcriptResponse(session.id, transcript),
      );
      const items = await jsonList(response.items);
      const members = Object.entries(response).map(
        ([name, value]) => `"${name}":${name === "items" ? items : JSON.stringify(value)}`,
      );
      return jsonText(`{${members.join(",")}}`);
    },
    async waitForSession({ params, query, ...call }) {
      const session = sessions.get(params.session_id);
      const timeoutMs = Math.min(query.timeout_ms ?? defaultWaitMs, maxWaitMs);
      const signal = AbortSignal.any([call.signal, sessions.stopping]);
      const reached = await waitFor(session, log, query.until ?? ["idle"], timeoutMs, signal);
      // The session may have been deleted meanwhile, or the daemon may be stopping.
      return { reached, session: sessions.get(params.session_id).info() };
    },
  } satisfies Partial<Handlers>;
}

/** The cursor after the session with that number. Opaque to clients, so that its form can change. */
function cursorAt(number: number): string {
  return Buffer.from(`before ${number}`).toString("base64url");
}

function numberIn(cursor: string): number {
  const [, number] = /^before (\d{1,7})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (number !== undefined) return Number(number);
  throw new ProblemError("invalid_request", "cursor: must be the nextCursor of an earlier response");
}
