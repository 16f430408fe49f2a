/** Modes and models as the agent itself lists them when a session is made. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import { askedOnce } from "../asked-once.ts";
import type { AgentEnvironment } from "../environment.ts";
import { background } from "../tasks/background.ts";
import { type Config, configOf, noConfig } from "./config.ts";
import { connect, type Limits } from "./connection.ts";
import { openConversation } from "./conversation.ts";
import { launchFor } from "./launch.ts";
import type { AcpProfile } from "./profile.ts";

/** To close an agent takes a scan of all processes, and the session that is being made has to wait for that. */
const closeAfterMs = 1000;

export function createCatalogue(profile: AcpProfile, environment: AgentEnvironment, limits: Limits) {
  return askedOnce(
    () => probe(profile, environment, limits),
    (error) => {
      // Who waited for an agent that does not answer need not wait for it a second time.
      if (error instanceof ProblemError && error.kind === "timeout") throw error;
      environment.log(`${profile.id} could not be asked for its modes and models`, { error: String(error) });
      return noConfig;
    },
  );
}

async function probe(profile: AcpProfile, environment: AgentEnvironment, limits: Limits): Promise<Config> {
  const installed = await environment.installer.find(profile.id);
  if (!installed) throw new Error(`${profile.id} is not installed`);
  const directory = join(environment.dataDir, "acp", profile.id);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const wishes = { env: {}, credentials: {}, endpoints: {}, directory };
  const launch = launchFor(profile, installed, environment, wishes);
  environment.hide(launch.secrets);
  const connection = await connect(launch, () => {}, limits);
  try {
    const fresh = { ...wishes, nativeSessionId: null, mcp: {} };
    const { sessionId, result } = await openConversation(profile.id, connection, fresh, environment.env);
    if (connection.abilities.sessionCapabilities.delete)
      await connection.request("session/delete", { sessionId }).catch(() => {});
    return configOf(result);
  } finally {
    setTimeout(
      () => background(`close ${profile.id} after it was asked for modes and models`, connection.close()),
      closeAfterMs,
    ).unref();
  }
}
