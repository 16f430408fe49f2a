/**
 * Tool calls. Each tool part becomes two items: the call, which is completed with its input, and the result, which streams
 * the output of running commands.
 */
import type { ContentPart } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import { completed, delta, resultId, started, toolCall, toolResult, unknown, whole } from "../../item-drafts.ts";
import { stringAt } from "../../json.ts";
import type { FilePart, ToolPart, ToolStateCompleted, ToolStateError } from "../generated/api.ts";
import { fileRefs } from "./files.ts";

interface Call {
  /** The name used by the model: OpenCode renames a call that it rejects as invalid. */
  name: string;
  callId: string;
  session: string;
  parent: string | null;
  stage: "announced" | "called" | "answering";
  output: string;
}

export function createTools() {
  const open = new Map<string, Call>();
  const finished = new Set<string>();
  /** Diffs of permission requests, by call. */
  const requestDiffs = new Map<string, string>();
  /** The call that started each subagent, by the subagent's session. */
  const starters = new Map<string, string>();

  function part({ id, tool, callID, sessionID, state }: ToolPart, parent: string | null): Draft[] {
    if (finished.has(id)) return [];
    const known = open.get(id);
    const call: Call = known ?? {
      name: tool,
      callId: callID,
      session: sessionID,
      parent,
      stage: "announced",
      output: "",
    };
    const drafts: Draft[] = known ? [] : [started(callItem(id, call, ""))];
    open.set(id, call);
    if (state.status === "unknown")
      return [...drafts, ...whole(unknown({ id: `${id}:unknown`, parent }, state.native))];
    if (state.status === "pending") return drafts;

    const child = stringAt(state.metadata, "sessionId");
    if (child) starters.set(child, id);
    if (call.stage === "announced") {
      call.stage = "called";
      drafts.push(completed(callItem(id, call, JSON.stringify(state.input))));
    }
    if (state.status === "running") return [...drafts, ...streamed(id, call, stringAt(state.metadata, "output") ?? "")];
    open.delete(id);
    finished.add(id);
    return [...drafts, result(id, call, tool, state, requestDiffs.get(callID) ?? null)];
  }

  /** The tool of a running call. */
  function nameOf(callId: string): string | null {
    for (const call of open.values()) if (call.callId === callId) return call.name;
    return null;
  }

  /** The parent of a subagent's items. */
  function starterOf(childSession: string, parentSession: string): string | null {
    const known = starters.get(childSession);
    if (known) return known;
    const tasks = [...open].filter(([, call]) => call.name === "task" && call.session === parentSession);
    return tasks.at(-1)?.[0] ?? null;
  }

  function clear(): void {
    open.clear();
    requestDiffs.clear();
  }

  return {
    part,
    nameOf,
    starterOf,
    clear,
    rememberDiff: (callId: string, diff: string) => requestDiffs.set(callId, diff),
  };
}

function callItem(id: string, { name, callId, parent }: Call, input: string) {
  return toolCall({ id, parent }, name, input, callId);
}

/** Every update has the whole output so far; the new part of it becomes a delta. */
function streamed(id: string, call: Call, output: string): Draft[] {
  if (output === call.output || !output.startsWith(call.output)) return [];
  const added = output.slice(call.output.length);
  const start = call.stage === "answering" ? [] : [started(resultItem(id, call, ""))];
  call.stage = "answering";
  call.output = output;
  return [...start, delta(resultId(id), added)];
}

function result(
  id: string,
  call: Call,
  tool: string,
  state: ToolStateCompleted | ToolStateError,
  requestDiff: string | null,
): Draft {
  if (state.status === "error") return completed(resultItem(id, call, state.error), undefined, { failed: true });
  const more = [
    ...fileRefs(tool, state, requestDiff),
    ...(state.attachments ?? []).map((file) => attached(file, state)),
  ];
  return completed(resultItem(id, call, state.output, more), undefined, { failed: hasFailed(tool, state) });
}

/** OpenCode reports a failed command as completed; the exit code decides. */
function hasFailed(tool: string, { metadata }: ToolStateCompleted): boolean {
  if (tool === "invalid") return true;
  return tool === "bash" && "exit" in metadata && metadata.exit !== 0;
}

function resultItem(id: string, { callId, parent }: Call, output: string, more: ContentPart[] = []) {
  return toolResult({ id: resultId(id), parent }, callId, output, more);
}

/** Files in results have their bytes in the URL. Only the path is used; the bytes are in `raw`. */
function attached({ mime, url, filename }: FilePart, { input }: ToolStateCompleted): ContentPart {
  const fromUrl = url.startsWith("data:") ? null : url.replace(/^file:\/\//, "");
  const path = stringAt(input, "filePath") ?? fromUrl ?? filename ?? "attachment";
  return mime.startsWith("image/") ? { type: "image", path, mime } : { type: "file_ref", path, action: "read" };
}
