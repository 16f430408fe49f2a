/** Files with definitions of agents: `agents.json` of the data directory, and what `--agent-config` names. */
import { readFileSync } from "node:fs";
import { AgentDefinition, AgentId } from "@sandbox-agent/schema";
import * as z from "zod";
import { replaceFile } from "./replace-file.ts";

const DefinitionFile = z.strictObject({ agents: z.record(AgentId, AgentDefinition) });

export type Definitions = ReadonlyMap<string, AgentDefinition>;

/** Null when there is no such file. Throws an error that names the file and the field at fault. */
export function readDefinitions(file: string): Definitions | null {
  const text = readOrNull(file);
  if (text === null) return null;
  const parsed = DefinitionFile.safeParse(parseJson(file, text));
  if (parsed.success) return new Map(Object.entries(parsed.data.agents));
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".") || "the whole"}: ${reasonOf(issue)}`);
  throw new Error(`${file} does not define agents as it should; correct it: ${faults.join("; ")}`);
}

export function writeDefinitions(file: string, definitions: Definitions): void {
  replaceFile(file, `${JSON.stringify({ agents: Object.fromEntries(definitions) }, null, 2)}\n`);
}

/** What is wrong with a key is told one level deeper. */
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
