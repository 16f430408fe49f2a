/** Reads the stored conversation of a session page by page, so that a long one does not block other requests. */
import { applyEvent, emptyTranscript, type Transcript } from "@sandbox-agent/schema";
import { pause } from "../slices.ts";
import type { SessionContext } from "./context.ts";
import type { Session } from "./session.ts";

/** `then` runs synchronously at the end of the log: a subscription made in it misses no event and gets none twice. */
export async function readTranscript<T>(
  { log, history }: Pick<SessionContext, "log" | "history">,
  session: Session,
  then: (transcript: Transcript) => T,
): Promise<T> {
  const transcript = emptyTranscript();
  for (;;) {
    log.flush();
    const records = history.page(session.number, transcript.state.sequence);
    if (records.length === 0) break;
    for (const { text } of records) applyEvent(transcript, JSON.parse(text));
    await pause();
  }
  // The session's own state also counts events that retention has removed.
  transcript.state = session.state;
  return then(transcript);
}
