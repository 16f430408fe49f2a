/** Where messages are written: text, files by drop and paste, and what to do while a turn runs. */
import { ArrowUp, CornerDownRight, ListPlus, Paperclip, Square, X } from "lucide-react";
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useRef, useState } from "react";
import type { Attachment, Session, SessionStatus } from "sandbox-agent";
import { useClient } from "../app/connection.tsx";
import { failureText } from "../app/failure-text.ts";
import { useShortcuts } from "../app/shortcuts.ts";
import { Button, classNames, IconButton, Notice } from "../design/index.ts";
import { uploadAttachment } from "./attachments.ts";
import styles from "./composer.module.css";

export interface ComposerProps {
  session: Session;
  status: SessionStatus;
  /** A session whose agent ended it in order is taken up again by the next message; any other end is one. */
  over: boolean;
}

export function Composer({ session, status, over }: ComposerProps) {
  const client = useClient();
  const [text, setText] = useState("");
  const [attachments, setAttachments] = useState<Attachment[]>([]);
  const [uploading, setUploading] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  const [dropping, setDropping] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const isRunning = status === "running" || status === "waiting";
  const canSend = text.trim() !== "" && uploading === 0;
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
    setText("");
    setAttachments([]);
    const sent = await attempt(() => session.send(text, { delivery, ...(attachments.length > 0 && { attachments }) }));
    if (sent) return;
    setText(text);
    setAttachments(attachments);
  };
  const attach = async (files: Iterable<File>) => {
    const list = [...files];
    setUploading((count) => count + list.length);
    for (const file of list) {
      await attempt(async () => {
        const uploaded = await uploadAttachment(client, file);
        setAttachments((before) => [...before, uploaded]);
      });
      setUploading((count) => count - 1);
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // Input methods use Enter to choose a character.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void send(isRunning && (event.ctrlKey || event.metaKey) ? "steer" : "queue");
    }
    if (event.key === "Escape" && text === "" && isRunning) void attempt(() => session.abort());
    else if (event.key === "Escape") field.current?.blur();
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void attach(event.clipboardData.files);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setDropping(false);
    void attach(event.dataTransfer.files);
  };

  return (
    <section
      className={classNames(styles.composer, dropping && styles.dropping)}
      aria-label="Message"
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={onDrop}
    >
      {failure !== null && <Notice tone="bad">{failureText(failure)}</Notice>}
      <div className={styles.box}>
        {(attachments.length > 0 || uploading > 0) && (
          <ul className={styles.attachments} aria-label="Attachments">
            {attachments.map((attachment) => (
              <li key={attachment.path}>
                {attachment.filename ?? attachment.path}
                <IconButton
                  small
                  label={`Remove ${attachment.filename ?? attachment.path}`}
                  onClick={() => setAttachments(attachments.filter((each) => each !== attachment))}
                >
                  <X />
                </IconButton>
              </li>
            ))}
            {uploading > 0 && <li>Uploading…</li>}
          </ul>
        )}
        <textarea
          ref={field}
          className={styles.text}
          aria-label="Message"
          placeholder={over ? "This session is over; start a new one" : placeholders[status]}
          disabled={over}
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
              void attach(target.files ?? []);
              target.value = "";
            }}
          />
          <IconButton label="Attach files" onClick={() => picker.current?.click()}>
            <Paperclip />
          </IconButton>
          <span className={styles.space} />
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

const placeholders: Record<SessionStatus, string> = {
  idle: "Write to the agent",
  running: "Queue a message, or steer the running turn",
  waiting: "The agent waits for your answer above",
  ended: "This session has ended; a message takes it up again",
};

function useFocusKey(field: { current: HTMLTextAreaElement | null }) {
  const [keys] = useState(() => ({ i: () => field.current?.focus() }));
  return keys;
}
