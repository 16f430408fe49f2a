/** A request to the user: its draft, and the conversion of the reply to Codex's format. */
import type { PermissionReply } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import type { RpcId } from "../../process/json-rpc.ts";

export type Answer = (
  | { on: "permission"; reply(reply: PermissionReply): unknown }
  | { on: "question"; reply(answers: string[][] | null): unknown }
) & { rpcId: RpcId };

export interface UserRequest {
  draft: Draft;
  answer: Answer;
}

export function permission(
  rpcId: RpcId,
  permission_id: string,
  action: string,
  metadata: Record<string, unknown>,
  reply: (choice: PermissionReply) => unknown,
): UserRequest {
  const draft: Draft = { type: "permission.requested", permission: { permission_id, action, metadata } };
  return { draft, answer: { on: "permission", rpcId, reply } };
}
