/** The launch of Amp for a session: arguments, files and environment. No secret is on the command line. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentSettings, SessionSpec } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
import { inheritedVariables } from "../inherited-variables.ts";
import type { InstalledAgent } from "../install/installer.ts";
import { ownerVariable } from "../process/tree.ts";
import { gateVariable } from "./gate/program.ts";
import { nativeServers } from "./mcp.ts";
import { sessionSettings, userSettings } from "./settings.ts";

export interface LaunchFiles {
  settings: string;
  /** null when the session has no MCP servers. */
  mcp: string | null;
}

export interface LaunchOptions {
  flags: ReadonlySet<string>;
  settings: AgentSettings;
  threadId: string | null;
  files: LaunchFiles;
}

export function sessionArguments({ flags, settings, threadId, files }: LaunchOptions): string[] {
  const ifListed = (flag: string, ...value: string[]) => (flags.has(flag) ? [flag, ...value] : []);
  return [
    ...(threadId === null ? [] : ["threads", "continue", threadId]),
    // Without a prompt after it, Amp reads the prompt from stdin.
    "--execute",
    "--stream-json",
    ...ifListed("--stream-json-thinking"),
    ...ifListed("--stream-json-input"),
    ...ifListed("--settings-file", files.settings),
    ...(files.mcp === null ? [] : ifListed("--mcp-config", files.mcp)),
    // A thread keeps the mode it was started in.
    ...(settings.model === null || threadId !== null ? [] : ifListed("--mode", settings.model)),
    ...(settings.permissionMode === "bypass" ? ifListed("--dangerously-allow-all") : []),
    ...ifListed("--no-archive-after-execute"),
    ...ifListed("--no-ide"),
    ...ifListed("--no-notifications"),
  ];
}

/** The files of a session, in a folder that only this user can read. */
export function writeLaunchFiles(
  folder: string,
  spec: Pick<SessionSpec, "mcp" | "env">,
  gate: string | null,
  environment: AgentEnvironment,
): LaunchFiles {
  const env = { ...environment.env, ...spec.env };
  const servers = nativeServers(spec.mcp, env);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const write = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
    return path;
  };
  return {
    settings: write("settings.json", sessionSettings(userSettings(env), gate)),
    mcp: Object.keys(servers).length === 0 ? null : write("mcp.json", servers),
  };
}

export function launchEnvironment(
  spec: Pick<SessionSpec, "env" | "endpoints">,
  installed: InstalledAgent,
  { key, gateAddress }: { key: string; gateAddress: string },
  environment: AgentEnvironment,
): Record<string, string> {
  // The settings are in a file of the session's own.
  const { AMP_SETTINGS_FILE: _, ...variables } = { ...inheritedVariables(environment), ...spec.env };
  return {
    AMP_SKIP_UPDATE_CHECK: "1",
    ...variables,
    ...installed.env,
    ...(spec.endpoints.amp && { AMP_URL: spec.endpoints.amp }),
    AMP_API_KEY: key,
    [gateVariable]: gateAddress,
    [ownerVariable]: environment.owner,
  };
}
