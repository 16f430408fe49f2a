/** A daemon with one ACP agent: the real OpenCode talking to a scripted model, or a stand-in that plays a part. */
import type { Installer } from "@sandbox-agent/agents";
import { createAcpAgent } from "../../packages/agents/src/acp/agent.ts";
import { defaultLimits, type Limits } from "../../packages/agents/src/acp/connection.ts";
import type { AcpProfile } from "../../packages/agents/src/acp/profile.ts";
import { openAgentLab, installer as realInstaller } from "./lab.ts";

/** An installer that has this program, whatever is asked for. */
export function programInstaller(command: readonly string[]): Installer {
  const installed = async (agent: string) => ({ agent, version: "1.0.0", path: command[0] ?? "", command });
  return { find: installed, install: installed, require: installed, onProgress: () => () => {} };
}

/** OpenCode under the name of the profile. */
export const openCodeInstaller: Installer = {
  find: () => realInstaller.find("opencode"),
  install: () => realInstaller.install("opencode"),
  require: () => realInstaller.require("opencode"),
  onProgress: realInstaller.onProgress,
};

export interface LabOptions {
  profile: AcpProfile;
  installer: Installer;
  env?: Record<string, string>;
  limits?: Limits;
  idleMs?: number;
}

export type Lab = Awaited<ReturnType<typeof openLab>>;

export function openLab({ profile, limits = defaultLimits, ...options }: LabOptions) {
  return openAgentLab(
    { create: (environment) => createAcpAgent(profile, environment, limits) },
    { ...options, credentials: () => ({ anthropic: null, openai: null, other: {} }) },
  );
}
