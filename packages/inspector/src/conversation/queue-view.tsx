/** Messages that wait for the running turn. */
import { Clock, X } from "lucide-react";
import type { Session, TranscriptResponse } from "sandbox-agent";
import { Allowed } from "../app/access.tsx";
import { IconButton } from "../design/index.ts";
import styles from "./conversation.module.css";

export function QueueView({ session, queue }: { session: Session; queue: TranscriptResponse["queue"] }) {
  if (queue.length === 0) return null;
  return (
    <ul className={styles.queue} aria-label="Queued messages">
      {queue.map(({ messageId, message }) => (
        <li key={messageId}>
          <Clock aria-hidden />
          <span>{message}</span>
          {/* It may have become a turn meanwhile; then there is nothing to take back, and the list says so. */}
          <Allowed scope="prompt">
            <IconButton small label="Take back" onClick={() => void session.cancel(messageId).catch(() => {})}>
              <X />
            </IconButton>
          </Allowed>
        </li>
      ))}
    </ul>
  );
}
