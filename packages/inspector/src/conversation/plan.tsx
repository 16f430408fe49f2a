/** A plan that can be opened again after it was answered. */
import styles from "./conversation.module.css";
import { Markdown } from "./markdown.tsx";
import { useOpen } from "./open-state.tsx";
import requestStyles from "./request.module.css";

export function Plan({ id, text }: { id: string; text: string }) {
  const state = useOpen(id, false);
  return (
    <details className={styles.more} {...state}>
      <summary>{state.open ? "Hide plan" : "Show plan"}</summary>
      {state.open && (
        <div className={requestStyles.plan}>
          <Markdown text={text} />
        </div>
      )}
    </details>
  );
}
