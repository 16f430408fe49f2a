/** An agent's list of what it means to do. */
import type { Todo } from "@sandbox-agent/schema/todo";
import { Circle, CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { classNames } from "../design/index.ts";
import styles from "./conversation.module.css";

const looks = new Map([
  ["completed", { icon: CircleCheck, word: "Done" }],
  ["in_progress", { icon: CircleDashed, word: "In progress" }],
  ["cancelled", { icon: CircleX, word: "Cancelled" }],
]);

export function TodoList({ todos }: { todos: readonly Todo[] }) {
  return (
    <ul className={styles.todos} aria-label="Todo list">
      {todos.map(({ content, status }) => {
        const look = looks.get(status) ?? { icon: Circle, word: "To do" };
        return (
          <li key={content} className={classNames(status === "completed" && styles.done)}>
            <look.icon role="img" aria-label={look.word} />
            {content}
          </li>
        );
      })}
    </ul>
  );
}
