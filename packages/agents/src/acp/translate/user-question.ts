/** A question in the form of a permission request; the reply has the answers beside its outcome (Qwen Code). */
import { lazyObject } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Draft } from "../../draft.ts";
import { questionDraft } from "../../questions.ts";
import type { PermissionRequest } from "../native.ts";
import { type KnownCall, permissionReply } from "./permission.ts";

const Questions = lazyObject(() => ({
  questions: z
    .array(
      z.object({
        question: z.string(),
        header: z.string().catch(""),
        options: z.array(z.object({ label: z.string(), description: z.string().catch("") })).catch([]),
        multiSelect: z.boolean().catch(false),
      }),
    )
    .min(1),
}));

export function userQuestion(id: string, { toolCall }: PermissionRequest, call: KnownCall): Draft | null {
  if (!/ask_?-?user_?-?question/i.test(call.name)) return null;
  const { data } = Questions().safeParse(toolCall.rawInput ?? call.input);
  if (!data) return null;
  const metadata = { tool: call.name, tool_call_id: toolCall.toolCallId };
  return questionDraft(id, { questions: data.questions, metadata });
}

export function userAnswer(request: PermissionRequest, answers: string[][] | null): unknown {
  if (!answers) return permissionReply(request, "reject");
  const byIndex = answers.map((chosen, index) => [String(index), chosen.join(", ")]);
  return { ...permissionReply(request, "once"), answers: Object.fromEntries(byIndex) };
}
