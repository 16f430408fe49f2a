/** One event as stored, and on request the raw agent message it was made from. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "lucide-react";
import { useState } from "react";
import type { UniversalEvent } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import { CodeBlock } from "../../conversation/code-block.tsx";
import { CopyButton, copyText, IconButton, Spinner, Tabs } from "../../design/index.ts";
import { Detail, Failure } from "../frame/panel.tsx";
import styles from "./events.module.css";

interface Props {
  event: UniversalEvent;
  /** Path that opens this event. */
  link: string;
  onClose(): void;
}

export function EventDetail({ event, link, onClose }: Props) {
  const [view, setView] = useState("event");
  const text = JSON.stringify(event, null, 2);
  const actions = (
    <>
      <CopyButton text={text} label="Copy event" />
      <IconButton label="Copy link to event" small onClick={() => copyText(new URL(link, location.href).href)}>
        <Link />
      </IconButton>
    </>
  );
  return (
    <Detail title={`#${event.sequence} ${event.type}`} actions={actions} onClose={onClose}>
      <Tabs
        label="Event views"
        value={view}
        onChange={setView}
        tabs={[
          { id: "event", title: "Event", content: <Payload text={text} label="Event" /> },
          { id: "raw", title: "Raw agent message", content: <RawMessage event={event} /> },
        ]}
      />
    </Detail>
  );
}

function Payload({ text, label }: { text: string; label: string }) {
  return (
    <div className={styles.payload}>
      <CodeBlock text={text} language="json" label={label} />
    </div>
  );
}

function RawMessage({ event: { session_id, sequence } }: { event: UniversalEvent }) {
  const client = useClient();
  const { data, error, isPending } = useQuery({
    queryKey: ["raw event", session_id, sequence],
    queryFn: ({ signal }) =>
      client.getEvents(session_id, { offset: sequence - 1, limit: 1, include_raw: true }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isPending) return <Spinner />;
  if (error) return <Failure error={error} />;
  const raw = data.events[0]?.raw;
  if (raw === undefined || raw === null) {
    return <p className={styles.payload}>This event has no raw agent message.</p>;
  }
  return <Payload text={JSON.stringify(raw, null, 2)} label="Raw agent message" />;
}
