/** The status of a session as a coloured dot. */
import type { SessionStatus } from "sandbox-agent";
import { classNames } from "../design/index.ts";
import styles from "./sessions.module.css";

const meanings: Record<SessionStatus, string> = {
  idle: "Idle",
  running: "Running",
  waiting: "Waiting for you",
  ended: "Ended",
};

export function StatusDot({ status }: { status: SessionStatus }) {
  return <span className={classNames(styles.dot, styles[status])} role="img" aria-label={meanings[status]} />;
}
