/** ACP over HTTP: the envelopes that pass through `/v1/acp`, and the servers that are open there. */
import * as z from "zod";
import { type Infer, lazy } from "./lazy.ts";

export const AcpId = lazy(() => z.union([z.string(), z.number(), z.null()]));
export type AcpId = Infer<typeof AcpId>;

export const AcpEnvelope = lazy(() =>
  z
    .looseObject(
      {
        jsonrpc: z.literal("2.0").optional().meta({ description: "May be left out" }),
        id: AcpId().optional().meta({ description: "Missing in notifications" }),
        method: z.string().optional().meta({ description: "Missing in responses" }),
        params: z.unknown().optional(),
        result: z.unknown().optional(),
        error: z.looseObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
      },
      "must be a JSON-RPC object; batches are not supported",
    )
    .refine(isMessage, "must be a JSON-RPC request, notification or response")
    .meta({ id: "AcpEnvelope", description: "One JSON-RPC message of the Agent Client Protocol" }),
);
export type AcpEnvelope = Infer<typeof AcpEnvelope>;

function isMessage(envelope: Record<string, unknown>): boolean {
  if ("method" in envelope) return !("result" in envelope) && !("error" in envelope);
  return "id" in envelope && "result" in envelope !== "error" in envelope;
}

export const AcpServerInfo = lazy(() =>
  z
    .object({
      serverId: z.string(),
      agent: z.string(),
      createdAtMs: z.number().meta({ description: "Epoch milliseconds" }),
    })
    .meta({ id: "AcpServerInfo" }),
);
export type AcpServerInfo = Infer<typeof AcpServerInfo>;

export const AcpServerList = lazy(() => z.object({ servers: z.array(AcpServerInfo()) }).meta({ id: "AcpServerList" }));
