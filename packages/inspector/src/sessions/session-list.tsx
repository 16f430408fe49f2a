/** The sessions of the daemon with search, status and cost. */
import { useQuery } from "@tanstack/react-query";
import { Plus, Search } from "lucide-react";
import { type MouseEvent, useState } from "react";
import type { SessionInfo } from "sandbox-agent";
import { useClient } from "../app/connection.tsx";
import { sessionPath } from "../app/event-link.ts";
import { failureText } from "../app/failure-text.ts";
import { Button, classNames, EmptyState, Input, Notice, Spinner } from "../design/index.ts";
import { ago, cost, tokens } from "./format.ts";
import { matches } from "./match.ts";
import styles from "./sessions.module.css";
import { StatusDot } from "./status-dot.tsx";

const refreshMs = 3000;
const pageSize = 100;

export interface SessionListProps {
  selected: string | null;
  onSelect: (id: string) => void;
  /** Null if the token does not allow it. */
  onCreate: (() => void) | null;
}

export function SessionList({ selected, onSelect, onCreate }: SessionListProps) {
  const client = useClient();
  const [search, setSearch] = useState("");
  const [shown, setShown] = useState(pageSize);
  const { data, error } = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => client.listSessions({}, { signal }),
    refetchInterval: refreshMs,
  });
  const found = (data?.sessions ?? []).filter((session) => matches(session, search));

  return (
    <div className={styles.list}>
      <div className={styles.tools}>
        {onCreate && (
          <Button look="primary" onClick={onCreate}>
            <Plus /> New session
          </Button>
        )}
        <div className={styles.search}>
          <Search aria-hidden />
          <Input
            id="session-search"
            type="search"
            aria-label="Search sessions"
            placeholder="Search"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        </div>
      </div>
      {error && !data && <Notice tone="bad">{failureText(error)}</Notice>}
      {!data && !error && (
        <EmptyState title="">
          <Spinner />
        </EmptyState>
      )}
      {data && found.length === 0 && (
        <EmptyState title={search ? "No matching sessions" : "No sessions yet"}>
          {!search && onCreate && <p>A session is a conversation with an agent. Start one with “New session”.</p>}
        </EmptyState>
      )}
      <ul className={styles.rows}>
        {found.slice(0, shown).map((session) => (
          <SessionRow
            key={session.sessionId}
            session={session}
            selected={session.sessionId === selected}
            onSelect={onSelect}
          />
        ))}
      </ul>
      {found.length > shown && (
        <Button look="ghost" onClick={() => setShown(shown + pageSize)}>
          Show more ({found.length - shown})
        </Button>
      )}
    </div>
  );
}

interface SessionRowProps {
  session: SessionInfo;
  selected: boolean;
  onSelect: (id: string) => void;
}

function SessionRow({ session, selected, onSelect }: SessionRowProps) {
  const { sessionId, title, agent, status, usage, updatedAt } = session;
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onSelect(sessionId);
  };
  const href = `${import.meta.env.BASE_URL.replace(/\/$/, "")}${sessionPath(sessionId)}`;
  return (
    <li>
      <a
        className={classNames(styles.row, selected && styles.selected)}
        href={href}
        onClick={open}
        aria-current={selected ? "page" : undefined}
      >
        <span className={styles.rowTitle}>
          <StatusDot status={status} />
          <span className={styles.name}>{title ?? sessionId}</span>
          <span className={styles.when}>{ago(updatedAt)}</span>
        </span>
        <span className={styles.rowDetail}>
          <span>{agent}</span>
          {session.model && session.model !== agent && <span className={styles.name}>{session.model}</span>}
          <span className={styles.figures}>{figures(usage)}</span>
        </span>
      </a>
    </li>
  );
}

function figures({ input_tokens = 0, output_tokens = 0, cost_usd }: SessionInfo["usage"]): string {
  const all = input_tokens + output_tokens;
  return [all > 0 ? `${tokens(all)} tok` : "", cost_usd === undefined ? "" : cost(cost_usd)]
    .filter(Boolean)
    .join(" · ");
}
