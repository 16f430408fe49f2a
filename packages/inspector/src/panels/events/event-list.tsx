/** The list of events. Only visible rows are rendered. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from "react";
import type { UniversalEvent } from "sandbox-agent";
import { panelStyles } from "../frame/panel.tsx";
import { exactClockText } from "../frame/readable.ts";
import { kindOf, lineOf } from "./event-line.ts";
import styles from "./events.module.css";

interface Props {
  events: readonly UniversalEvent[];
  selected: number | null;
  /** Whether to scroll to new events. */
  following: boolean;
  onSelect(sequence: number): void;
  /** The user scrolls away from the newest event. */
  onScrollBack(): void;
}

const rowHeight = 26;
/** Longer lines do not fit the list. */
const maxLineLength = 300;

export function EventList({ events, selected, following, onSelect, onScrollBack }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const count = events.length;
  const index = events.findIndex(({ sequence }) => sequence === selected);
  const isListed = index >= 0;

  useEffect(() => {
    if (following && count > 0) rows.scrollToIndex(count - 1, { align: "end" });
  }, [following, count, rows]);
  const reveal = useEffectEvent(() => rows.scrollToIndex(index, { align: "auto" }));
  // Once per selection, and when the selected event arrives; not for every new event.
  useEffect(() => {
    if (selected !== null && isListed) reveal();
  }, [selected, isListed]);

  const onKeyDown = (event: KeyboardEvent) => {
    const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: count - 1 }[event.key];
    const next = target === undefined ? undefined : events[target];
    if (!next) return;
    event.preventDefault();
    onSelect(next.sequence);
  };

  return (
    <div
      ref={place}
      className={panelStyles.list}
      role="listbox"
      aria-label="Events"
      aria-activedescendant={isListed ? `event-${selected}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onWheel={({ deltaY }) => deltaY < 0 && following && onScrollBack()}
      onTouchMove={() => following && onScrollBack()}
    >
      <div className={styles.rows} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const event = events[index];
          return (
            event && (
              <Row
                key={event.sequence}
                event={event}
                top={start}
                isSelected={event.sequence === selected}
                onSelect={onSelect}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  event: UniversalEvent;
  top: number;
  isSelected: boolean;
  onSelect(sequence: number): void;
}

function Row({ event, top, isSelected, onSelect }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys of all its rows
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names the active row
    <div
      id={`event-${event.sequence}`}
      role="option"
      aria-selected={isSelected}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onSelect(event.sequence)}
    >
      <span className={styles.sequence}>{event.sequence}</span>
      <span className={styles.time}>{exactClockText(event.time)}</span>
      <span className={styles.type} data-kind={kindOf(event)}>
        {event.type}
      </span>
      <span className={styles.line}>{lineOf(event).slice(0, maxLineLength)}</span>
    </div>
  );
}
