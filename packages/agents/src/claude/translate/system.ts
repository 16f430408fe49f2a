/** System messages of Claude Code (retries, compaction, hooks, refusals) as notices. */
import * as z from "zod";
import type { Draft } from "../../draft.ts";
import { completed, notice, started, status, unknownItem } from "../../item-drafts.ts";
import {
  SDKAPIRetryMessage,
  SDKCompactBoundaryMessage,
  SDKHookResponseMessage,
  SDKHookStartedMessage,
  SDKInformationalMessage,
  SDKLocalCommandOutputMessage,
  SDKModelRefusalFallbackMessage,
  SDKModelRefusalNoFallbackMessage,
  SDKNotificationMessage,
  SDKPermissionDeniedMessage,
  SDKStatusMessage,
} from "../generated/protocol.ts";
import type { Head } from "./tag.ts";

/** Sent by the agent but not part of its published protocol. */
const Fallback = z.object({ content: z.string().nullish() });

/** Meant for progress displays; other messages have the same information. */
const silent = new Set(["session_state_changed", "thinking_tokens", "background_tasks_changed", "commands_changed"]);

export function systemDrafts({ subtype, uuid }: Head, raw: unknown): Draft[] {
  const id = `${subtype}:${uuid}`;
  if (silent.has(subtype ?? "")) return [];
  switch (subtype) {
    case "status":
      return statusDrafts(SDKStatusMessage.parse(raw), id, raw);
    case "api_retry":
      return [retryNotice(SDKAPIRetryMessage.parse(raw), id, raw)];
    case "compact_boundary": {
      const { compact_metadata: json } = SDKCompactBoundaryMessage.parse(raw);
      const detail = `${json?.pre_tokens ?? "?"} tokens before, ${json?.post_tokens ?? "?"} after`;
      return [notice(id, { label: "Context compacted", detail, json }, raw)];
    }
    case "permission_denied": {
      const { tool_name, tool_use_id, message } = SDKPermissionDeniedMessage.parse(raw);
      return [notice(id, { label: `${tool_name} was denied`, detail: message, json: { tool_use_id } }, raw)];
    }
    case "hook_started": {
      const { hook_id, hook_name } = SDKHookStartedMessage.parse(raw);
      return [started(status({ id: `hook:${hook_id}` }, `Hook ${hook_name ?? ""}`, "running"), raw)];
    }
    case "hook_response": {
      const { hook_id, hook_name, output, outcome } = SDKHookResponseMessage.parse(raw);
      const detail = [outcome, output?.trim()].filter(Boolean).join(": ");
      const hook = status({ id: `hook:${hook_id}` }, `Hook ${hook_name ?? ""}`, detail);
      return [completed(hook, raw, { failed: outcome === "error" })];
    }
    case "model_refusal_fallback":
      return [notice(id, { label: "Model changed", detail: SDKModelRefusalFallbackMessage.parse(raw).content }, raw)];
    case "model_fallback":
      return [notice(id, { label: "Model changed", detail: Fallback.parse(raw).content }, raw)];
    case "model_refusal_no_fallback":
      return [notice(id, { label: "Refused", detail: SDKModelRefusalNoFallbackMessage.parse(raw).content }, raw)];
    case "informational":
      return [notice(id, { label: "Notice", detail: SDKInformationalMessage.parse(raw).content }, raw)];
    case "notification":
      return [notice(id, { label: "Notice", detail: SDKNotificationMessage.parse(raw).text }, raw)];
    case "local_command_output":
      return [notice(id, { label: "Command", detail: SDKLocalCommandOutputMessage.parse(raw).content }, raw)];
    default:
      return [unknownItem(id, raw)];
  }
}

function statusDrafts(message: SDKStatusMessage, id: string, raw: unknown): Draft[] {
  const { status: state, permissionMode, compact_result, compact_error } = message;
  if (permissionMode) return [notice(id, { label: "Permission mode", detail: permissionMode }, raw)];
  if (state === "compacting") return [notice(id, { label: "Compacting the context" }, raw)];
  if (compact_error) return [notice(id, { label: "Context not compacted", detail: compact_error }, raw)];
  if (compact_result) return [notice(id, { label: "Compaction", detail: compact_result }, raw)];
  return [];
}

function retryNotice(message: SDKAPIRetryMessage, id: string, raw: unknown): Draft {
  const { attempt, max_retries, retry_delay_ms, error_status, error } = message;
  const cause = [error_status, error].filter(Boolean).join(" ");
  const detail = `${cause}; attempt ${attempt} of ${max_retries} in ${Math.round(retry_delay_ms ?? 0)} ms`;
  const json = { attempt, max_retries, retry_delay_ms, error_status, error };
  return notice(id, { label: "Retrying", detail, json }, raw);
}
