/** The real Claude Code behind a real daemon, with a scripted model on loopback and a home of its own. */
import { onTestFinished } from "vitest";
import * as z from "zod";
import { createClaudeAgent } from "../../packages/agents/src/claude/agent.ts";
import { startModelServer } from "../model/server.ts";
import { installer, type LabOptions, startAgentLab } from "./lab.ts";

const ModelCall = z.object({
  model: z.string(),
  tools: z.array(z.unknown()).min(1),
  output_config: z.object({ effort: z.string().optional() }).optional(),
});
type ModelCall = z.infer<typeof ModelCall>;

export async function startLab(options: LabOptions = {}) {
  await installer.require("claude");
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const env = {
    IS_SANDBOX: "1",
    ANTHROPIC_API_KEY: "key-of-the-machine",
    ANTHROPIC_BASE_URL: model.url,
    CLAUDE_CODE_MAX_RETRIES: "1",
    ...options.env,
  };
  const lab = await startAgentLab({ create: createClaudeAgent }, { ...options, env });
  return {
    ...lab,
    model,
    /** The requests for an answer that the model has had, without the agent's side jobs. */
    modelCalls(): ModelCall[] {
      return model.requests.flatMap(({ path, body }) => {
        const call = path.startsWith("/v1/messages") ? ModelCall.safeParse(body).data : undefined;
        return call ? [call] : [];
      });
    },
  };
}
