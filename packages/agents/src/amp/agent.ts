/** Amp: one process per session that reads messages as JSON lines. The model loop and the threads are on Amp's server. */
import { join } from "node:path";
import type { AgentMode, AgentModels } from "@sandbox-agent/schema";
import type { Agent } from "../agent.ts";
import { cachedLoad } from "../cached-load.ts";
import type { AgentEnvironment } from "../environment.ts";
import { buildMode } from "../modes.ts";
import { presenceOf } from "../presence.ts";
import { amp } from "./description.ts";
import { installGate } from "./gate/program.ts";
import { readProgram } from "./program.ts";
import { openAmpSession, removeLeftovers } from "./session.ts";

const modes: AgentMode[] = [
  buildMode,
  { id: "plan", name: "Plan", description: "Explores the code and describes a plan; changes and runs nothing" },
];

/** Used if the program does not list its modes. */
const fallbackModes = ["low", "medium", "high", "ultra"];

export function createAmpAgent(environment: AgentEnvironment): Agent {
  const { installer } = environment;
  const gate = cachedLoad(
    () => installGate(join(environment.dataDir, "amp", "gate")),
    (error) => {
      throw error;
    },
  );
  removeLeftovers(environment);

  /** Amp has no choice of models, but modes that each use one. */
  async function offeredModes(): Promise<string[]> {
    const found = await installer.find("amp");
    const program = found && (await readProgram(found, environment.env).catch(() => null));
    return program && program.modes.length > 0 ? program.modes : fallbackModes;
  }

  return {
    ...amp,

    inspect: async () => presenceOf("amp", environment, environment.credentials().other.amp !== undefined),

    async install(options) {
      await installer.install("amp", options);
    },

    modes: async () => modes,
    models: async () => modelsFrom(await offeredModes()),
    open: (spec, sink) => openAmpSession(spec, sink, { environment, gateProgram: gate.get }),
  };
}

function modelsFrom(names: string[]): AgentModels {
  const defaultModel = ["medium", "smart"].find((name) => names.includes(name)) ?? names[0];
  return { models: names.map((id) => ({ id })), ...(defaultModel && { defaultModel }) };
}
