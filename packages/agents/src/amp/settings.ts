/**
 * Amp's settings for a session: the user's own, with permissions delegated to the daemon. Settings of a workspace take
 * precedence, so a session in a workspace that allows tool calls itself is rejected.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Variables } from "../variables.ts";
import { readOnlyTools } from "./gate/policy.ts";

type Settings = Record<string, unknown>;

const Settings = z.record(z.string(), z.unknown());

/** `gate`: the program to run before a tool call; null = all calls are allowed. */
export function sessionSettings(own: Settings, gate: string | null): Settings {
  const shared = { ...own, "amp.updates.mode": "disabled" };
  if (gate === null) return { ...shared, "amp.permissions": [], "amp.dangerouslyAllowAll": true };
  const rules = [
    ...readOnlyTools.map((tool) => ({ tool, action: "allow" })),
    { tool: "*", action: "delegate", to: gate },
  ];
  return { ...shared, "amp.permissions": rules, "amp.dangerouslyAllowAll": false };
}

/** The user's settings for all workspaces. */
export function userSettings(env: Variables): Settings {
  const folder = join(env.XDG_CONFIG_HOME || join(env.HOME ?? "", ".config"), "amp");
  const files = env.AMP_SETTINGS_FILE ? [env.AMP_SETTINGS_FILE] : settingsIn(folder);
  const file = files.find((path) => existsSync(path));
  return file ? read(file) : {};
}

export function requireGateable(directory: string): void {
  const file = workspaceSettings(directory);
  if (file === null) return;
  const settings = read(file);
  const lifts = settings["amp.dangerouslyAllowAll"] === true || lifting(settings["amp.permissions"]);
  if (!lifts) return;
  throw new ProblemError(
    "mode_not_supported",
    `${file} allows tool calls, and Amp prefers it to the daemon's settings, so permissions could not be requested; remove amp.permissions and amp.dangerouslyAllowAll from it, or use permissionMode bypass`,
    { agent: "amp" },
  );
}

const Rule = z.object({ action: z.string() });

/** Rules that only ask or reject allow nothing. */
function lifting(rules: unknown): boolean {
  if (!Array.isArray(rules)) return false;
  return rules.some((rule) => !["ask", "reject"].includes(Rule.safeParse(rule).data?.action ?? ""));
}

/** The nearest settings file, in the directory or above it. */
function workspaceSettings(directory: string): string | null {
  const found = settingsIn(join(directory, ".amp")).find((path) => existsSync(path));
  if (found) return found;
  const parent = dirname(directory);
  return parent === directory ? null : workspaceSettings(parent);
}

function settingsIn(folder: string): string[] {
  return [join(folder, "settings.json"), join(folder, "settings.jsonc")];
}

function read(file: string): Settings {
  try {
    return Settings.parse(Bun.JSONC.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new ProblemError("invalid_request", `${file} is not a valid Amp settings file: ${String(cause)}`, {
      agent: "amp",
    });
  }
}
