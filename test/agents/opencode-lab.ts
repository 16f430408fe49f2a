/** A daemon with the real OpenCode in an isolated home, talking to a scripted model. */
import type { Installer } from "@sandbox-agent/agents";
import { createOpenCodeAgent } from "../../packages/agents/src/opencode/agent.ts";
import { startModelServer } from "../model/server.ts";
import { installer, openAgentLab } from "./lab.ts";

export const testKey = "test-key-of-the-lab";

export interface LabOptions {
  anthropicKey?: string | null;
  idleMs?: number;
  choosePort?: () => Promise<number>;
  installer?: Installer;
}

export type Lab = Awaited<ReturnType<typeof openLab>>;

export async function openLab({ anthropicKey: key = testKey, choosePort, ...options }: LabOptions = {}) {
  const model = await startModelServer();
  const lab = await openAgentLab(
    {
      create: (environment) => createOpenCodeAgent(environment, choosePort),
      defaults: { model: "anthropic/claude-sonnet-4-5" },
    },
    {
      installer,
      ...options,
      env: { ANTHROPIC_BASE_URL: model.url, OPENAI_BASE_URL: `${model.url}/v1` },
      credentials: () => ({
        anthropic:
          (key && { provider: "anthropic", source: "environment", auth_type: "api_key", api_key: key }) || null,
        openai: null,
        other: {},
      }),
    },
  );
  const { close } = lab;
  return Object.assign(lab, {
    model,
    async close(): Promise<void> {
      await close();
      await model.close();
    },
  });
}
