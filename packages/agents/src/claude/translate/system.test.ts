/** What Claude Code reports about itself, as notices. */
import { expect, test } from "vitest";
import { systemDrafts } from "./system.ts";

/** The id, status and first part of each item. */
function outline(subtype: string, fields: object) {
  return systemDrafts({ type: "system", subtype, uuid: "u" }, { type: "system", subtype, uuid: "u", ...fields }).map(
    (draft) =>
      draft.type === "item.started" || draft.type === "item.completed"
        ? [draft.type, draft.item.native_item_id, draft.item.content?.[0], "failed" in draft && draft.failed]
        : [draft.type],
  );
}

const retry = { attempt: 1, max_retries: 10, error_status: 529, error: "overloaded" };

test.each([
  ["status", { permissionMode: "plan", status: null }, "Permission mode", "plan"],
  ["status", { status: "compacting" }, "Compacting the context", undefined],
  [
    "status",
    { status: null, compact_result: "failed", compact_error: "too long" },
    "Context not compacted",
    "too long",
  ],
  ["status", { status: null, compact_result: "success" }, "Compaction", "success"],
  ["api_retry", { ...retry, retry_delay_ms: 512.4 }, "Retrying", "529 overloaded; attempt 1 of 10 in 512 ms"],
  ["api_retry", { ...retry, error_status: null }, "Retrying", "overloaded; attempt 1 of 10 in 0 ms"],
  [
    "compact_boundary",
    { compact_metadata: { trigger: "auto", pre_tokens: 9, post_tokens: 3 } },
    "Context compacted",
    "9 tokens before, 3 after",
  ],
  ["compact_boundary", { compact_metadata: { trigger: "auto" } }, "Context compacted", "? tokens before, ? after"],
  ["permission_denied", { tool_name: "Bash", tool_use_id: "t", message: "no" }, "Bash was denied", "no"],
  ["model_fallback", { content: "other" }, "Model changed", "other"],
  ["informational", { content: "news" }, "Notice", "news"],
  ["notification", { text: "news" }, "Notice", "news"],
  ["local_command_output", { content: "out" }, "Command", "out"],
])("%s %j is a notice: %s", (subtype, fields, label, detail) => {
  const part = { type: "status", label, ...(detail && { detail }) };
  expect(outline(subtype, fields)).toEqual([["item.completed", `${subtype}:u`, part, false]]);
});

test.each(["session_state_changed", "thinking_tokens", "commands_changed"])("%s shows nothing", (subtype) => {
  expect(outline(subtype, {})).toEqual([]);
});

test("a status without news shows nothing", () => {
  expect(outline("status", { status: null })).toEqual([]);
});

test("what is not known is passed on", () => {
  expect(outline("new_thing", {})).toMatchObject([["item.completed", "new_thing:u", { type: "json" }, false]]);
});

test.each([
  ["success", "fine\n", "success: fine", false],
  ["error", "", "error", true],
])("a hook runs and ends with %s", (outcome, output, detail, failed) => {
  const hook = { hook_id: "h", hook_name: "Stop" };
  expect(outline("hook_started", hook)).toEqual([
    ["item.started", "hook:h", { type: "status", label: "Hook Stop", detail: "running" }, false],
  ]);
  expect(outline("hook_response", { ...hook, outcome, output })).toEqual([
    ["item.completed", "hook:h", { type: "status", label: "Hook Stop", detail }, failed],
  ]);
});
