/** A text file in the editor. Changes on disk are shown, unless there are edits; then saving asks first. */
import { lazy, Suspense, useEffect, useEffectEvent, useState } from "react";
import { SandboxAgentError } from "sandbox-agent";
import { useHasScope } from "../../app/access.tsx";
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
  const mayChange = useHasScope("files");
  const isDirty = draft !== null && draft !== base.text;

  const update = useEffectEvent((content: Props["content"]) => draft === null && setBase(content));
  // Only for newly read content: after saving, the content that was last read is older than what is shown.
  useEffect(() => {
    update(content);
  }, [content]);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  useEffect(() => () => onDirty(false), [onDirty]);

  const write = (text: string, headers: Record<string, string>) =>
    action.run(async () => {
      const answer = await client.api.response("writeFsFile", { query: { path }, body: text, headers });
      setBase({ ...base, text, etag: answer.headers.get("etag") ?? "" });
      // Text that was typed in the meantime is not saved yet.
      setDraft((now) => (now === text ? null : now));
    });
  const save = () => draft !== null && write(draft, { "if-match": base.etag });
  const revert = () => {
    setBase(content);
    setDraft(null);
  };
  const isOutdated = action.error instanceof SandboxAgentError && action.error.kind === "precondition_failed";

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles a shortcut of the editor inside
    <div
      className={styles.file}
      onKeyDown={(event) => {
        if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        save();
      }}
    >
      {!base.complete && <Notice tone="info">The file is too large to edit here. Only the beginning is shown.</Notice>}
      {isDirty && isOutdated && (
        <Notice tone="warn">
          The file has changed on disk.{" "}
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
