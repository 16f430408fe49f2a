/**
 * A page that nobody sees lets its session's stream go: browsers allow six connections to a daemon, for all tabs together.
 * Coming back takes the stream up where it was left.
 */
import type { Session } from "sandbox-agent";

/** Returns what ends it, and the stream with it. */
export function followWhileSeen(session: Session): () => void {
  let unlisten = () => {};
  const look = () => {
    unlisten();
    if (document.hidden) session.close();
    // Whoever begins to listen takes it up for all who listen.
    else unlisten = session.on("event", () => {});
  };
  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    unlisten();
    session.close();
  };
}
