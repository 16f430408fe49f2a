/** The rows of a conversation. Only visible rows are rendered. The list follows the end while it is scrolled to the end. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { Button, classNames } from "../design/index.ts";
import styles from "./conversation.module.css";
import { RowView } from "./row-view.tsx";
import type { Row } from "./rows.ts";

export interface ConversationListProps {
  rows: readonly Row[];
  /** The history up to the time the page was opened has been read. */
  loaded: boolean;
  /** The event to scroll to instead of the end. */
  target: number | null;
}

const endThreshold = 100;

export function ConversationList({ rows, loaded, target }: ConversationListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 64,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 6,
    paddingStart: 18,
    paddingEnd: 18,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: endThreshold,
  });

  const targetRow = target === null ? -1 : rows.findLastIndex(({ sequence }) => sequence <= target);
  const targetKey = rows[targetRow]?.key ?? null;
  const scrollToTarget = useEffectEvent(() => {
    if (targetRow === -1) virtualizer.scrollToEnd();
    else virtualizer.scrollToIndex(targetRow, { align: "center" });
  });
  // Once after loading and for each new target, not for every new row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new target must scroll again
  useEffect(() => {
    if (loaded) scrollToTarget();
  }, [loaded, target]);
  useStayAtEnd(scroller);

  /** The browser's own smooth scrolling stops early when the height of a row differs from its estimate. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.shiftKey || event.altKey || isTextField(event.target)) return;
    if (event.key === "Home") virtualizer.scrollToOffset(0);
    else if (event.key === "End") virtualizer.scrollToEnd();
    else return;
    event.preventDefault();
  };

  const firstRequest = rows.find(({ kind }) => kind === "permission" || kind === "question")?.key ?? null;
  return (
    <div className={styles.listPlace}>
      <div
        ref={scroller}
        className={styles.scroller}
        role="log"
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                data-target={row.key === targetKey || undefined}
                className={classNames(styles.row, row.key === targetKey && styles.target)}
                style={{ transform: `translateY(${start}px)` }}
              >
                <RowView row={row} active={row.key === firstRequest} />
              </div>
            );
          })}
        </div>
      </div>
      {rows.length > 0 && !virtualizer.isAtEnd(endThreshold) && (
        <Button className={styles.toEnd} small onClick={() => virtualizer.scrollToEnd()}>
          <ArrowDown /> {firstRequest ? "Waiting for you" : "Latest"}
        </Button>
      )}
    </div>
  );
}

/** In a text field, such as that of an answer, these keys move the cursor. */
function isTextField(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

/** Keeps the end in view when the height of the list changes, as it does when a message is queued or typed. */
function useStayAtEnd(scroller: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let atEnd = true;
    const update = () => {
      atEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= endThreshold;
    };
    const observer = new ResizeObserver(() => {
      if (atEnd) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    element.addEventListener("scroll", update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, [scroller]);
}
