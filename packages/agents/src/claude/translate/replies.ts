/** Replies to Claude Code's requests in its own format. Pure. */
import type { PermissionReply } from "@sandbox-agent/schema";
import { formContent } from "../../forms.ts";
import { planOptions } from "../../questions.ts";
import { type PermissionResult, PermissionUpdate, type SDKControlPermissionRequest } from "../generated/protocol.ts";
import type { PendingRequest } from "./requests.ts";

/** The reply to a permission request. `always` applies to this session only; nothing is written to settings files. */
export function permissionReply(request: SDKControlPermissionRequest, reply: PermissionReply): PermissionResult {
  if (reply === "reject") return { behavior: "deny", message: "The user rejected this tool call." };
  // The tool fails unless the reply repeats its input.
  const allow = { behavior: "allow", updatedInput: request.input } as const;
  return reply === "once" ? allow : { ...allow, updatedPermissions: [rulesFor(request)] };
}

/**
 * Permission rules for `always`. The agent's suggestions may also accept all edits or write a settings file, which is ignored
 * in an untrusted workspace, so only rules are used, for the session.
 */
function rulesFor({ tool_name: toolName, permission_suggestions }: SDKControlPermissionRequest): PermissionUpdate {
  const suggestions = Array.isArray(permission_suggestions) ? permission_suggestions : [];
  const rules = suggestions.flatMap((suggestion) => {
    const { data } = PermissionUpdate.safeParse(suggestion);
    return data?.type === "addRules" ? (data.rules ?? []) : [];
  });
  return {
    type: "addRules",
    rules: rules.length > 0 ? rules : [{ toolName }],
    behavior: "allow",
    destination: "session",
  };
}

/** Rules in the format of the command line, so that a restarted agent still has them. */
export function allowedTools(result: PermissionResult): string[] {
  if (result.behavior !== "allow") return [];
  return (result.updatedPermissions ?? []).flatMap((update) =>
    update.type === "addRules"
      ? (update.rules ?? []).map(({ toolName, ruleContent }) =>
          ruleContent ? `${toolName}(${ruleContent})` : toolName,
        )
      : [],
  );
}

/** `null` = rejected. `mode`: the permission mode after a plan was approved. */
export function questionReply(
  pending: Exclude<PendingRequest, { kind: "permission" }>,
  answers: string[][] | null,
  mode: string,
): Record<string, unknown> {
  switch (pending.kind) {
    case "form":
      if (!answers) return { action: "decline" };
      return { action: "accept", content: formContent(pending.fields, answers) };
    case "plan":
      return planReply(pending.request, answers?.flat() ?? null, mode);
    case "question": {
      if (!answers) return { behavior: "deny", message: "The user declined to answer." };
      const chosen = pending.questions.map((question, index) => [question, (answers[index] ?? []).join(", ")] as const);
      const answered = Object.fromEntries(chosen.filter(([, answer]) => answer !== ""));
      return { behavior: "allow", updatedInput: { ...pending.request.input, answers: answered } };
    }
  }
}

function planReply({ input }: SDKControlPermissionRequest, answers: string[] | null, mode: string): PermissionResult {
  const [answer = ""] = answers ?? [];
  const approved = { behavior: "allow", updatedInput: input } as const;
  if (answer === planOptions.acceptEdits) return { ...approved, updatedPermissions: [setMode("acceptEdits")] };
  if (answer === planOptions.approve)
    return mode === "default" ? approved : { ...approved, updatedPermissions: [setMode(mode)] };
  const feedback = (answers ?? []).filter((text) => text !== planOptions.reject).join("\n");
  return { behavior: "deny", message: feedback || "The user rejected the plan. Keep planning." };
}

function setMode(mode: string): PermissionUpdate {
  return { type: "setMode", mode, destination: "session" };
}
