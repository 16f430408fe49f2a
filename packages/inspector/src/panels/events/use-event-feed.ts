/** The live events of a session. */
import { useEffect, useState, useSyncExternalStore } from "react";
import type { Session, UniversalEvent } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import { type EventFeed, followEvents } from "./event-feed.ts";

const none: readonly UniversalEvent[] = [];
const noSubscription = () => () => {};

export function useEventFeed(session: Session): { events: readonly UniversalEvent[]; failure: unknown } {
  const client = useClient();
  const [feed, setFeed] = useState<EventFeed | null>(null);
  useEffect(() => {
    const opened = followEvents(client, session);
    setFeed(opened);
    return () => opened.close();
  }, [client, session]);
  const events = useSyncExternalStore(feed?.subscribe ?? noSubscription, () => feed?.events() ?? none);
  const failure = useSyncExternalStore(feed?.subscribe ?? noSubscription, () => feed?.failure() ?? null);
  return { events, failure };
}
