/**
 * The document of the public ACP registry. An entry becomes the definition of an agent, if it can run on this machine. Keys
 * that are not used are not checked.
 */
import { type AgentDefinition, AgentId, AgentInstallSource, type Infer, lazy, lazyObject } from "@sandbox-agent/schema";
import * as z from "zod";
import { type Platform, registryPlatform } from "../install/platform.ts";
import { registryOverrides } from "./registry-overrides.ts";

const Launch = lazyObject(() => ({
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
}));
const Package = lazy(() => Launch().extend({ package: z.string() }));
const Binary = lazy(() => Launch().extend({ archive: z.string(), cmd: z.string(), sha256: z.string().optional() }));

const RegistryEntry = lazyObject(() => ({
  id: AgentId(),
  name: z.string().min(1),
  version: z.string(),
  distribution: z.object({
    npx: Package().optional(),
    binary: z.record(z.string(), Binary()).optional(),
  }),
}));
type RegistryEntry = Infer<typeof RegistryEntry>;

export const RegistryDocument = lazyObject(() => ({ version: z.string(), agents: z.array(RegistryEntry()).min(1) }));
export type RegistryDocument = Infer<typeof RegistryDocument>;

/** Definitions by id. Agents that are not distributed by npm or as an archive for this platform are left out. */
export function registryDefinitions(
  { agents }: RegistryDocument,
  platform: Platform | null,
): Map<string, AgentDefinition> {
  const entries = agents.flatMap((entry) => {
    const definition = platform && definitionOf(entry, platform);
    return definition ? [[entry.id, definition] as const] : [];
  });
  return new Map(entries);
}

/** A binary is preferred to a package: it needs no runtime and no installation step. */
function definitionOf(entry: RegistryEntry, platform: Platform): AgentDefinition | null {
  return binaryDefinition(entry, platform) ?? packageDefinition(entry);
}

function packageDefinition({ id, name, distribution: { npx } }: RegistryEntry): AgentDefinition | null {
  const install = AgentInstallSource().safeParse({ type: "npm", package: npx?.package });
  if (!npx || !install.success) return null;
  return { name, install: install.data, ...launchOf(id, npx) };
}

function binaryDefinition({ id, name, version, distribution }: RegistryEntry, platform: Platform) {
  const key = registryPlatform(platform);
  const binary = distribution.binary?.[key];
  if (!binary) return null;
  const command = binary.cmd.replace(/^\.\//, "");
  const install = AgentInstallSource().safeParse({
    type: "archive",
    version,
    archives: { [key]: { url: binary.archive, ...(binary.sha256 && { sha256: binary.sha256 }) } },
  });
  if (!install.success || command.startsWith("/") || command.split("/").includes("..")) return null;
  return { name, command, install: install.data, ...launchOf(id, binary) };
}

function launchOf(id: string, { args, env }: Infer<typeof Launch>): Omit<AgentDefinition, "install"> {
  const { env: ownEnv, ...notes } = registryOverrides[id] ?? {};
  return { ...(args && { args }), ...notes, ...((env || ownEnv) && { env: { ...env, ...ownEnv } }) };
}
