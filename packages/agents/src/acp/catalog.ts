/** Modes and models as the agent lists them when a session is created. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import { cachedLoad } from "../cached-load.ts";
import type { AgentEnvironment } from "../environment.ts";
import { background } from "../tasks/background.ts";
import { type Config, configOf, noConfig } from "./config.ts";
import { connect, type Limits } from "./connection.ts";
import { openConversation } from "./conversation.ts";
import { launchFor } from "./launch.ts";
import type { AcpProfile } from "./profile.ts";

/** The probe is closed later, because closing scans all processes and would delay the session that is being created. */
const closeAfterMs = 1000;

export function createCatalog(profile: AcpProfile, environment: AgentEnvironment, limits: Limits) {
  return cachedLoad(
    () => probe(profile, environment, limits),
    (error) => {
      // Fail at once: opening the session would only wait for the same agent again.
      if (error instanceof ProblemError && error.kind === "timeout") throw error;
      environment.log(`${profile.id} did not report its modes and models`, { error: String(error) });
      return noConfig;
    },
  );
}

async function probe(profile: AcpProfile, environment: AgentEnvironment, limits: Limits): Promise<Config> {
  const installed = await environment.installer.find(profile.id);
  if (!installed) throw new Error(`${profile.id} is not installed`);
  const directory = join(environment.dataDir, "acp", profile.id);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const overrides = { env: {}, credentials: {}, endpoints: {}, directory };
  const launch = launchFor(profile, installed, environment, overrides);
  environment.hide(launch.secrets);
  const connection = await connect(launch, () => {}, limits);
  try {
    const fresh = { ...overrides, nativeSessionId: null, mcp: {} };
    const { sessionId, result } = await openConversation(profile.id, connection, fresh, environment.env);
    if (connection.abilities.sessionCapabilities.delete)
      await connection.request("session/delete", { sessionId }).catch(() => {});
    return configOf(result);
  } finally {
    setTimeout(() => background(`close the probe of ${profile.id}`, connection.close()), closeAfterMs).unref();
  }
}
