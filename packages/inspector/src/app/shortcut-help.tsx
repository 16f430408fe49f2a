/** The list of keyboard shortcuts. */
import { Dialog } from "../design/index.ts";
import styles from "./app.module.css";

const keys: readonly [string, string][] = [
  ["/", "Search sessions"],
  ["c", "New session"],
  ["i", "Write a message"],
  ["[", "Show or hide sessions"],
  ["]", "Show or hide panels"],
  ["y", "Allow once"],
  ["a", "Always allow"],
  ["n", "Reject"],
  ["1 – 9", "Choose an answer"],
  ["Enter", "Send the message, or queue it while a turn runs"],
  ["Ctrl Enter", "Steer: send the message to the running turn"],
  ["Esc", "Stop the running turn (when the message field is empty)"],
  ["?", "Show this list"],
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
