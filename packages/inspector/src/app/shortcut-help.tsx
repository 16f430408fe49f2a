/** The keys there are. */
import { Dialog } from "../design/index.ts";
import styles from "./app.module.css";

const keys: readonly [string, string][] = [
  ["/", "Search sessions"],
  ["c", "New session"],
  ["i", "Write a message"],
  ["[", "Show or hide sessions"],
  ["]", "Show or hide panels"],
  ["y", "Allow what is asked for, once"],
  ["a", "Allow it always"],
  ["n", "Reject it"],
  ["1 – 9", "Choose an answer to a question"],
  ["Enter", "Send the message; while a turn runs, queue it"],
  ["Ctrl Enter", "Steer: hand the message to the running turn"],
  ["Esc", "In an empty message field: stop the running turn"],
  ["?", "This list"],
];

export function ShortcutHelp({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <dl className={styles.keys}>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
