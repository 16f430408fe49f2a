/** The launch of Pi for a session: arguments and environment, both without secrets. */
import { join } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import { type AgentSettings, type SessionSpec, sharedSkillFolder } from "../agent.ts";
import { modelKeyVariables } from "../credentials/secret-variables.ts";
import type { AgentEnvironment } from "../environment.ts";
import { inheritedVariables, ownVariable } from "../inherited-variables.ts";
import type { InstalledAgent } from "../install/installer.ts";
import { ownerVariable } from "../process/tree.ts";
import { type Variables, variablesWithout } from "../variables.ts";
import { replacedVariables } from "./credential.ts";
import type { GateMode } from "./extension.ts";
import { homeWithoutLogins } from "./home.ts";
import { planInstructions } from "./modes.ts";

export interface LaunchOptions {
  extension: string;
  settings: AgentSettings;
  gate: GateMode;
  sessionId: string;
  /** The folder with links to the skills of the session, if it has any. */
  skills: string | null;
}

/** Pi resumes the session if it exists, and creates it otherwise. */
export function sessionArguments({ extension, settings, gate, sessionId, skills }: LaunchOptions): string[] {
  const { model, variant } = settings;
  return [
    ...["--mode", "rpc"],
    ...["--extension", extension],
    ...["--session-id", sessionId],
    ...(model ? ["--model", model] : []),
    ...(variant ? ["--thinking", variant] : []),
    ...(skills ? ["--skill", skills] : []),
    ...(gate === "plan" ? ["--append-system-prompt", planInstructions] : []),
  ];
}

/** Arguments to read models, without a conversation. */
export function probeArguments(extension: string): string[] {
  return ["--mode", "rpc", "--extension", extension, "--no-session"];
}

/** Pi loads skills of an untrusted project only with an argument. */
export function skillsFolder({ skills, directory }: Pick<SessionSpec, "skills" | "directory">): string | null {
  return skills.sources.length === 0 ? null : join(directory, sharedSkillFolder);
}

/** The user's environment takes precedence over these. */
const defaults = { PI_OFFLINE: "1", PI_TELEMETRY: "0", PI_SKIP_VERSION_CHECK: "1" };

export function launchEnvironment(
  spec: Pick<SessionSpec, "env" | "credentials">,
  installed: InstalledAgent,
  environment: AgentEnvironment,
): Record<string, string> {
  const variables = { ...environment.env, ...spec.env };
  const hasOwnKeys = Object.keys(spec.credentials).length > 0;
  return {
    ...defaults,
    ...passedOn({ ...inheritedVariables(environment, modelKeyVariables), ...spec.env }),
    ...installed.env,
    ...(hasOwnKeys && { PI_CODING_AGENT_DIR: homeWithoutLogins(variables, environment.dataDir) }),
    [ownerVariable]: environment.owner,
  };
}

/** What programs may see of the environment: nothing of ours, and no keys that Pi gets otherwise. */
export function passedOn(variables: Variables): Record<string, string> {
  return variablesWithout(variables, (name) => replacedVariables.has(name) || ownVariable.test(name));
}

/** The first version that reports when it has settled. */
const oldest = [0, 80, 4];

export function requireVersion({ version, path }: InstalledAgent): void {
  if (version === null) return;
  const parts = version.split(/[.+-]/).map(Number);
  const difference = oldest.map((part, index) => (parts[index] ?? 0) - part).find((each) => each !== 0) ?? 0;
  if (difference >= 0) return;
  throw new ProblemError(
    "agent_not_installed",
    `${path} is Pi ${version}, but ${oldest.join(".")} or newer is needed; update it, or let the daemon install its own`,
    { agent: "pi" },
  );
}
