/** Messages beside the conversation (retries, compaction, notices of extensions) as status items. */
import type { Draft } from "../../draft.ts";
import { notice } from "../../item-drafts.ts";
import {
  AutoRetryStart,
  CompactionEnd,
  CompactionStart,
  ExtensionError,
  type Head,
  ThinkingLevelChanged,
  type UiRequest,
} from "../native.ts";

/** The drafts of a notice; null for other messages. */
export function noticeDrafts({ type }: Head, id: string, raw: unknown): Draft[] | null {
  switch (type) {
    case "auto_retry_start":
    case "summarization_retry_scheduled": {
      const { attempt, maxAttempts, delayMs, errorMessage } = AutoRetryStart.parse(raw);
      const detail = `${errorMessage}; attempt ${attempt} of ${maxAttempts} in ${delayMs} ms`;
      return [notice(id, { label: "Retrying", detail, json: { attempt, maxAttempts, delayMs, errorMessage } }, raw)];
    }
    case "compaction_start":
      return [notice(id, { label: "Compacting the context", detail: CompactionStart.parse(raw).reason }, raw)];
    case "compaction_end":
      return [compacted(id, raw)];
    case "thinking_level_changed":
      return [notice(id, { label: "Thinking level", detail: ThinkingLevelChanged.parse(raw).level }, raw)];
    case "extension_error": {
      const { extensionPath, event, error } = ExtensionError.parse(raw);
      return [notice(id, { label: "Extension failed", detail: `${extensionPath} (${event}): ${error}` }, raw)];
    }
    default:
      return null;
  }
}

function compacted(id: string, raw: unknown): Draft {
  const { result, aborted, errorMessage } = CompactionEnd.parse(raw);
  if (errorMessage || aborted || !result)
    return notice(id, { label: "Context not compacted", detail: errorMessage ?? (aborted ? "aborted" : null) }, raw);
  const { tokensBefore, summary } = result;
  const detail = tokensBefore === undefined ? null : `${tokensBefore} tokens before`;
  return notice(id, { label: "Context compacted", detail, json: { tokensBefore, summary } }, raw);
}

/** Notifications of extensions, which need no answer. Terminal decoration is ignored. */
export function shownByExtension({ id, method, message, notifyType }: UiRequest, raw: unknown): Draft[] {
  if (method !== "notify") return [];
  return [notice(id, { label: notifyType === "error" ? "Error" : "Notice", detail: message ?? "" }, raw)];
}
