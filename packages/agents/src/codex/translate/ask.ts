/** A request that a user answers: how it is put to them, and what the reply is in Codex's own words. */
import type { PermissionReply } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import type { RpcId } from "../../process/json-rpc.ts";

export type Answer = (
  | { on: "permission"; reply(reply: PermissionReply): unknown }
  | { on: "question"; reply(answers: string[][] | null): unknown }
) & { rpcId: RpcId };

export interface Ask {
  draft: Draft;
  answer: Answer;
}

export function permission(
  rpcId: RpcId,
  permission_id: string,
  action: string,
  metadata: Record<string, unknown>,
  reply: (choice: PermissionReply) => unknown,
): Ask {
  const draft: Draft = { type: "permission.requested", permission: { permission_id, action, metadata } };
  return { draft, answer: { on: "permission", rpcId, reply } };
}
