/** The rows of a conversation. Only those on the screen exist; the end is followed while the reader is there. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { Button, classNames } from "../design/index.ts";
import styles from "./conversation.module.css";
import { RowView } from "./row-view.tsx";
import type { Row } from "./rows.ts";

export interface ConversationListProps {
  rows: readonly Row[];
  /** Everything that was there when the page was opened has been read. */
  loaded: boolean;
  /** The event to begin at instead of the end. */
  target: number | null;
}

const nearEnd = 100;

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
    scrollEndThreshold: nearEnd,
  });

  const targetRow = target === null ? -1 : rows.findLastIndex(({ sequence }) => sequence <= target);
  const targetKey = rows[targetRow]?.key ?? null;
  const lookAt = useEffectEvent(() => {
    if (targetRow === -1) virtualizer.scrollToEnd();
    else virtualizer.scrollToIndex(targetRow, { align: "center" });
  });
  // Only when there is something new to go to, not whenever rows come.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another target is a reason to look again
  useEffect(() => {
    if (loaded) lookAt();
  }, [loaded, target]);
  useStayAtEnd(scroller);

  /** The browser would glide there, and stop where rows on its way turn out to be of another height than was guessed. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.shiftKey || event.altKey || isWriting(event.target)) return;
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
      {rows.length > 0 && !virtualizer.isAtEnd(nearEnd) && (
        <Button className={styles.toEnd} small onClick={() => virtualizer.scrollToEnd()}>
          <ArrowDown /> {firstRequest ? "Waiting for you" : "Latest"}
        </Button>
      )}
    </div>
  );
}

/** In a field of its own, as that of an answer, a key means something else. */
function isWriting(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

/** Keeps the end in view when the place for the list changes, as it does when a message is queued or written. */
function useStayAtEnd(scroller: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let atEnd = true;
    const look = () => {
      atEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= nearEnd;
    };
    const observer = new ResizeObserver(() => {
      if (atEnd) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [scroller]);
}
