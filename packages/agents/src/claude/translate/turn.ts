/**
 * Where a turn begins and ends. A turn is opened by a message of ours, or by the agent itself when work in the background
 * has finished; `result` ends it, except when a message that was handed over meanwhile still waits to be read.
 */
import type { ErrorData } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import { SDKMessageOrigin, SDKResultError, SDKResultSuccess } from "../generated/protocol.ts";
import { errorData, type Failure } from "./errors.ts";
import { createUsageMeter } from "./usage.ts";

export function createTurn() {
  const usage = createUsageMeter();
  const unread = new Set<string>();
  let open = false;
  let running = false;
  let failure: Failure | null = null;
  let refusal = false;
  /** The message that opened the turn, until the agent has read it. */
  let opener: string | null = null;

  function close(): void {
    open = false;
    running = false;
    failure = null;
    refusal = false;
    opener = null;
    unread.clear();
  }

  /** The agent may have begun a turn of its own just before our message came: its end is not the end of ours. */
  function isForeign(origin: unknown): boolean {
    return opener !== null && SDKMessageOrigin.safeParse(origin).data?.kind === "task-notification";
  }

  return {
    usage,
    get open() {
      return open;
    },
    /** Whether the agent has begun to work on it. */
    get running() {
      return running;
    },
    /** Credentials were refused: the turn is to be stopped. */
    get refused() {
      return refusal;
    },
    /** Messages of a running turn that the agent has not read yet. */
    get unread(): ReadonlySet<string> {
      return unread;
    },
    /** A message of ours opens the turn. */
    send(uuid: string): void {
      close();
      open = true;
      opener = uuid;
    },
    steer(uuid: string): void {
      unread.add(uuid);
    },
    taken(uuid: string): void {
      if (uuid === opener) opener = null;
      unread.delete(uuid);
    },
    begun(raw: unknown): Draft[] {
      running = true;
      if (open) return [];
      open = true;
      return [{ type: "turn.started", raw }];
    },
    /** A call of the model failed for good; the result will say more. */
    fail(cause: Failure): void {
      failure = cause;
    },
    refuse(error: ErrorData, raw: unknown): Draft[] {
      if (refusal) return [];
      refusal = true;
      return [{ type: "error", error, raw }];
    },
    result(raw: unknown): Draft[] {
      const result = SDKResultSuccess.safeParse(raw).data ?? SDKResultError.parse(raw);
      const isAborted = isAbort(result.terminal_reason);
      running = false;
      const goesOn = unread.size > 0 || isForeign(result.origin);
      if (open && goesOn && !isAborted && !refusal) return [];
      const wasOpen = open;
      const isRefused = refusal;
      const error = isAborted ? null : failureOf(raw, failure);
      const figures = usage.turn(result);
      close();
      const drafts: Draft[] = error ? [{ type: "error", error, raw }] : [];
      if (!wasOpen) return drafts;
      const reason = error || isRefused ? "failed" : isAborted ? "aborted" : "completed";
      return [...drafts, { type: "turn.ended", reason, usage: figures, raw }];
    },
    close,
  };
}

function isAbort(reason: string | null | undefined): boolean {
  return reason?.startsWith("aborted_") ?? false;
}

/** A result can be an error although its subtype says success. */
function failureOf(raw: unknown, failure: Failure | null): ErrorData | null {
  const success = SDKResultSuccess.safeParse(raw);
  if (success.success) {
    const { is_error, result, api_error_status: status } = success.data;
    if (!is_error) return failure && errorData(failure);
    return errorData({ message: result || failure?.message || "the model call failed", error: failure?.error, status });
  }
  const { subtype, errors, is_error } = SDKResultError.parse(raw);
  if (is_error === false) return null;
  const code = subtype?.replace(/^error_/, "") ?? "failed";
  return { message: errors?.join("\n") || `the turn ended with ${code}`, code, details: { subtype } };
}
