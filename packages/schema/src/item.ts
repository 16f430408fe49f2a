/** Items: messages, tool calls, tool results and notices, each with the lifecycle started → deltas → completed. */
import * as z from "zod";
import { ContentPart } from "./content.ts";
import { type Infer, lazy } from "./lazy.ts";

export const ItemKind = lazy(() =>
  z.enum(["message", "tool_call", "tool_result", "system", "status", "unknown"]).meta({ id: "ItemKind" }),
);
export type ItemKind = Infer<typeof ItemKind>;

export const ItemRole = lazy(() => z.enum(["user", "assistant", "system", "tool"]).meta({ id: "ItemRole" }));
export type ItemRole = Infer<typeof ItemRole>;

export const ItemStatus = lazy(() => z.enum(["in_progress", "completed", "failed"]).meta({ id: "ItemStatus" }));
export type ItemStatus = Infer<typeof ItemStatus>;

export const UniversalItem = lazy(() =>
  z
    .object({
      item_id: z.string(),
      native_item_id: z.string().nullable().meta({ description: "The agent's own id of this item" }),
      parent_id: z.string().nullable().meta({ description: "item_id of the item this one belongs to (subagents)" }),
      kind: ItemKind(),
      role: ItemRole().nullable(),
      status: ItemStatus(),
      content: z.array(ContentPart()),
    })
    .meta({ id: "UniversalItem" }),
);
export type UniversalItem = Infer<typeof UniversalItem>;
