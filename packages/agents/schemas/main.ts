/**
 * `npm run schemas`: extracts the native schemas of the pinned agents, and generates the types that the translators use.
 * What cannot be reached is left as it is committed.
 */
import { join } from "node:path";
import { createInstaller } from "../src/install/create-installer.ts";
import { generate } from "./artifact.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { opencode } from "./opencode.ts";

const directory = join(import.meta.dirname, "../../../node_modules/.cache/sandbox-agent/agents");
const installer = createInstaller({ directory, env: process.env });

async function binaryOf(agent: string): Promise<string | null> {
  const installed = await installer.require(agent).catch((error: Error) => {
    console.warn(`${agent}: using the committed schema, since the agent cannot be installed: ${error.message}`);
    return null;
  });
  return installed?.path ?? null;
}

const results = {
  claude: await generate(claude, await binaryOf("claude")),
  codex: await generate(codex, await binaryOf("codex")),
  opencode: await generate(opencode, await binaryOf("opencode")),
};
for (const [agent, { changed }] of Object.entries(results))
  console.log(`${agent}: ${changed ? "changed" : "up to date"}`);
