/**
 * The types of the Codex app-server protocol, extracted from the pinned program: `codex/generated/protocol.json` holds
 * the part of its JSON schema that the adapter uses, `src/codex/generated/protocol.ts` is made from it. Without the
 * program, the committed artifact is used.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Artifact, inTemporaryFolder, outputOf, type Protocol, readArtifact } from "./artifact.ts";
import { definitionsFrom, zodModule } from "./codex/zod.ts";
import type { Definitions, JsonSchema } from "./json-schema.ts";

const artifactPath = join(import.meta.dirname, "codex/generated/protocol.json");
export const modulePath = join(import.meta.dirname, "../src/codex/generated/protocol.ts");

export const codex: Protocol<Definitions> = { artifactPath, modulePath, extract, zodModule };

export const committed = () => readArtifact<Definitions>(artifactPath);

/** The protocol schema of the program itself. */
export function extract(binary: string): Promise<Artifact<Definitions>> {
  return inTemporaryFolder(async (home) => {
    const version = await run(binary, ["--version"], home);
    await run(binary, ["app-server", "generate-json-schema", "--experimental", "--out", home], home);
    return { version: version.split(" ").at(-1) ?? version, definitions: definitionsFrom(await readDefinitions(home)) };
  });
}

/** Every type is in a file of its own, which repeats the types it refers to. */
async function readDefinitions(directory: string): Promise<Definitions> {
  const names = await readdir(directory, { recursive: true });
  const single = names.filter((name) => name.endsWith(".json") && !name.includes("codex_app_server_protocol"));
  const all: Definitions = {};
  for (const name of single) {
    const schema: JsonSchema & { definitions?: Definitions } = JSON.parse(
      await readFile(join(directory, name), "utf8"),
    );
    Object.assign(all, schema.definitions);
    all[name.replace(/^.*\/|\.json$/g, "")] = schema;
  }
  return all;
}

function run(binary: string, args: string[], home: string): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home };
  return outputOf([binary, ...args], { cwd: home, env });
}
