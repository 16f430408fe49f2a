/**
 * Start and end of a turn. A turn is opened by a message of ours, or by the agent itself when a background task has finished.
 * `result` ends it, unless the agent has not yet read a message that was sent during the turn.
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
  let credentialsRejected = false;
  /** The message that opened the turn, until the agent has read it. */
  let opener: string | null = null;

  function close(): void {
    open = false;
    running = false;
    failure = null;
    credentialsRejected = false;
    opener = null;
    unread.clear();
  }

  /** The agent may have started a turn of its own just before our message arrived: its result does not end our turn. */
  function isForeign(origin: unknown): boolean {
    return opener !== null && SDKMessageOrigin.safeParse(origin).data?.kind === "task-notification";
  }

  return {
    usage,
    get open() {
      return open;
    },
    /** Whether the agent has started to work on it. */
    get running() {
      return running;
    },
    /** Credentials were rejected: the turn must be stopped. */
    get credentialsRejected() {
      return credentialsRejected;
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
    onRead(uuid: string): void {
      if (uuid === opener) opener = null;
      unread.delete(uuid);
    },
    onInit(raw: unknown): Draft[] {
      running = true;
      if (open) return [];
      open = true;
      return [{ type: "turn.started", raw }];
    },
    /** A model call has finally failed; the result that follows has the details. */
    fail(cause: Failure): void {
      failure = cause;
    },
    rejectCredentials(error: ErrorData, raw: unknown): Draft[] {
      if (credentialsRejected) return [];
      credentialsRejected = true;
      return [{ type: "error", error, raw }];
    },
    result(raw: unknown): Draft[] {
      const result = SDKResultSuccess.safeParse(raw).data ?? SDKResultError.parse(raw);
      const isAborted = isAbort(result.terminal_reason);
      running = false;
      const goesOn = unread.size > 0 || isForeign(result.origin);
      if (open && goesOn && !isAborted && !credentialsRejected) return [];
      const wasOpen = open;
      const wereRejected = credentialsRejected;
      const error = isAborted ? null : failureOf(raw, failure);
      const figures = usage.turn(result);
      close();
      const drafts: Draft[] = error ? [{ type: "error", error, raw }] : [];
      if (!wasOpen) return drafts;
      const reason = error || wereRejected ? "failed" : isAborted ? "aborted" : "completed";
      return [...drafts, { type: "turn.ended", reason, usage: figures, raw }];
    },
    close,
  };
}

function isAbort(reason: string | null | undefined): boolean {
  return reason?.startsWith("aborted_") ?? false;
}

/** A result with subtype `success` can still be an error. */
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
