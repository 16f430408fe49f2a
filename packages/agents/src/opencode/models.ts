/** The models of a server in the universal format, and the choice of a turn's model. Pure. */
import type { AgentModels, ErrorData } from "@sandbox-agent/schema";
import type { Model, ProviderList } from "./generated/api.ts";

export interface ModelChoice {
  providerID: string;
  modelID: string;
  contextWindow: number | null;
}

/** Providers whose default model is preferred, in this order. */
const preferred = ["anthropic", "openai", "google"];

export function universalModels({ providers, default: defaults }: ProviderList): AgentModels {
  const models = providers
    .flatMap((provider) => Object.values(provider.models))
    .filter(({ status }) => status !== "deprecated")
    .map((model) => {
      const variants = Object.keys(model.variants ?? {}).sort();
      return { id: idOf(model), name: model.name, ...(variants.length > 0 && { variants }) };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const ids = new Set(models.map(({ id }) => id));
  const candidates = [...preferred, ...Object.keys(defaults)].map((provider) => `${provider}/${defaults[provider]}`);
  const defaultModel = candidates.find((id) => ids.has(id)) ?? models[0]?.id;
  return { models, ...(defaultModel && { defaultModel }) };
}

/** The model with this universal id, or the error if it is not available. */
export function chooseModel(id: string | null, list: ProviderList): ModelChoice | ErrorData {
  if (list.providers.length === 0)
    return {
      message:
        "OpenCode has no credentials for any provider; pass `credentials` with the session or set a provider's key in the environment",
      code: "auth_required",
    };
  const wanted = id ?? universalModels(list).defaultModel ?? "";
  const all = list.providers.flatMap((provider) => Object.values(provider.models));
  const found = all.find((model) => idOf(model) === wanted) ?? all.find((model) => model.id === wanted);
  if (found) return { providerID: found.providerID, modelID: found.id, contextWindow: found.limit.context || null };
  const [provider = ""] = wanted.split("/", 1);
  if (wanted.includes("/") && !list.providers.some((each) => each.id === provider))
    return {
      message: `OpenCode has no credentials for ${provider}; pass them in \`credentials\` of the session or set the key in the environment`,
      code: "auth_required",
      details: { provider },
    };
  return { message: `OpenCode has no model ${wanted}; see GET /v1/agents/opencode/models`, code: "model_not_found" };
}

function idOf({ providerID, id }: Model): string {
  return `${providerID}/${id}`;
}

/** Used if OpenCode does not answer. */
export const fallbackModels: AgentModels = {
  models: [
    { id: "anthropic/claude-haiku-4-5", name: "Claude Haiku 4.5" },
    { id: "anthropic/claude-opus-4-5", name: "Claude Opus 4.5" },
    { id: "anthropic/claude-sonnet-4-5", name: "Claude Sonnet 4.5" },
    { id: "openai/gpt-5", name: "GPT-5" },
    { id: "openai/gpt-5-codex", name: "GPT-5 Codex" },
  ],
  defaultModel: "anthropic/claude-sonnet-4-5",
};
