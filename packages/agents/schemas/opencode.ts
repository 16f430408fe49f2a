/**
 * The types of OpenCode's API, extracted from the pinned program: `opencode.json` holds the part of its OpenAPI document
 * that the adapter uses, `src/opencode/generated/api.ts` is made from it. Without the program, the committed artifact is
 * used.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bodies, events, members, schemas } from "./opencode-picks.ts";
import { type Definitions, type JsonSchema, prune, zodModule } from "./opencode-zod.ts";
import { replaceFile } from "./replace-file.ts";
import { runProgram } from "./run-program.ts";

export const artifactPath = join(import.meta.dirname, "opencode.json");
export const modulePath = join(import.meta.dirname, "../src/opencode/generated/api.ts");

interface Artifact {
  version: string;
  definitions: Definitions;
}

interface Content {
  content: { "application/json": { schema: JsonSchema } };
}

interface Operation {
  requestBody?: Content;
  responses: Record<string, Content>;
}

interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Definitions };
}

/** Writes the artifact and the module. `binary`: the pinned `opencode`, or null to go on with the committed artifact. */
export async function generate({ binary }: { binary: string | null }): Promise<{ changed: boolean }> {
  const artifact = binary === null ? await committed() : await extract(binary);
  const changes = await Promise.all([
    replaceFile(artifactPath, `${JSON.stringify(artifact, null, 1)}\n`),
    replaceFile(modulePath, zodModule(artifact.definitions, events, artifact.version)),
  ]);
  return { changed: changes.includes(true) };
}

/** What the program itself says its API is. */
export async function extract(binary: string): Promise<Artifact> {
  const home = await mkdtemp(join(tmpdir(), "opencode-schema-"));
  try {
    const version = await run(binary, ["--version"], home);
    const document: OpenApiDocument = JSON.parse(await run(binary, ["generate"], home));
    const named = Object.entries(bodies).map(([name, body]) => [name, bodySchema(document, body)] as const);
    const all = { ...document.components.schemas, ...Object.fromEntries(named) };
    const roots = [...events, ...Object.keys(bodies), ...schemas];
    return { version, definitions: prune(all, roots, members) };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

export async function committed(): Promise<Artifact> {
  return JSON.parse(await readFile(artifactPath, "utf8"));
}

function bodySchema(document: OpenApiDocument, { method, path, side }: (typeof bodies)[string]): JsonSchema {
  const operation = document.paths[path]?.[method];
  const body = side === "request" ? operation?.requestBody : operation?.responses["200"];
  if (!body) throw new Error(`this version of OpenCode has no ${side} of ${method} ${path}`);
  return body.content["application/json"].schema;
}

function run(binary: string, args: string[], home: string): Promise<string> {
  const quiet = { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" };
  return runProgram([binary, ...args], { cwd: home, env: { PATH: process.env.PATH, HOME: home, ...quiet } });
}
