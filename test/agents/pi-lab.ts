/** The real Pi behind a real daemon, with a scripted model on loopback and a home of its own. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { createPiAgent } from "../../packages/agents/src/pi/agent.ts";
import { temporaryDirectory } from "../harness/daemon.ts";
import { startModelServer } from "../model/server.ts";
import { type LabOptions as AgentLabOptions, installer, startAgentLab } from "./lab.ts";

const ModelCall = z.object({
  model: z.string(),
  tools: z.array(z.object({ name: z.string() })).min(1),
  thinking: z.object({ type: z.string() }).optional(),
});
type ModelCall = z.infer<typeof ModelCall>;

export interface LabOptions extends AgentLabOptions {
  /** How long Pi waits before it asks a failing provider once more. */
  retryMs?: number;
}

export type Lab = Awaited<ReturnType<typeof startLab>>;

export async function startLab({ retryMs = 50, home = temporaryDirectory(), ...options }: LabOptions = {}) {
  await installer.require("pi");
  const model = await startModelServer();
  onTestFinished(() => model.close());
  mkdirSync(join(home, ".pi/agent"), { recursive: true });
  const settings = { retry: { maxRetries: 1, baseDelayMs: retryMs } };
  writeFileSync(join(home, ".pi/agent/settings.json"), JSON.stringify(settings));
  const env = {
    ANTHROPIC_API_KEY: "key-of-the-machine",
    ANTHROPIC_BASE_URL: model.url,
    OPENAI_BASE_URL: `${model.url}/v1`,
    ...options.env,
  };
  const defaults = { model: "anthropic/claude-sonnet-4-5" };
  const lab = await startAgentLab({ create: createPiAgent, defaults }, { ...options, home, env });
  return {
    ...lab,
    model,
    /** The requests for an answer that the model has had. */
    modelCalls: (): ModelCall[] => model.requests.flatMap(({ body }) => ModelCall.safeParse(body).data ?? []),
  };
}
