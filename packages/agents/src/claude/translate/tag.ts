/** The discriminators of native messages. */
import * as z from "zod";
import { stringAt } from "../../json.ts";

/** The `type` of a message, block or event; empty when it has none. */
export function tagOf(value: unknown): string {
  return stringAt(value, "type") ?? "";
}

export const Head = z.object({
  type: z.string(),
  subtype: z.string().nullish(),
  uuid: z.string().nullish(),
});
export type Head = z.infer<typeof Head>;
