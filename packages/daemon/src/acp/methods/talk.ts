/** `session/prompt` and `session/cancel`. */
import type { PromptRequest, PromptResponse } from "@agentclientprotocol/sdk/unstable";
import { background } from "@sandbox-agent/agents";
import { keepAttachment } from "../../session/attachments.ts";
import type { Connection } from "../connection.ts";
import { promptOf } from "../translate/prompt.ts";

/** A request that is cancelled ends its turn. */
export async function prompt(
  connection: Connection,
  { sessionId, prompt }: PromptRequest,
  { signal }: { signal: AbortSignal },
): Promise<PromptResponse> {
  const conversation = connection.find(sessionId);
  const { message, attachments } = await promptOf(prompt, (data, mime) => {
    const file = { bytes: Buffer.from(data, "base64"), name: null, mime };
    return keepAttachment(connection.context, conversation.session.number, file);
  });
  signal.addEventListener("abort", () => background("cancel a prompt", cancel(connection, sessionId), sessionId));
  return conversation.prompt({ message, ...(attachments.length > 0 && { attachments }) });
}

export async function cancel(connection: Connection, sessionId: string): Promise<void> {
  await connection.find(sessionId).session.abort();
}
