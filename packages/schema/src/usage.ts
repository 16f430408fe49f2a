/** Token and cost figures of a turn, and their totals over a session. */
import * as z from "zod";
import { type Infer, lazy } from "./lazy.ts";

export const Usage = lazy(() =>
  z
    .object({
      input_tokens: z.number().optional(),
      output_tokens: z.number().optional(),
      cached_tokens: z.number().optional(),
      reasoning_tokens: z.number().optional(),
      cost_usd: z.number().optional(),
      context_used: z.number().optional().meta({ description: "Tokens in the context window now" }),
      context_window: z.number().optional().meta({ description: "Size of the context window" }),
    })
    .meta({ id: "Usage" }),
);
export type Usage = Infer<typeof Usage>;
