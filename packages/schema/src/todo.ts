/** Todo lists, as agents report them in the `json` part of a status item. */
import * as z from "zod";
import type { ContentPart } from "./content.ts";
import { type Infer, lazy } from "./lazy.ts";

export const Todo = lazy(() => z.object({ content: z.string(), status: z.string() }));
export type Todo = Infer<typeof Todo>;

const TodoList = lazy(() => z.object({ todos: z.array(Todo()) }));

/** The todo list in a part, or null if there is none. */
export function todosOf(part: ContentPart): Todo[] | null {
  if (part.type !== "json") return null;
  const list = TodoList().safeParse(part.json);
  return list.success ? list.data.todos : null;
}
