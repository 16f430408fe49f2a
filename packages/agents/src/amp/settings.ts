/**
 * Amp's settings for a session: the user's own, with the permissions in the daemon's hands. A workspace's settings win
 * over them, so a workspace that lifts permissions cannot be gated, and the session is refused.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Variables } from "../variables.ts";
import { readOnlyTools } from "./gate/policy.ts";

type Settings = Record<string, unknown>;

const Settings = z.record(z.string(), z.unknown());

/** `gate`: the program to ask before a tool call; null = no call is asked for. */
export function sessionSettings(own: Settings, gate: string | null): Settings {
  const shared = { ...own, "amp.updates.mode": "disabled" };
  if (gate === null) return { ...shared, "amp.permissions": [], "amp.dangerouslyAllowAll": true };
  const rules = [
    ...readOnlyTools.map((tool) => ({ tool, action: "allow" })),
    { tool: "*", action: "delegate", to: gate },
  ];
  return { ...shared, "amp.permissions": rules, "amp.dangerouslyAllowAll": false };
}

/** What the user has set for all workspaces. */
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
    `${file} lifts Amp's permissions, and Amp puts it before the daemon's settings, so no tool call could be asked for; remove amp.permissions and amp.dangerouslyAllowAll from it, or use permissionMode bypass`,
    { agent: "amp" },
  );
}

const Rule = z.object({ action: z.string() });

/** Rules that only ask or reject let nothing through. */
function lifting(rules: unknown): boolean {
  if (!Array.isArray(rules)) return false;
  return rules.some((rule) => !["ask", "reject"].includes(Rule.safeParse(rule).data?.action ?? ""));
}

/** The nearest one, in the directory or above it. */
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
    throw new ProblemError("invalid_request", `${file} cannot be read as settings of Amp: ${String(cause)}`, {
      agent: "amp",
    });
  }
}
