/** Modes and models as Codex lists them, with a built-in list if it does not answer. */
import type { AgentMode, AgentModels } from "@sandbox-agent/schema";
import { CollaborationModeListResponse, type Model, ModelListResponse } from "./generated/protocol.ts";
import type { CodexServer } from "./server.ts";

export interface Catalog {
  modes: AgentMode[];
  models: AgentModels;
}

const build: AgentMode = { id: "build", name: "Build", description: "Reads and edits files and runs commands" };
const plan: AgentMode = {
  id: "plan",
  name: "Plan",
  description: "Explores the code and proposes a plan; changes nothing",
};

const efforts = ["low", "medium", "high", "xhigh", "max", "ultra"];

/** The models of the pinned version, each with its number of efforts and its default effort. */
const known: [id: string, efforts: number, defaultEffort: string][] = [
  ["gpt-6.1-sol", 6, "low"],
  ["gpt-6-astra", 6, "low"],
  ["gpt-6-sol", 6, "medium"],
  ["gpt-6-luna", 5, "medium"],
  ["gpt-5.6-sol", 6, "low"],
  ["gpt-6.1-terra", 6, "low"],
  ["gpt-5.6-terra", 6, "medium"],
  ["gpt-5.6-luna", 5, "medium"],
  ["gpt-5.5", 4, "medium"],
];

export const fallback: Catalog = {
  modes: [build, plan],
  models: {
    models: known.map(([id, count, defaultVariant]) => ({ id, variants: efforts.slice(0, count), defaultVariant })),
    defaultModel: "gpt-6.1-sol",
  },
};

export async function readCatalog(server: CodexServer): Promise<Catalog> {
  const [{ data: modes }, models] = await Promise.all([
    server.request("collaborationMode/list", {}, CollaborationModeListResponse),
    allModels(server),
  ]);
  const hasPlan = modes.some(({ mode }) => mode === "plan");
  const defaultModel = models.find(({ isDefault }) => isDefault)?.id ?? models[0]?.id;
  return {
    modes: hasPlan ? [build, plan] : [build],
    models: { models: models.map(agentModel), ...(defaultModel !== undefined && { defaultModel }) },
  };
}

async function allModels(server: CodexServer): Promise<Model[]> {
  const models: Model[] = [];
  let cursor: string | null = null;
  do {
    const page: ModelListResponse = await server.request("model/list", { cursor, limit: 100 }, ModelListResponse);
    models.push(...page.data);
    cursor = page.nextCursor ?? null;
  } while (cursor !== null);
  return models;
}

function agentModel(model: Model): AgentModels["models"][number] {
  return {
    id: model.id,
    name: model.displayName,
    variants: model.supportedReasoningEfforts.map(({ reasoningEffort }) => reasoningEffort),
    defaultVariant: model.defaultReasoningEffort,
  };
}
