/** A problem as a response body. */
import * as z from "zod";
import { type Infer, lazy } from "./lazy.ts";

export const Problem = lazy(() =>
  z
    .object({
      type: z.string().meta({ description: "urn:sandbox-agent:error:<kind>" }),
      title: z.string(),
      status: z.int(),
      detail: z.string().optional(),
      instance: z.string().optional().meta({ description: "Path of the request" }),
      agent: z.string().optional(),
      sessionId: z.string().optional(),
      details: z.record(z.string(), z.unknown()).optional(),
    })
    .meta({ id: "Problem" }),
);
export type Problem = Infer<typeof Problem>;
