/** The end of a turn as the answer to its prompt. Pure. */
import { type PromptResponse, RequestError } from "@agentclientprotocol/sdk/unstable";
import type { ErrorData, EventOf, Usage } from "@sandbox-agent/schema";

/** `failure` is the error that was the last thing the agent said. */
export function turnEnd(event: EventOf<"turn.ended">, failure: ErrorData | null): PromptResponse | RequestError {
  const { reason = "completed", usage } = event.data.metadata ?? {};
  switch (reason) {
    case "completed":
      if (failure) return failed(failure);
      return { stopReason: "end_turn", ...(usage && usageOf(usage)) };
    case "aborted":
    case "terminated":
      return { stopReason: "cancelled" };
    default:
      return failed(failure ?? { message: `the turn was ${reason}`, code: reason });
  }
}

export function sessionEnd({ data }: EventOf<"session.ended">, agent: string): PromptResponse | RequestError {
  if (data.reason === "completed") return { stopReason: "end_turn" };
  if (data.reason === "terminated") return { stopReason: "cancelled" };
  return new RequestError(-32603, data.message ?? "agent process exited", {
    type: "agent_process_exited",
    agent,
    exitCode: data.exit_code ?? null,
    stderr: data.stderr ?? null,
  });
}

function failed({ message, code, details }: ErrorData): RequestError {
  return new RequestError(-32603, message, { type: code ?? "agent_error", ...(details !== undefined && { details }) });
}

function usageOf({ input_tokens = 0, output_tokens = 0, cached_tokens, reasoning_tokens }: Usage) {
  return {
    usage: {
      inputTokens: input_tokens,
      outputTokens: output_tokens,
      totalTokens: input_tokens + output_tokens,
      ...(cached_tokens !== undefined && { cachedReadTokens: cached_tokens }),
      ...(reasoning_tokens !== undefined && { thoughtTokens: reasoning_tokens }),
    },
  };
}
