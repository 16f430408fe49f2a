/** Tool calls that wait for an answer: what the policy decides is answered at once, the rest is asked of the user. */
import type { PermissionMode, PermissionReply } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import { stringAt } from "../../json.ts";
import { decide } from "./policy.ts";
import { type Asked, type GateServer, type Question, startGateServer } from "./server.ts";

export interface GateOptions {
  owner: string;
  mode(): PermissionMode;
  /** Whether there is a turn that a question could belong to. */
  isBusy(): boolean;
  /** The id of the tool call in question, if it can be told. */
  toolCallFor(tool: string, input: unknown): string | null;
  emit(draft: Draft): void;
}

export interface Gate extends GateServer {
  reply(permissionId: string, reply: PermissionReply): void;
  /** The turn is over: nobody will answer any more. */
  dismissAll(): void;
}

const dismissal = { allow: false, message: "The turn was ended." } as const;

export async function openGate({ owner, mode, isBusy, toolCallFor, emit }: GateOptions): Promise<Gate> {
  const pending = new Map<string, Asked>();

  function asked(call: Asked): void {
    const { question } = call;
    const decision = decide(question.tool, question.input, mode());
    if (decision.kind === "allow") return call.answer({ allow: true });
    if (decision.kind === "reject") return call.answer({ allow: false, message: decision.message });
    if (!isBusy()) return call.answer(dismissal);
    const id = crypto.randomUUID();
    pending.set(id, call);
    emit(permissionDraft(id, question, question.toolUseId ?? toolCallFor(question.tool, question.input)));
  }

  function gone(call: Asked): void {
    const found = [...pending].find(([, waiting]) => waiting === call);
    if (!found) return;
    pending.delete(found[0]);
    emit({ type: "request.withdrawn", request_id: found[0] });
  }

  const server = await startGateServer({ owner, onAsked: asked, onGone: gone });
  return {
    ...server,
    reply(id, reply) {
      const call = pending.get(id);
      pending.delete(id);
      call?.answer(
        reply === "reject" ? { allow: false, message: "The user refused this tool call." } : { allow: true },
      );
    },
    dismissAll() {
      const calls = [...pending.values()];
      pending.clear();
      for (const call of calls) call.answer(dismissal);
    },
  };
}

/** A call of a subagent appears nowhere else: the request has to say all there is to know. */
function permissionDraft(id: string, question: Question, toolUseId: string | null): Draft {
  const { tool, input } = question;
  const metadata = { tool, input, ...(toolUseId !== null && { tool_use_id: toolUseId }), ...commandOrPath(input) };
  return { type: "permission.requested", permission: { permission_id: id, action: tool, metadata }, raw: question };
}

/** What a reader looks for first, under the names the other agents use. */
function commandOrPath(input: unknown): Record<string, string> {
  const command = stringAt(input, "command") ?? stringAt(input, "cmd");
  const path = stringAt(input, "path");
  return { ...(command !== null && { command }), ...(path !== null && { path }) };
}
