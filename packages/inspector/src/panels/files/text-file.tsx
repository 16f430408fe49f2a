/** A text file in the editor. What others change meanwhile is shown, unless there are edits; then saving asks first. */
import { lazy, Suspense, useEffect, useEffectEvent, useState } from "react";
import { SandboxAgentError } from "sandbox-agent";
import { useMay } from "../../app/access.tsx";
import { useClient } from "../../app/connection.tsx";
import { Button, Notice, Spinner } from "../../design/index.ts";
import { Failure } from "../frame/panel.tsx";
import { useAction } from "../frame/use-action.ts";
import type { FileContent } from "./file-content.ts";
import styles from "./files.module.css";

const CodeEditor = lazy(() => import("./code-editor.tsx"));

interface Props {
  path: string;
  content: Extract<FileContent, { kind: "text" }>;
  line: number | null;
  onDirty(isDirty: boolean): void;
}

export function TextFile({ path, content, line, onDirty }: Props) {
  const client = useClient();
  const action = useAction(["file", path]);
  const [base, setBase] = useState(content);
  const [draft, setDraft] = useState<string | null>(null);
  const mayChange = useMay("files");
  const isDirty = draft !== null && draft !== base.text;

  const takeOver = useEffectEvent((content: Props["content"]) => draft === null && setBase(content));
  // Only what is newly read: after saving, the last content that was read is older than what is shown.
  useEffect(() => {
    takeOver(content);
  }, [content]);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  useEffect(() => () => onDirty(false), [onDirty]);

  const write = (text: string, headers: Record<string, string>) =>
    action.run(async () => {
      const answer = await client.api.response("writeFsFile", { query: { path }, body: text, headers });
      setBase({ ...base, text, etag: answer.headers.get("etag") ?? "" });
      // What was typed meanwhile is not saved yet.
      setDraft((now) => (now === text ? null : now));
    });
  const save = () => draft !== null && write(draft, { "if-match": base.etag });
  const revert = () => {
    setBase(content);
    setDraft(null);
  };
  const isOutdated = action.error instanceof SandboxAgentError && action.error.kind === "precondition_failed";

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut of the editor inside
    <div
      className={styles.file}
      onKeyDown={(event) => {
        if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        save();
      }}
    >
      {!base.complete && <Notice tone="info">Only the beginning is shown; the file is too long to edit here.</Notice>}
      {isDirty && isOutdated && (
        <Notice tone="warn">
          The file was changed meanwhile.{" "}
          <Button small onClick={() => write(draft, {})}>
            Overwrite
          </Button>{" "}
          <Button small onClick={revert}>
            Discard my edits
          </Button>
        </Notice>
      )}
      {!isOutdated && <Failure error={action.error} />}
      <Suspense fallback={<Spinner />}>
        <CodeEditor
          name={path}
          text={draft ?? base.text}
          readOnly={!base.complete || !mayChange}
          line={line}
          onEdit={setDraft}
        />
      </Suspense>
      {isDirty && (
        <div className={styles.save}>
          <span>Edited</span>
          <Button small look="ghost" onClick={revert}>
            Discard
          </Button>
          <Button small look="primary" disabled={action.busy} onClick={save}>
            Save
          </Button>
        </div>
      )}
    </div>
  );
}
