/** A unified diff, shown side by side if the view is wide enough. */
import "react-diff-view/style/index.css";
import { Columns2, Rows2 } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { type FileData, Hunk, parseDiff, Diff as Viewer } from "react-diff-view";
import { Badge, Code, IconButton } from "../design/index.ts";
import styles from "./diff.module.css";
import type { DiffProps } from "./diff.tsx";

const splitWidth = 640;

export default function DiffView({ path, patch, view, head = true }: DiffProps) {
  const file = useMemo(() => parse(path, patch), [path, patch]);
  const place = useRef<HTMLDivElement>(null);
  const [isWide, setIsWide] = useState(false);
  const [chosen, setChosen] = useState(view ?? null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setIsWide(element.clientWidth >= splitWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  if (!file) return <Code text={patch} label={`Changes to ${path}`} maxHeight={420} />;
  // A new or deleted file has only one side.
  const oneSided = file.type === "add" || file.type === "delete" || isOneSided(file);
  const shown = chosen ?? (isWide && !oneSided ? "split" : "unified");
  const { added, removed } = countLines(file);
  return (
    <div ref={place} className={styles.diff}>
      {head && (
        <div className={styles.head}>
          <code className={styles.path}>{path}</code>
          {added > 0 && <Badge tone="ok">+{added}</Badge>}
          {removed > 0 && <Badge tone="bad">−{removed}</Badge>}
          <IconButton
            small
            label={shown === "split" ? "Unified view" : "Side-by-side view"}
            onClick={() => setChosen(shown === "split" ? "unified" : "split")}
          >
            {shown === "split" ? <Rows2 /> : <Columns2 />}
          </IconButton>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.body} tabIndex={0} aria-label={`Changes to ${path}`}>
        <Viewer viewType={shown} diffType={file.type} hunks={file.hunks} gutterType="default">
          {(hunks) => hunks.map((hunk) => <Hunk key={hunk.content} hunk={hunk} />)}
        </Viewer>
      </section>
    </div>
  );
}

/** Agents omit the header of a patch, which the parser needs. */
function parse(path: string, patch: string): FileData | null {
  const start = patch.search(/^@@ /m);
  if (start === -1) return null;
  const whole = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${patch.slice(start)}`;
  try {
    const [file] = parseDiff(whole);
    return file && file.hunks.length > 0 ? file : null;
  } catch {
    return null;
  }
}

function isOneSided({ hunks }: FileData): boolean {
  const types = new Set(hunks.flatMap(({ changes }) => changes.map(({ type }) => type)));
  return types.size === 1;
}

function countLines({ hunks }: FileData): { added: number; removed: number } {
  const changes = hunks.flatMap((hunk) => hunk.changes);
  return {
    added: changes.filter(({ type }) => type === "insert").length,
    removed: changes.filter(({ type }) => type === "delete").length,
  };
}
