/** `session/set_mode`, `session/set_model` and `session/set_config_option`. */
import type { SetSessionConfigOptionRequest, SetSessionModeRequest } from "@agentclientprotocol/sdk/unstable";
import type { Connection } from "../connection.ts";
import { configOptions, settingChange } from "../translate/settings.ts";

export async function setConfigOption(
  connection: Connection,
  { sessionId, configId, value }: Pick<SetSessionConfigOptionRequest, "sessionId" | "configId" | "value">,
) {
  const { session, view } = connection.find(sessionId);
  const change = settingChange(configId, value, session.state.settings, view.catalogue);
  await connection.context.sessions.update(sessionId, change);
  return { configOptions: configOptions(session.state.settings, view.catalogue) };
}

export async function setMode(connection: Connection, { sessionId, modeId }: SetSessionModeRequest) {
  await setConfigOption(connection, { sessionId, configId: "mode", value: modeId });
  return {};
}

/** Removed from ACP, but in wide use. */
export async function setModel(connection: Connection, { sessionId, modelId }: { sessionId: string; modelId: string }) {
  await setConfigOption(connection, { sessionId, configId: "model", value: modelId });
  return {};
}
