/** The agent's to-do list, read from status items. Pure. */
import type { UniversalItem } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Todo } from "./wire.ts";

const List = z.object({
  todos: z.array(
    z.object({ content: z.string(), status: z.string().catch("pending"), priority: z.string().catch("medium") }),
  ),
});

/** Null when the item contains no list. */
export function todosIn({ kind, content }: Pick<UniversalItem, "kind" | "content">): Todo[] | null {
  if (kind !== "status") return null;
  const lists = content.flatMap((part) => (part.type === "json" ? [List.safeParse(part.json)] : []));
  return lists.find(({ success }) => success)?.data?.todos ?? null;
}
