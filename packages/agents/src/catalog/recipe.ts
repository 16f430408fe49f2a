/** Splits a definition into the recipe to install the program and the profile to start the agent. */
import { basename } from "node:path";
import type { AgentDefinition, AgentInstallSource, AgentSource } from "@sandbox-agent/schema";
import type { AcpProfile } from "../acp/profile.ts";
import type { NpmRecipe, Recipe, VendorRecipe } from "../install/manifest.ts";
import { type Platform, registryPlatform } from "../install/platform.ts";
import { isArchive } from "../install/unpack.ts";

export function recipeOf(definition: AgentDefinition, source: AgentSource, platform: Platform | null): Recipe {
  const { command, install } = definition;
  const chosen: Pick<Recipe, "mute" | "pinned"> = { mute: true, ...(source === "custom" && { pinned: true }) };
  if (!install) return { ...chosen, program: command ?? null, version: null };
  if (install.type === "npm") {
    const { name, version } = packageParts(install.package);
    const npm: NpmRecipe = { package: () => name, ...(command && { bin: command }) };
    return { ...chosen, program: command ?? null, version, runtime: "bun", npm };
  }
  const vendor = platform && command ? archiveRecipe(install, command, platform) : null;
  const program = command ? basename(command) : null;
  return { ...chosen, program, version: install.version, ...(vendor && { vendor }) };
}

export function profileOf(id: string, definition: AgentDefinition): AcpProfile {
  const { name = id, args = [], env, inheritEnv, keys, endpoints, authMethod, asksQuestions } = definition;
  return {
    id,
    name,
    args,
    ...(env && { env }),
    ...(inheritEnv && { inheritEnv }),
    ...(keys && { keys }),
    ...(endpoints && { endpoints }),
    ...(authMethod && { authMethod }),
    ...(asksQuestions && { asksQuestions }),
  };
}

function packageParts(spec: string): { name: string; version: string | null } {
  const at = spec.lastIndexOf("@");
  return at > 0 ? { name: spec.slice(0, at), version: spec.slice(at + 1) } : { name: spec, version: null };
}

/** Null if there is no archive for this platform. */
function archiveRecipe(
  { archives }: Extract<AgentInstallSource, { type: "archive" }>,
  executable: string,
  platform: Platform,
): VendorRecipe | null {
  const archive = archives[registryPlatform(platform)];
  if (!archive) return null;
  const { origin, pathname, search } = new URL(archive.url);
  const name = pathname.slice(pathname.lastIndexOf("/") + 1);
  return {
    releasesUrl: origin + pathname.slice(0, -name.length - 1),
    latest: "fixed",
    asset: () => name + search,
    kind: isArchive(name) ? "archive" : "program",
    executable,
    ...(archive.sha256 && { sha256: archive.sha256 }),
  };
}
