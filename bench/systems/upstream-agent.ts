/** A real agent behind the upstream daemon and the ACP adapter process that it needs. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Installer } from "@sandbox-agent/agents";
import type { BareAgent, BareOptions } from "../bare/bare.ts";
import { type UpstreamAgent, upstream } from "./upstream.ts";

export interface UpstreamPlaces {
  installer: Installer;
  /** Where the daemon is installed. */
  cache: string;
  /** Its home. */
  home: string;
}

export async function upstreamAgent(id: string, options: BareOptions, places: UpstreamPlaces): Promise<BareAgent> {
  mkdirSync(places.home, { recursive: true });
  const agent = await prepare[id]?.(options, places);
  if (!agent) throw new Error(`no setup of ${id} for the upstream daemon`);
  const { program, directory } = options;
  const daemon = await upstream(places.cache, { id, program, directory, ...agent }).start(places.home);
  await daemon.open("bench");
  const reader = await daemon.follow("bench");
  return {
    async turn(prompt) {
      const started = performance.now();
      let first: number | null = null;
      reader.onText = (text) => {
        if (text.includes('"agent_message_chunk"')) first ??= performance.now() - started;
      };
      await daemon.prompt("bench", prompt);
      return first ?? Number.NaN;
    },
    async close() {
      reader.close();
      await daemon.stop();
    },
  };
}

type Prepared = Omit<UpstreamAgent, "id" | "program" | "directory">;

const prepare: Record<string, (options: BareOptions, places: UpstreamPlaces) => Promise<Prepared>> = {
  claude: async ({ modelUrl }, { installer }) => ({
    adapter: (await installer.require("claude-acp")).command,
    // Without it, the agent does not run as root.
    env: { IS_SANDBOX: "1", ANTHROPIC_API_KEY: "test-key", ANTHROPIC_BASE_URL: modelUrl },
  }),
  async codex({ modelUrl }, { installer, home }) {
    mkdirSync(join(home, ".codex"), { recursive: true });
    writeFileSync(join(home, ".codex/config.toml"), codexConfig(modelUrl));
    const adapter = (await installer.require("codex-acp")).command;
    return { adapter, env: { OPENAI_API_KEY: "test-key" }, authMethod: "api-key" };
  },
  opencode: async ({ program, modelUrl }) => ({
    adapter: [program, "acp"],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        model: "anthropic/claude-sonnet-4-6",
        provider: { anthropic: { options: { apiKey: "test-key", baseURL: `${modelUrl}/v1` } } },
      }),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    },
  }),
};

function codexConfig(modelUrl: string): string {
  return `model = "gpt-5.5"
model_provider = "scripted"
[model_providers.scripted]
name = "Scripted"
base_url = "${modelUrl}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
`;
}
