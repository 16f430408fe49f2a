/** Converts the end of a turn to the response of its prompt. Pure. */
import { type PromptResponse, RequestError } from "@agentclientprotocol/sdk/unstable";
import { type ErrorData, type EventOf, type Infer, StderrExcerpt, type Usage } from "@sandbox-agent/schema";
import * as z from "zod";

const Exit = () => z.object({ exit_code: z.number().nullable(), stderr: StderrExcerpt().nullable().catch(null) });

/** How the agent's process ended, if that is what the error reports. */
export function exitOf({ code, details }: ErrorData): Infer<typeof Exit> | null {
  return code === "process_exit" ? (Exit().safeParse(details).data ?? { exit_code: null, stderr: null }) : null;
}

/** `failure` is the turn's error, if no item came after it. */
export function turnEnd(
  event: EventOf<"turn.ended">,
  failure: ErrorData | null,
  agent: string,
): PromptResponse | RequestError {
  const { reason = "completed", usage } = event.data.metadata ?? {};
  switch (reason) {
    case "completed":
      if (failure) return failed(failure, agent);
      return { stopReason: "end_turn", ...(usage && usageOf(usage)) };
    case "aborted":
    case "terminated":
      return { stopReason: "cancelled" };
    default:
      return failed(failure ?? { message: `the turn was ${reason}`, code: reason }, agent);
  }
}

export function sessionEnd({ data }: EventOf<"session.ended">, agent: string): PromptResponse | RequestError {
  if (data.reason === "completed") return { stopReason: "end_turn" };
  if (data.reason === "terminated") return { stopReason: "cancelled" };
  const { message, exit_code = null, stderr = null } = data;
  return exited(message ?? "agent process exited", { exit_code, stderr }, agent);
}

function exited(message: string, { exit_code, stderr }: Infer<typeof Exit>, agent: string): RequestError {
  return new RequestError(-32603, message, { type: "agent_process_exited", agent, exitCode: exit_code, stderr });
}

function failed(failure: ErrorData, agent: string): RequestError {
  const { message, code, details } = failure;
  const exit = exitOf(failure);
  if (exit) return exited(message, exit, agent);
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
