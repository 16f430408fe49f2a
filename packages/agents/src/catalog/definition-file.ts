/** Files with definitions of agents: `agents.json` of the data directory, and the file of `--agent-config`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AgentDefinition, AgentId } from "@sandbox-agent/schema/agent-definition";
import { lazy } from "@sandbox-agent/schema/lazy";
import * as z from "zod";
import { builtinIds } from "../builtin.ts";
import { replaceFile } from "./replace-file.ts";

const DefinitionFile = lazy(() => z.strictObject({ agents: z.record(AgentId(), AgentDefinition()) }));

export type Definitions = ReadonlyMap<string, AgentDefinition>;

export interface DefinitionFiles {
  /** `agents.json` in the data directory; null = there is no data directory. */
  ownFile: string | null;
  own: Definitions;
  configured: Definitions;
}

/** Throws an error with the file and the field if a file is invalid. */
export function readDefinitionFiles(directory: string | null, configFile: string | null): DefinitionFiles {
  const ownFile = directory === null ? null : join(directory, ownFileName);
  return {
    ownFile,
    own: (ownFile === null ? null : readDefinitions(ownFile)) ?? noDefinitions,
    configured: configFile === null ? noDefinitions : requireDefinitions(configFile),
  };
}

const ownFileName = "agents.json";
const noDefinitions: Definitions = new Map();

function requireDefinitions(file: string): Definitions {
  const definitions = readDefinitions(file);
  if (definitions) return definitions;
  throw new Error(`${file} does not exist; create the agent configuration file or correct its path`);
}

/** Null if the file does not exist. */
function readDefinitions(file: string): Definitions | null {
  const text = readOrNull(file);
  if (text === null) return null;
  const definitions = new Map(Object.entries(parseDefinitions(file, text)));
  for (const id of builtinIds)
    if (definitions.has(id)) throw new Error(`${file}: agents.${id}: ${id} is built in; choose another id`);
  return definitions;
}

function parseDefinitions(file: string, text: string): Record<string, AgentDefinition> {
  const parsed = DefinitionFile().safeParse(parseJson(file, text));
  if (parsed.success) return parsed.data.agents;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".") || "the file"}: ${reasonOf(issue)}`);
  throw new Error(`${file} has invalid agent definitions; correct it: ${faults.join("; ")}`);
}

export function writeDefinitions(file: string, definitions: Definitions): void {
  replaceFile(file, `${JSON.stringify({ agents: Object.fromEntries(definitions) }, null, 2)}\n`);
}

/** The reason for an invalid key is in a nested issue. */
function reasonOf(issue: z.core.$ZodIssue): string {
  return (issue.code === "invalid_key" ? issue.issues[0]?.message : undefined) ?? issue.message;
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON; correct or remove it: ${error instanceof Error ? error.message : error}`);
  }
}
