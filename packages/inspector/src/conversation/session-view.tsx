/** A session: its header, its conversation and the message field. */
import { useEffect, useMemo } from "react";
import type { Session, SessionInfo, SessionStatus } from "sandbox-agent";
import { Allowed, useHasScope, useMayAttach } from "../app/access.tsx";
import { useEventLink } from "../app/event-link.ts";
import { failureText } from "../app/failure-text.ts";
import { useConversation, useSession } from "../app/session-context.tsx";
import { Badge, EmptyState, Notice, Spinner } from "../design/index.ts";
import { cost, tokens } from "../sessions/format.ts";
import { SessionMenu } from "../sessions/session-menu.tsx";
import { Composer } from "./composer.tsx";
import styles from "./conversation.module.css";
import { ConversationList } from "./conversation-list.tsx";
import { DropZone } from "./drop-zone.tsx";
import { OpenStates } from "./open-state.tsx";
import { QueueView } from "./queue-view.tsx";
import { rowsOf } from "./rows.ts";
import { titleOf } from "./title-of.ts";
import { useAttachments } from "./use-attachments.ts";

export function SessionView({ onGone }: { onGone: () => void }) {
  const { session, info } = useSession();
  return session && <OpenSession session={session} info={info} onGone={onGone} />;
}

interface OpenSessionProps {
  session: Session;
  info: SessionInfo | null;
  onGone: () => void;
}

function OpenSession({ session, info, onGone }: OpenSessionProps) {
  const conversation = useConversation();
  const { sequence } = useEventLink();
  const attachments = useAttachments();
  const rows = useMemo(() => rowsOf(conversation), [conversation]);
  const behind = info ? info.lastSequence - conversation.lastSequence : null;
  const mayPrompt = useHasScope("prompt");
  const mayAttach = useMayAttach();
  const loaded = behind !== null && behind <= 0;
  // A session without a title is listed by its id, so the first message becomes its title.
  const setTitleFrom = (message: string) => {
    if (info?.title === null && conversation.turns.length === 0)
      void session.update({ title: titleOf(message) }).catch(() => {});
  };
  useDocumentTitle(info);
  return (
    <DropZone onFiles={mayAttach ? attachments.add : ignoreFiles}>
      {info && <Head session={session} info={info} status={conversation.status} onGone={onGone} />}
      {conversation.closed !== null && (
        <Notice tone="bad">Live updates have stopped: {failureText(conversation.closed)}</Notice>
      )}
      {rows.length === 0 && conversation.closed === null ? (
        <div className={styles.listPlace}>
          {loaded ? (
            <EmptyState title="No messages yet">
              <p>
                {mayPrompt && "Write a message below."}
                {mayPrompt && info?.agent === "mock" && " Try “help” or “demo” with the mock agent."}
              </p>
            </EmptyState>
          ) : (
            <EmptyState title="">
              <Spinner />
            </EmptyState>
          )}
        </div>
      ) : (
        <OpenStates>
          <ConversationList rows={rows} loaded={loaded} target={sequence} />
        </OpenStates>
      )}
      <QueueView session={session} queue={conversation.queue} />
      <Allowed scope="prompt">
        <Composer
          session={session}
          status={conversation.status}
          attachments={attachments}
          onSent={setTitleFrom}
          closed={conversation.status === "ended" && conversation.ended?.reason !== "completed"}
        />
      </Allowed>
    </DropZone>
  );
}

const ignoreFiles = () => {};

/** The title of the session as the title of the browser tab. */
function useDocumentTitle(info: SessionInfo | null): void {
  const name = info && (info.title ?? info.sessionId);
  useEffect(() => {
    if (name === null) return;
    const before = document.title;
    document.title = `${name} · sandbox-agent`;
    return () => {
      document.title = before;
    };
  }, [name]);
}

const tones: Record<SessionStatus, "plain" | "ok" | "warn" | "accent"> = {
  idle: "plain",
  running: "accent",
  waiting: "warn",
  ended: "plain",
};

interface HeadProps {
  session: Session;
  info: SessionInfo;
  /** From the events, which are newer than `info`. */
  status: SessionStatus;
  onGone: () => void;
}

function Head({ session, info, status, onGone }: HeadProps) {
  const { usage } = info;
  const total = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  const facts = [
    info.agent,
    info.model === info.agent ? null : info.model,
    info.variant,
    info.agentMode,
    info.permissionMode === "default" ? null : info.permissionMode,
    info.directory,
  ].filter((fact) => fact !== null);
  return (
    <header className={styles.head}>
      <div className={styles.headText}>
        <h1>{info.title ?? info.sessionId}</h1>
        <p>{facts.join(" · ")}</p>
      </div>
      <div className={styles.headFigures}>
        {total > 0 && <span>{tokens(total)} tokens</span>}
        {usage.cost_usd !== undefined && <span>{cost(usage.cost_usd)}</span>}
        {usage.context_used !== undefined && usage.context_window !== undefined && (
          <span>{Math.round((100 * usage.context_used) / usage.context_window)}% of context</span>
        )}
      </div>
      <Badge tone={tones[status]} role="status">
        {status}
      </Badge>
      <SessionMenu session={session} info={info} onGone={onGone} />
    </header>
  );
}
