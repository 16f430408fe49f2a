/**
 * The types of OpenCode's API, extracted from the pinned program: `opencode.json` holds the part of its OpenAPI document
 * that the adapter uses, `src/opencode/generated/api.ts` is made from it. Without the program, the committed artifact is
 * used.
 */
import { join } from "node:path";
import { type Artifact, inTemporaryFolder, outputOf, type Protocol, readArtifact } from "./artifact.ts";
import type { Definitions, JsonSchema } from "./json-schema.ts";
import { bodies } from "./opencode-picks.ts";
import { definitionsFrom, zodModule } from "./opencode-zod.ts";

const artifactPath = join(import.meta.dirname, "opencode.json");
export const modulePath = join(import.meta.dirname, "../src/opencode/generated/api.ts");

export const opencode: Protocol<Definitions> = { artifactPath, modulePath, extract, zodModule };

export const committed = () => readArtifact<Definitions>(artifactPath);

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

/** The API document of the program itself. */
export function extract(binary: string): Promise<Artifact<Definitions>> {
  return inTemporaryFolder(async (home) => {
    const version = await run(binary, ["--version"], home);
    const document: OpenApiDocument = JSON.parse(await run(binary, ["generate"], home));
    const named = Object.entries(bodies).map(([name, body]) => [name, bodySchema(document, body)] as const);
    const all = { ...document.components.schemas, ...Object.fromEntries(named) };
    return { version, definitions: definitionsFrom(all) };
  });
}

function bodySchema(document: OpenApiDocument, { method, path, side }: (typeof bodies)[string]): JsonSchema {
  const operation = document.paths[path]?.[method];
  const body = side === "request" ? operation?.requestBody : operation?.responses["200"];
  if (!body) throw new Error(`this version of OpenCode has no ${side} of ${method} ${path}`);
  return body.content["application/json"].schema;
}

function run(binary: string, args: string[], home: string): Promise<string> {
  const quiet = { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" };
  return outputOf([binary, ...args], { cwd: home, env: { PATH: process.env.PATH, HOME: home, ...quiet } });
}
