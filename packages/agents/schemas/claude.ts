/**
 * The types of Claude Code's stream-json protocol. The program itself describes them nowhere; its agent SDK of the same
 * version does, in TypeScript. `claude/generated/claude.json` holds the part that the adapter uses, and
 * `src/claude/generated/protocol.ts` is made from it. Without the program or the registry, the committed artifact is
 * used.
 */
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Artifact, inTemporaryFolder, outputOf, type Protocol, readArtifact } from "./artifact.ts";
import { apiPackage, sdkPackage } from "./claude/picks.ts";
import { type Definitions, definitionsFrom, zodModule } from "./claude/zod.ts";

const artifactPath = join(import.meta.dirname, "claude/generated/claude.json");
export const modulePath = join(import.meta.dirname, "../src/claude/generated/protocol.ts");

export const claude: Protocol<Definitions> = {
  artifactPath,
  modulePath,
  extract: async (binary) => extract(await versionOf(binary)).catch(committed),
  zodModule,
};

export const committed = () => readArtifact<Definitions>(artifactPath);

/** What the agent SDK of that version declares. Needs the package registry. */
export function extract(version: string): Promise<Artifact<Definitions>> {
  return inTemporaryFolder(async (directory) => {
    await writeFile(join(directory, "package.json"), "{}");
    const flags = ["--exact", "--ignore-scripts", "--omit=optional", "--omit=peer"];
    await run([process.execPath, "add", ...flags, sdkPackage(version), apiPackage], directory);
    const files = [
      "claude-agent-sdk/sdk.d.ts",
      "claude-agent-sdk/sdk-tools.d.ts",
      "sdk/resources/beta/messages/messages.d.ts",
    ];
    const sources = await Promise.all(
      files.map((file) => readFile(join(directory, "node_modules/@anthropic-ai", file), "utf8")),
    );
    return { version, definitions: definitionsFrom(sources) };
  });
}

/** `claude --version` prints "2.1.197 (Claude Code)". */
async function versionOf(binary: string): Promise<string> {
  const output = await run([binary, "--version"], tmpdir());
  return output.trim().split(" ")[0] ?? output;
}

function run(command: string[], cwd: string): Promise<string> {
  return outputOf(command, { cwd, env: { ...process.env, BUN_BE_BUN: "1", DISABLE_AUTOUPDATER: "1" } });
}
