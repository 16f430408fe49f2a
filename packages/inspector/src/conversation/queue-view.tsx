/** Messages that are queued behind the running turn. */
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
          {/* Its turn may have started already; then cancelling fails and the message leaves the list. */}
          <Allowed scope="prompt">
            <IconButton small label="Remove from queue" onClick={() => void session.cancel(messageId).catch(() => {})}>
              <X />
            </IconButton>
          </Allowed>
        </li>
      ))}
    </ul>
  );
}
