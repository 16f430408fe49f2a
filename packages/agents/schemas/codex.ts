/**
 * The types of the Codex app-server protocol, extracted from the pinned program: `codex/generated/protocol.json` holds
 * the part of its JSON schema that the adapter uses, `src/codex/generated/protocol.ts` is made from it. Without the
 * program, the committed artifact is used.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { roots } from "./codex/picks.ts";
import { type Definitions, type JsonSchema, prune, zodModule } from "./codex/zod.ts";
import { replaceFile } from "./replace-file.ts";
import { runProgram } from "./run-program.ts";

export const artifactPath = join(import.meta.dirname, "codex/generated/protocol.json");
export const modulePath = join(import.meta.dirname, "../src/codex/generated/protocol.ts");

interface Artifact {
  version: string;
  definitions: Definitions;
}

/** Writes the artifact and the module. `binary`: the pinned `codex`, or null to go on with the committed artifact. */
export async function generate({ binary }: { binary: string | null }): Promise<{ changed: boolean }> {
  const artifact = binary === null ? await committed() : await extract(binary);
  const changes = await Promise.all([
    replaceFile(artifactPath, `${JSON.stringify(artifact, null, 1)}\n`),
    replaceFile(modulePath, zodModule(artifact.definitions, artifact.version)),
  ]);
  return { changed: changes.includes(true) };
}

/** What the program itself says its protocol is. */
export async function extract(binary: string): Promise<Artifact> {
  const home = await mkdtemp(join(tmpdir(), "codex-schema-"));
  try {
    const version = await run(binary, ["--version"], home);
    await run(binary, ["app-server", "generate-json-schema", "--experimental", "--out", home], home);
    return { version: version.split(" ").at(-1) ?? version, definitions: prune(await readDefinitions(home), roots) };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

export async function committed(): Promise<Artifact> {
  return JSON.parse(await readFile(artifactPath, "utf8"));
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
  return runProgram([binary, ...args], { cwd: home, env });
}
