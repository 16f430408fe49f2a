/** The files of a diff, each expandable. */
import { useState } from "react";
import type { DiffFile, DiffResponse } from "sandbox-agent";
import { Diff } from "../../conversation/diff.tsx";
import { Card } from "../../design/index.ts";
import { panelStyles } from "../frame/panel.tsx";
import styles from "./files.module.css";
import { hunksByFile } from "./split-diff.ts";

/** Up to this many files are expanded at first; more would be slow to render. */
const maxExpanded = 8;

export function DiffFiles({ diff: { files, diff } }: { diff: DiffResponse }) {
  const hunks = hunksByFile(diff);
  return files.map((file, index) => (
    <ChangedFile key={file.path} file={file} hunks={hunks[index] ?? ""} isOpen={files.length <= maxExpanded} />
  ));
}

function ChangedFile({ file, hunks, isOpen }: { file: DiffFile; hunks: string; isOpen: boolean }) {
  const [open, setOpen] = useState(isOpen);
  const { path, kind, from, additions, deletions, binary } = file;
  return (
    <Card>
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className={styles.changed}>
          <span className={styles.kind} data-kind={kind}>
            {kind}
          </span>
          <span className={`${panelStyles.text} ${panelStyles.mono}`}>
            {from !== undefined && `${from} → `}
            {path}
          </span>
          <span className={styles.added}>+{additions}</span>
          <span className={styles.removed}>−{deletions}</span>
        </summary>
        {open && hunks !== "" && <Diff path={path} patch={hunks} view="unified" head={false} />}
        {open && hunks === "" && <p className={styles.noLines}>{binary ? "Not a text file." : "No lines to show."}</p>}
      </details>
    </Card>
  );
}
