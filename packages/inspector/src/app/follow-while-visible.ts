/**
 * Closes the session's stream while the page is hidden, because browsers allow six connections to a daemon for all tabs together.
 * When the page is visible again, the stream resumes after the last event.
 */
import type { Session } from "sandbox-agent";

/** Returns a function that stops following and closes the stream. */
export function followWhileVisible(session: Session): () => void {
  let unlisten = () => {};
  const update = () => {
    unlisten();
    if (document.hidden) session.close();
    // A new listener opens the stream again, for all listeners.
    else unlisten = session.on("event", () => {});
  };
  update();
  document.addEventListener("visibilitychange", update);
  return () => {
    document.removeEventListener("visibilitychange", update);
    unlisten();
    session.close();
  };
}
