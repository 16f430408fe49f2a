/** The stored conversation of a session, read page by page so that a long one does not hold up the others. */
import { applyEvent, emptyTranscript, type Transcript } from "@sandbox-agent/schema";
import { pause } from "../slices.ts";
import type { SessionContext } from "./context.ts";
import type { Session } from "./session.ts";

/** `then` runs at the very end of the log: what it begins to follow there misses no event and sees none twice. */
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
  // The totals and what is open also count events that retention has removed.
  transcript.state = session.state;
  return then(transcript);
}
