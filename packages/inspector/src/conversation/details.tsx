/** A value as JSON that can be expanded. */
import { CodeBlock } from "./code-block.tsx";
import styles from "./conversation.module.css";
import { useOpen } from "./open-state.tsx";

export function Details({ id, title, value }: { id: string; title: string; value: unknown }) {
  const state = useOpen(id, false);
  return (
    <details className={styles.more} {...state}>
      <summary>{title}</summary>
      {state.open && <CodeBlock text={JSON.stringify(value, null, 2) ?? ""} language="json" maxHeight={300} />}
    </details>
  );
}
