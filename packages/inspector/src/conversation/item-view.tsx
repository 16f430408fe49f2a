/** One item: a message, a tool call, a notice. */
import { CircleX, Info } from "lucide-react";
import { memo } from "react";
import { CopyButton, classNames } from "../design/index.ts";
import styles from "./conversation.module.css";
import { Parts } from "./parts.tsx";
import { type ItemRow, sameRow } from "./rows.ts";
import { ToolView } from "./tool-view.tsx";

export const ItemView = memo(
  function ItemView({ row }: { row: ItemRow }) {
    const { item } = row;
    if (item.kind === "tool_call") return <ToolView row={row} />;
    if (item.kind === "message") return <MessageView row={row} />;
    if (item.content.length === 0) return null;
    return (
      <div className={styles.note}>
        <Info aria-hidden />
        <div>
          <Parts itemId={item.item_id} content={item.content} />
        </div>
      </div>
    );
  },
  (before, after) => sameRow(before.row, after.row),
);

function MessageView({ row: { item, nested } }: { row: ItemRow }) {
  const isUser = item.role === "user";
  const streaming = item.status === "in_progress";
  const text = item.content.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n\n");
  return (
    <article
      className={classNames(isUser ? styles.user : styles.agent)}
      aria-label={isUser ? "You" : "Agent"}
      aria-busy={streaming}
    >
      <Parts itemId={item.item_id} content={item.content} asTyped={isUser} streaming={streaming} />
      {item.status === "failed" && (
        <p className={styles.failed}>
          <CircleX aria-hidden /> Incomplete
        </p>
      )}
      {nested.map((row) => (
        <ItemView key={row.key} row={row} />
      ))}
      {text !== "" && !streaming && (
        <div className={styles.copy}>
          <CopyButton text={text} label="Copy message" />
        </div>
      )}
    </article>
  );
}
