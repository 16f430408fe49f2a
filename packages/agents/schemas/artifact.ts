/** The committed part of an agent's protocol: what the adapter uses, and the module that is generated from it. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../src/install/run-program.ts";

export interface Artifact<Definitions> {
  version: string;
  definitions: Definitions;
}

export interface Protocol<Definitions> {
  artifactPath: string;
  modulePath: string;
  /** The protocol schema of the pinned program. */
  extract(binary: string): Promise<Artifact<Definitions>>;
  zodModule(definitions: Definitions, version: string): string;
}

/** Writes the artifact and the module. `binary`: the pinned program, or null to use the committed artifact. */
export async function generate<Definitions>(
  { artifactPath, modulePath, extract, zodModule }: Protocol<Definitions>,
  binary: string | null,
): Promise<{ changed: boolean }> {
  const artifact = binary === null ? await readArtifact<Definitions>(artifactPath) : await extract(binary);
  const changes = await Promise.all([
    replaceFile(artifactPath, `${JSON.stringify(artifact, null, 1)}\n`),
    replaceFile(modulePath, zodModule(artifact.definitions, artifact.version)),
  ]);
  return { changed: changes.includes(true) };
}

export async function readArtifact<Definitions>(path: string): Promise<Artifact<Definitions>> {
  return JSON.parse(await readFile(path, "utf8"));
}

export async function inTemporaryFolder<Result>(action: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "agent-schema-"));
  try {
    return await action(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const limitMs = 5 * 60_000;

/** The output of a program. Throws with its stderr if it fails. */
export async function outputOf(
  command: string[],
  options: { cwd: string; env: Record<string, string | undefined> },
): Promise<string> {
  const { stdout, stderr, failure } = await runProgram(command, { ...options, limitMs });
  if (failure !== null) throw new Error(`${command.join(" ")} ${failure}: ${stderr.trim()}`);
  return stdout.trim();
}

/** Writes a file unless it has that text already. Resolves to whether it changed. */
async function replaceFile(path: string, text: string): Promise<boolean> {
  if ((await readFile(path, "utf8").catch(() => null)) === text) return false;
  await writeFile(path, text);
  return true;
}
