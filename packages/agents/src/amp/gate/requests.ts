/** Tool calls at the gate: the policy answers at once, or the user is asked for permission. */
import type { PermissionMode, PermissionReply } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import { stringAt } from "../../json.ts";
import { decide } from "./policy.ts";
import { type GateRequest, type GateServer, startGateServer, type ToolCall } from "./server.ts";

export interface GateOptions {
  owner: string;
  mode(): PermissionMode;
  /** Whether a turn is open to which a request can belong. */
  isBusy(): boolean;
  /** The id of the tool call, if it is known. */
  toolCallFor(tool: string, input: unknown): string | null;
  emit(draft: Draft): void;
}

export interface Gate extends GateServer {
  reply(permissionId: string, reply: PermissionReply): void;
  /** The turn has ended: rejects all pending calls. */
  dismissAll(): void;
}

const dismissal = { allow: false, message: "The turn has ended." } as const;

export async function openGate({ owner, mode, isBusy, toolCallFor, emit }: GateOptions): Promise<Gate> {
  const pending = new Map<string, GateRequest>();

  function onRequest(call: GateRequest): void {
    const { toolCall } = call;
    const decision = decide(toolCall.tool, toolCall.input, mode());
    if (decision.kind === "allow") return call.answer({ allow: true });
    if (decision.kind === "reject") return call.answer({ allow: false, message: decision.message });
    if (!isBusy()) return call.answer(dismissal);
    const id = crypto.randomUUID();
    pending.set(id, call);
    emit(permissionDraft(id, toolCall, toolCall.toolUseId ?? toolCallFor(toolCall.tool, toolCall.input)));
  }

  function onDisconnect(call: GateRequest): void {
    const found = [...pending].find(([, waiting]) => waiting === call);
    if (!found) return;
    pending.delete(found[0]);
    emit({ type: "request.withdrawn", request_id: found[0] });
  }

  const server = await startGateServer({ owner, onRequest, onDisconnect });
  return {
    ...server,
    reply(id, reply) {
      const call = pending.get(id);
      pending.delete(id);
      call?.answer(
        reply === "reject" ? { allow: false, message: "The user rejected this tool call." } : { allow: true },
      );
    },
    dismissAll() {
      const calls = [...pending.values()];
      pending.clear();
      for (const call of calls) call.answer(dismissal);
    },
  };
}

/** Calls of subagents have no item, so the request contains all details. */
function permissionDraft(id: string, toolCall: ToolCall, toolUseId: string | null): Draft {
  const { tool, input } = toolCall;
  const metadata = { tool, input, ...(toolUseId !== null && { tool_use_id: toolUseId }), ...commandOrPath(input) };
  return { type: "permission.requested", permission: { permission_id: id, action: tool, metadata }, raw: toolCall };
}

/** Command and path, under the names that are the same for all agents. */
function commandOrPath(input: unknown): Record<string, string> {
  const command = stringAt(input, "command") ?? stringAt(input, "cmd");
  const path = stringAt(input, "path");
  return { ...(command !== null && { command }), ...(path !== null && { path }) };
}
