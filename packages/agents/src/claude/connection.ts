/** A running Claude Code process, with control requests in both directions. */
import { type JsonLinesOptions, openJsonLines } from "../process/json-lines.ts";
import { credentialFd, type NativeCredential } from "./credential.ts";
import { SDKControlResponse } from "./generated/protocol.ts";
import { tagOf } from "./translate/tag.ts";

export interface ConnectionOptions extends Omit<JsonLinesOptions, "agent" | "secret" | "responseIn"> {
  credential: NativeCredential | null;
}

export type Connection = ReturnType<typeof connect>;

/** Throws when the program cannot be started. */
export function connect({ credential, ...options }: ConnectionOptions) {
  const secret = credentialFd(credential);
  const lines = openJsonLines({ ...options, agent: "claude", secret, responseIn });

  /** Sends a control request; rejects if the agent responds with an error or exits first. */
  function request(body: { subtype: string; [key: string]: unknown }): Promise<unknown> {
    return lines.request((request_id) => ({ type: "control_request", request_id, request: body }));
  }

  return {
    write: lines.write,
    request,
    /** The first request. Once it is answered, the agent has read its credential. */
    async initialize(options: Record<string, unknown> = {}): Promise<unknown> {
      const response = await request({ subtype: "initialize", ...options });
      secret.erase();
      return response;
    },
    respond(request_id: string, response: Record<string, unknown>): void {
      lines.write({ type: "control_response", response: { subtype: "success", request_id, response } });
    },
    reject(request_id: string, error: string): void {
      lines.write({ type: "control_response", response: { subtype: "error", request_id, error } });
    },
    /** Stops the process and its descendants. A running turn is interrupted first, which stops its tools. */
    close: ({ busy }: { busy: boolean }) => lines.close(busy ? "SIGINT" : null),
  };
}

function responseIn(message: unknown) {
  const parsed = tagOf(message) === "control_response" ? SDKControlResponse.safeParse(message).data : undefined;
  if (!parsed) return null;
  const { response } = parsed;
  const id = response.request_id;
  return response.subtype === "error"
    ? { id, error: new Error(response.error ?? "the request was rejected") }
    : { id, result: response.response ?? {} };
}
