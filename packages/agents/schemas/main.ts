/**
 * `npm run schemas`: extracts the native schemas of the pinned agents, and generates the types that the translators use.
 * What cannot be reached is left as it is committed.
 */
import { join } from "node:path";
import { createInstaller } from "../src/install/create-installer.ts";
import { generate as claude } from "./claude.ts";
import { generate as codex } from "./codex.ts";
import { generate as opencode } from "./opencode.ts";

const directory = join(import.meta.dirname, "../../../node_modules/.cache/sandbox-agent/agents");
const installer = createInstaller({ directory, env: process.env });

for (const [agent, generate] of Object.entries({ claude, codex, opencode })) {
  const installed = await installer.require(agent).catch((error: Error) => {
    console.warn(`${agent}: using the committed schema, since the agent cannot be installed: ${error.message}`);
    return null;
  });
  const { changed } = await generate({ binary: installed?.path ?? null });
  console.log(`${agent}: ${changed ? "changed" : "up to date"}`);
}
