/** An agent's todo list. */
import type { Todo } from "@sandbox-agent/schema/todo";
import { Circle, CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { classNames } from "../design/index.ts";
import styles from "./conversation.module.css";

const states = new Map([
  ["completed", { icon: CircleCheck, label: "Done" }],
  ["in_progress", { icon: CircleDashed, label: "In progress" }],
  ["cancelled", { icon: CircleX, label: "Cancelled" }],
]);

export function TodoList({ todos }: { todos: readonly Todo[] }) {
  return (
    <ul className={styles.todos} aria-label="Todo list">
      {todos.map(({ content, status }) => {
        const state = states.get(status) ?? { icon: Circle, label: "To do" };
        return (
          <li key={content} className={classNames(status === "completed" && styles.done)}>
            <state.icon role="img" aria-label={state.label} />
            {content}
          </li>
        );
      })}
    </ul>
  );
}
