/** The file tree, with mouse and keyboard. Files can be dropped onto it. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronDown, ChevronRight, File, Folder, FolderOpen } from "lucide-react";
import { type DragEvent, type KeyboardEvent, useRef, useState } from "react";
import { panelStyles } from "../frame/panel.tsx";
import { sizeText } from "../frame/readable.ts";
import styles from "./files.module.css";
import { parentOf, type TreeRow } from "./tree-rows.ts";

interface Props {
  root: string;
  rows: readonly TreeRow[];
  selected: string | null;
  onSelect(row: TreeRow): void;
  onToggle(row: TreeRow): void;
  /** Opens a file. */
  onOpen(row: TreeRow): void;
  onDrop(directory: string, files: File[]): void;
}

const rowHeight = 26;

export function FileTree({ root, rows, selected, onSelect, onToggle, onOpen, onDrop }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [target, setTarget] = useState<string | null>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const index = rows.findIndex(({ path }) => path === selected);
  const row = rows[index];

  const go = (to: number) => {
    const next = rows[to];
    if (!next) return;
    onSelect(next);
    virtual.scrollToIndex(to);
  };
  const activate = (row: TreeRow) => (row.entry.entryType === "directory" ? onToggle(row) : onOpen(row));
  const goToParent = ({ path }: TreeRow) => go(rows.findIndex((other) => other.path === parentOf(path)));
  const press = (key: string): boolean => {
    if (key === "ArrowDown") go(index + 1);
    else if (key === "ArrowUp") go(index - 1);
    else if (key === "Home") go(0);
    else if (key === "End") go(rows.length - 1);
    else if (!row) return false;
    else if (key === "Enter") activate(row);
    else if (key === "ArrowRight") row.open ? go(index + 1) : activate(row);
    else if (key === "ArrowLeft") row.open ? onToggle(row) : goToParent(row);
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (press(event.key)) event.preventDefault();
  };

  const directoryAt = (event: DragEvent) => {
    const at = event.target instanceof Element ? event.target.closest("[data-directory]") : null;
    return at?.getAttribute("data-directory") ?? root;
  };
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setTarget(directoryAt(event));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setTarget(null);
    onDrop(directoryAt(event), [...event.dataTransfer.files]);
  };

  return (
    <div
      ref={place}
      role="tree"
      aria-label="Files"
      aria-activedescendant={row && `file-row-${index}`}
      tabIndex={0}
      className={panelStyles.list}
      data-drop={target === root}
      onKeyDown={onKeyDown}
      onDragOver={onDragOver}
      onDragLeave={() => setTarget(null)}
      onDrop={drop}
    >
      <div className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const choose = () => {
            onSelect(row);
            activate(row);
          };
          const isTarget = target !== root && target === row.path;
          return (
            <Row
              key={row.path}
              id={`file-row-${index}`}
              row={row}
              top={start}
              isSelected={row.path === selected}
              isTarget={isTarget}
              onClick={choose}
            />
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  id: string;
  row: TreeRow;
  top: number;
  isSelected: boolean;
  isTarget: boolean;
  onClick(): void;
}

function Row({ id, row: { path, entry, depth, open }, top, isSelected, isTarget, onClick }: RowProps) {
  const isDirectory = entry.entryType === "directory";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of all its rows
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names the active row
    <div
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-expanded={isDirectory ? open : undefined}
      className={styles.row}
      data-target={isTarget}
      data-directory={isDirectory ? path : parentOf(path)}
      style={{ transform: `translateY(${top}px)`, paddingLeft: 8 + depth * 14 }}
      title={entry.symlink === undefined ? undefined : `→ ${entry.symlink}`}
      onClick={onClick}
    >
      {isDirectory ? open ? <ChevronDown /> : <ChevronRight /> : <span className={styles.indent} />}
      {isDirectory ? open ? <FolderOpen /> : <Folder /> : <File />}
      <span className={panelStyles.text}>{entry.name}</span>
      {entry.entryType === "file" && <span className={panelStyles.faint}>{sizeText(entry.size)}</span>}
    </div>
  );
}
