/**
 * Where a turn begins and ends. It is opened by a message of ours, or by Pi itself when an extension has something to do,
 * and over when Pi has settled: before that, runs may follow each other for retries and for messages sent meanwhile.
 */
import type { Draft } from "../../draft.ts";
import type { AssistantMessage } from "../native.ts";
import { errorData } from "./errors.ts";
import { createUsageMeter } from "./usage.ts";

export function createTurn() {
  const usage = createUsageMeter();
  let count = 0;
  let open = false;
  let running = false;
  let aborting = false;
  /** How the last call of the model failed; null when it did not. */
  let failure: string | null = null;

  function close(): void {
    open = false;
    running = false;
    aborting = false;
    failure = null;
  }

  function end(raw: unknown): Draft[] {
    const isAborted = aborting;
    const error = isAborted ? null : failure;
    const figures = usage.take();
    close();
    const reason = isAborted ? "aborted" : error === null ? "completed" : "failed";
    const drafts: Draft[] = error === null ? [] : [{ type: "error", error: errorData(error), raw }];
    return [...drafts, { type: "turn.ended", reason, usage: figures, raw }];
  }

  return {
    usage,
    /** Tells turns apart. */
    get count() {
      return count;
    },
    get open() {
      return open;
    },
    /** Whether Pi has begun to work on it. */
    get running() {
      return running;
    },
    /** A message of ours opens the turn. */
    send(): void {
      close();
      usage.take();
      count += 1;
      open = true;
    },
    /** We have asked for the end: what fails because of it is no error. */
    abort(): void {
      aborting = true;
    },
    get aborting() {
      return aborting;
    },
    begun(raw: unknown): Draft[] {
      running = true;
      if (open) return [];
      count += 1;
      open = true;
      return [{ type: "turn.started", raw }];
    },
    said({ stopReason, errorMessage, usage: figures }: AssistantMessage): void {
      usage.called(figures);
      failure = stopReason === "error" ? (errorMessage ?? "the model call failed") : null;
      if (stopReason === "aborted") aborting = true;
    },
    settled(raw: unknown): Draft[] {
      return open ? end(raw) : [];
    },
    /** Pi has refused the message, or done with it without the model. */
    refused(message: string | null, raw: unknown): Draft[] {
      if (!open) return [];
      failure = message;
      return end(raw);
    },
    close,
  };
}
