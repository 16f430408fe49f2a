/** The message field: text, attachments, and queueing or steering while a turn runs. */
import { ArrowUp, CornerDownRight, ListPlus, Paperclip, Square, X } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from "react";
import type { Session, SessionStatus } from "sandbox-agent";
import { useMayAttach } from "../app/access.tsx";
import { failureText } from "../app/failure-text.ts";
import { useShortcuts } from "../app/shortcuts.ts";
import { Button, IconButton, Notice } from "../design/index.ts";
import styles from "./composer.module.css";
import type { Attachments } from "./use-attachments.ts";

export interface ComposerProps {
  session: Session;
  status: SessionStatus;
  attachments: Attachments;
  /** Called with the text of a sent message. */
  onSent: (message: string) => void;
  /** The session cannot be resumed. A session that its agent has completed is resumed by the next message. */
  closed: boolean;
}

export function Composer({ session, status, attachments, onSent, closed }: ComposerProps) {
  const [text, setText] = useState("");
  const [failure, setFailure] = useState<unknown>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const problem = failure ?? attachments.failure;
  const mayAttach = useMayAttach();
  const isRunning = status === "running" || status === "waiting";
  const canSend = text.trim() !== "" && attachments.uploading === 0;
  useShortcuts(useFocusKey(field));

  const attempt = async (action: () => Promise<unknown>): Promise<boolean> => {
    setFailure(null);
    try {
      await action();
      return true;
    } catch (error) {
      setFailure(error);
      return false;
    }
  };
  const send = async (delivery: "queue" | "steer") => {
    if (!canSend) return;
    const { list } = attachments;
    setText("");
    attachments.replace([]);
    const files = list.length > 0 && { attachments: [...list] };
    if (await attempt(() => session.send(text, { delivery, ...files }))) return onSent(text);
    setText(text);
    attachments.replace(list);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter confirms the input of an input method editor.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void send(isRunning && (event.ctrlKey || event.metaKey) ? "steer" : "queue");
    }
    if (event.key === "Escape" && text === "" && isRunning) void attempt(() => session.abort());
    else if (event.key === "Escape") field.current?.blur();
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0 || !mayAttach) return;
    event.preventDefault();
    void attachments.add(event.clipboardData.files);
  };

  return (
    <section className={styles.composer} aria-label="Message">
      {problem !== null && <Notice tone="bad">{failureText(problem)}</Notice>}
      <div className={styles.box}>
        {(attachments.list.length > 0 || attachments.uploading > 0) && (
          <ul className={styles.attachments} aria-label="Attachments">
            {attachments.list.map((attachment) => (
              <li key={attachment.path}>
                {attachment.filename ?? attachment.path}
                <IconButton
                  small
                  label={`Remove ${attachment.filename ?? attachment.path}`}
                  onClick={() => attachments.remove(attachment)}
                >
                  <X />
                </IconButton>
              </li>
            ))}
            {attachments.uploading > 0 && <li>Uploading…</li>}
          </ul>
        )}
        <textarea
          ref={field}
          className={styles.text}
          aria-label="Message"
          placeholder={closed ? "This session has ended. Start a new one." : placeholders[status]}
          disabled={closed}
          rows={1}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <div className={styles.tools}>
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={({ target }) => {
              void attachments.add(target.files ?? []);
              target.value = "";
            }}
          />
          {mayAttach && (
            <IconButton label="Attach files" onClick={() => picker.current?.click()}>
              <Paperclip />
            </IconButton>
          )}
          <span className={styles.hint}>{isRunning ? runningHint : idleHint}</span>
          {isRunning && (
            <>
              <Button small disabled={!canSend} onClick={() => send("steer")}>
                <CornerDownRight /> Steer
              </Button>
              <Button small disabled={!canSend} onClick={() => send("queue")}>
                <ListPlus /> Queue
              </Button>
              <IconButton label="Stop" look="plain" onClick={() => attempt(() => session.abort())}>
                <Square />
              </IconButton>
            </>
          )}
          {!isRunning && (
            <IconButton label="Send" look="primary" disabled={!canSend} onClick={() => send("queue")}>
              <ArrowUp />
            </IconButton>
          )}
        </div>
      </div>
    </section>
  );
}

const idleHint = "Enter to send, Shift Enter for a new line";
const runningHint = "Enter to queue, Ctrl Enter to steer, Esc to stop";

const placeholders: Record<SessionStatus, string> = {
  idle: "Message the agent",
  running: "Queue a message, or steer the running turn",
  waiting: "The agent is waiting for your answer above",
  ended: "This session has ended. Send a message to resume it.",
};

function useFocusKey(field: { current: HTMLTextAreaElement | null }) {
  const [keys] = useState(() => ({ i: () => field.current?.focus() }));
  return keys;
}
