/** The events panel: lists the events of the session, filters them, follows new ones and shows the selected one in full. */
import { ArrowDownToLine, ListTree } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { Session } from "sandbox-agent";
import { useEventLink } from "../../app/event-link.ts";
import { useSession } from "../../app/session-context.tsx";
import { Button, EmptyState, Input } from "../../design/index.ts";
import { Failure, Panel, panelStyles, Split } from "../frame/panel.tsx";
import { EventDetail } from "./event-detail.tsx";
import { type EventKind, eventKinds } from "./event-line.ts";
import { EventList } from "./event-list.tsx";
import styles from "./events.module.css";
import { filterEvents } from "./filter-events.ts";
import { useEventFeed } from "./use-event-feed.ts";

export default function EventsPanel() {
  const { session } = useSession();
  if (session) return <SessionEvents key={session.id} session={session} />;
  return (
    <EmptyState icon={ListTree} title="No session">
      Select a session to see its events.
    </EmptyState>
  );
}

function SessionEvents({ session }: { session: Session }) {
  const { events, failure } = useEventFeed(session);
  const eventLink = useEventLink();
  const [search, setSearch] = useState("");
  const [hiddenKinds, setHiddenKinds] = useState<ReadonlySet<EventKind>>(new Set());
  const [selected, select] = useState(eventLink.sequence);
  const [following, follow] = useState(eventLink.sequence === null);
  const shown = useMemo(() => filterEvents(events, search, hiddenKinds), [events, search, hiddenKinds]);
  const event = events.find(({ sequence }) => sequence === selected);

  // The URL now points to another event.
  useEffect(() => {
    if (eventLink.sequence === null) return;
    select(eventLink.sequence);
    follow(false);
  }, [eventLink.sequence]);

  const toggleKind = (kind: EventKind) => {
    const next = new Set(hiddenKinds);
    if (!next.delete(kind)) next.add(kind);
    setHiddenKinds(next);
  };
  const selectEvent = (sequence: number) => {
    select(sequence);
    follow(false);
  };

  const toolbar = (
    <>
      <Input
        className={panelStyles.grow}
        type="search"
        placeholder="Filter events"
        aria-label="Filter events"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <Button small aria-pressed={following} className={styles.toggle} onClick={() => follow(!following)}>
        <ArrowDownToLine /> Follow
      </Button>
      <span className={panelStyles.faint} role="status">
        {shown.length === events.length ? "" : `${shown.length} of `}
        {events.length} {events.length === 1 ? "event" : "events"}
      </span>
      <fieldset className={styles.kinds}>
        <legend className={styles.visuallyHidden}>Event kinds</legend>
        {eventKinds.map((kind) => (
          <button
            key={kind}
            type="button"
            className={styles.kind}
            data-kind={kind}
            aria-pressed={!hiddenKinds.has(kind)}
            onClick={() => toggleKind(kind)}
          >
            {kind}
          </button>
        ))}
      </fieldset>
    </>
  );

  return (
    <Panel toolbar={toolbar}>
      <Failure error={failure} />
      <Split>
        <EventList
          events={shown}
          selected={selected}
          following={following}
          onSelect={selectEvent}
          onScrollBack={() => follow(false)}
        />
        {event && <EventDetail event={event} link={eventLink.link(event.sequence)} onClose={() => select(null)} />}
      </Split>
    </Panel>
  );
}
