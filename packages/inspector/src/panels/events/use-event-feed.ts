/** The events of the session that is shown, as they come. */
import { useEffect, useState, useSyncExternalStore } from "react";
import type { Session, UniversalEvent } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import { type EventFeed, followEvents } from "./event-feed.ts";

const none: readonly UniversalEvent[] = [];
const silent = () => () => {};

export function useEventFeed(session: Session): { events: readonly UniversalEvent[]; failure: unknown } {
  const client = useClient();
  const [feed, setFeed] = useState<EventFeed | null>(null);
  useEffect(() => {
    const opened = followEvents(client, session);
    setFeed(opened);
    return () => opened.close();
  }, [client, session]);
  const events = useSyncExternalStore(feed?.subscribe ?? silent, () => feed?.events() ?? none);
  const failure = useSyncExternalStore(feed?.subscribe ?? silent, () => feed?.failure() ?? null);
  return { events, failure };
}
