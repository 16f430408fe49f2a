/** A running Claude Code, and the control requests in both directions. */
import { type JsonLinesOptions, openJsonLines } from "../process/json-lines.ts";
import { handOver, type NativeCredential } from "./credential.ts";
import { SDKControlResponse } from "./generated/protocol.ts";
import { tagOf } from "./translate/tag.ts";

export interface ConnectionOptions extends Omit<JsonLinesOptions, "agent" | "handed" | "answerIn"> {
  credential: NativeCredential | null;
}

export type Connection = ReturnType<typeof connect>;

/** Throws when the program cannot be started. */
export function connect({ credential, ...options }: ConnectionOptions) {
  const handed = handOver(credential);
  const lines = openJsonLines({ ...options, agent: "claude", handed, answerIn });

  /** Asks the agent; rejects when it refuses or ends first. */
  function request(asked: { subtype: string; [key: string]: unknown }): Promise<unknown> {
    return lines.ask((request_id) => ({ type: "control_request", request_id, request: asked }));
  }

  return {
    write: lines.write,
    request,
    /** The first request: when it is answered, the agent has read all it needs to start. */
    async initialize(options: Record<string, unknown> = {}): Promise<unknown> {
      const answer = await request({ subtype: "initialize", ...options });
      handed.erase();
      return answer;
    },
    respond(request_id: string, response: Record<string, unknown>): void {
      lines.write({ type: "control_response", response: { subtype: "success", request_id, response } });
    },
    refuse(request_id: string, error: string): void {
      lines.write({ type: "control_response", response: { subtype: "error", request_id, error } });
    },
    /** Ends the process and everything it runs. In the middle of a turn it is interrupted first, which ends its tools. */
    close: ({ busy }: { busy: boolean }) => lines.close(busy ? "SIGINT" : null),
  };
}

function answerIn(message: unknown) {
  const answer = tagOf(message) === "control_response" ? SDKControlResponse.safeParse(message).data : undefined;
  if (!answer) return null;
  const { response } = answer;
  const id = response.request_id;
  return response.subtype === "error"
    ? { id, error: new Error(response.error ?? "refused") }
    : { id, result: response.response ?? {} };
}
