/**
 * Start and end of a turn. It is opened by a message of ours, or by Pi itself for an extension, and ends when Pi has settled:
 * before that, several runs may follow each other for retries and for messages sent meanwhile.
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
  /** The error of the last model call; null if it succeeded. */
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
    /** Number of the turn. */
    get count() {
      return count;
    },
    get open() {
      return open;
    },
    /** Whether Pi has started to work on it. */
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
    /** The turn is being aborted: failures that follow are not errors. */
    abort(): void {
      aborting = true;
    },
    get aborting() {
      return aborting;
    },
    onAgentStart(raw: unknown): Draft[] {
      running = true;
      if (open) return [];
      count += 1;
      open = true;
      return [{ type: "turn.started", raw }];
    },
    onAssistant({ stopReason, errorMessage, usage: figures }: AssistantMessage): void {
      usage.onCall(figures);
      failure = stopReason === "error" ? (errorMessage ?? "the model call failed") : null;
      if (stopReason === "aborted") aborting = true;
    },
    onSettled(raw: unknown): Draft[] {
      return open ? end(raw) : [];
    },
    /** Pi has rejected the message, or handled it without the model. */
    onRejected(message: string | null, raw: unknown): Draft[] {
      if (!open) return [];
      failure = message;
      return end(raw);
    },
    close,
  };
}
