/** The models of Pi, read from the program: those of the providers for which it has a key or login. */
import { tmpdir } from "node:os";
import type { AgentModels } from "@sandbox-agent/schema";
import { cachedLoad } from "../cached-load.ts";
import type { AgentEnvironment } from "../environment.ts";
import { within } from "../tasks/within.ts";
import { connect } from "./connection.ts";
import { providersFor } from "./credential.ts";
import { extensionFile } from "./extension-file.ts";
import { launchEnvironment, probeArguments, requireVersion } from "./launch.ts";
import { AvailableModels, type Model, State } from "./native.ts";

const levels = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];
/** Levels that a model only has if it lists them. */
const rareLevels = ["xhigh", "max"];

const probeMs = 30_000;

/** An empty list (Pi has no keys) is not cached either. */
export function createCatalog(environment: AgentEnvironment) {
  const { get, invalidate } = cachedLoad(
    () => probe(environment),
    (error): AgentModels => {
      environment.log("pi did not report its models", { error: String(error) });
      return { models: [] };
    },
  );
  return {
    async get(): Promise<AgentModels> {
      const offered = await get();
      if (offered.models.length === 0) invalidate();
      return offered;
    },
    invalidate,
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
      throw new Error(`no answer within ${probeMs} ms`);
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
