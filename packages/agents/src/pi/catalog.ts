/** The models Pi offers: those of the providers it has a key or login for. Asked from the program itself. */
import { tmpdir } from "node:os";
import type { AgentModels } from "@sandbox-agent/schema";
import type { AgentEnvironment } from "../environment.ts";
import { within } from "../tasks/within.ts";
import { connect } from "./connection.ts";
import { providersFor } from "./credential.ts";
import { extensionFile } from "./extension-file.ts";
import { launchEnvironment, probeArguments, requireVersion } from "./launch.ts";
import { AvailableModels, type Model, State } from "./native.ts";

const levels = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];
/** Levels that a model has only if it says so. */
const rareLevels = ["xhigh", "max"];

const probeMs = 30_000;

/** The models, asked once for all callers. A failure, or a Pi without keys, is not kept: the next caller asks again. */
export function createCatalog(environment: AgentEnvironment) {
  let asked: Promise<AgentModels> | null = null;

  return {
    async get(): Promise<AgentModels> {
      asked ??= probe(environment);
      const models = await asked.catch((error) => {
        environment.log("pi could not be asked for its models", { error: String(error) });
        return { models: [] };
      });
      if (models.models.length === 0) asked = null;
      return models;
    },
    /** Another version may offer other models. */
    forget(): void {
      asked = null;
    },
  };
}

async function probe(environment: AgentEnvironment): Promise<AgentModels> {
  const installed = await environment.installer.find("pi");
  if (!installed) throw new Error("pi is not installed");
  requireVersion(installed);
  const nothing = { credentials: {}, env: {}, endpoints: {} };
  const connection = connect({
    command: [...installed.command, ...probeArguments(extensionFile(environment.dataDir))],
    cwd: tmpdir(),
    env: launchEnvironment(nothing, installed, environment),
    setup: { mode: "default", providers: providersFor(nothing, environment), tools: [] },
    onMessages: async () => {},
    onExit: () => {},
  });
  try {
    const answers = Promise.all([
      connection.request({ type: "get_available_models" }),
      connection.request({ type: "get_state" }),
    ]);
    const [available, state] = await within(probeMs, answers, () => {
      throw new Error("it did not answer");
    });
    return modelsFrom(AvailableModels.parse(available).models, State.parse(state).model ?? null);
  } finally {
    await connection.close({ busy: false });
  }
}

export function modelsFrom(models: readonly Model[], current: Model | null): AgentModels {
  const listed = models.map((model) => {
    const variants = variantsOf(model);
    return { id: modelId(model), ...(model.name && { name: model.name }), ...(variants.length > 0 && { variants }) };
  });
  const isListed = current !== null && listed.some(({ id }) => id === modelId(current));
  const defaultModel = isListed ? modelId(current) : listed[0]?.id;
  return { models: listed, ...(defaultModel && { defaultModel }) };
}

function modelId({ provider, id }: Model): string {
  return `${provider}/${id}`;
}

function variantsOf({ reasoning, thinkingLevelMap }: Model): string[] {
  if (!reasoning) return [];
  return levels.filter((level) => {
    const native = thinkingLevelMap?.[level];
    return native !== null && (native !== undefined || !rareLevels.includes(level));
  });
}
