/** Methods of sessions that are open on the connection, such as `session/prompt`, `cancel` and `set_mode`. */
import type {
  PromptRequest,
  PromptResponse,
  SetSessionConfigOptionRequest,
  SetSessionModeRequest,
} from "@agentclientprotocol/sdk/unstable";
import { background } from "@sandbox-agent/agents";
import { keepAttachment } from "../../../session/attachments.ts";
import type { Connection } from "../connection.ts";
import { promptOf } from "../translate/prompt.ts";
import { configOptions, settingChange } from "../translate/settings.ts";

/** Cancelling the request aborts its turn. */
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

export async function setConfigOption(
  connection: Connection,
  { sessionId, configId, value }: Pick<SetSessionConfigOptionRequest, "sessionId" | "configId" | "value">,
) {
  const { session, view } = connection.find(sessionId);
  const change = settingChange(configId, value, session.state.settings, view.catalog);
  await connection.context.sessions.update(sessionId, change);
  return { configOptions: configOptions(session.state.settings, view.catalog) };
}

export async function setMode(connection: Connection, { sessionId, modeId }: SetSessionModeRequest) {
  await setConfigOption(connection, { sessionId, configId: "mode", value: modeId });
  return {};
}

/** Removed from ACP, but still widely used. */
export async function setModel(connection: Connection, { sessionId, modelId }: { sessionId: string; modelId: string }) {
  await setConfigOption(connection, { sessionId, configId: "model", value: modelId });
  return {};
}
