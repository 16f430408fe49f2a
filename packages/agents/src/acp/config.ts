/**
 * An agent's settings as it reports them: modes, models and thought levels. New agents have config options for all of them,
 * older ones have separate lists. Pure.
 */
import { type AgentMode, type AgentModels, ProblemError } from "@sandbox-agent/schema";
import type { AgentSettings } from "../agent.ts";
import { type ConfigOption, ModeUpdate, SessionResult, type SessionUpdate } from "./native.ts";

export interface Choice {
  method: string;
  params: Record<string, string>;
}

/** A setting that can be chosen, and the request that chooses it. */
interface Setting {
  current: string | null;
  choices: readonly { id: string; name: string; description: string }[];
  choose(id: string): Choice;
}

export interface Config {
  mode: Setting | null;
  model: Setting | null;
  variant: Setting | null;
  /** The choice that turns planning on, in whichever setting it is. */
  plan: { setting: Setting; id: string; off: string | null } | null;
}

export function configOf({ modes, models, configOptions = [] }: SessionResult): Config {
  const byCategory = (category: string) =>
    configOptions.find((option) => option.category === category) ?? configOptions.find(({ id }) => id === category);
  const modeOption = byCategory("mode");
  const modelOption = byCategory("model");
  const variantOption = byCategory("thought_level");
  const mode = modeOption ? optionSetting(modeOption) : modes?.availableModes ? modeSetting(modes) : null;
  const model = modelOption ? optionSetting(modelOption) : models?.availableModels ? modelSetting(models) : null;
  return {
    mode,
    model,
    variant: variantOption ? optionSetting(variantOption) : null,
    plan: planIn(mode) ?? planInOptions(configOptions),
  };
}

function optionSetting({ id: configId, currentValue, options }: ConfigOption): Setting {
  return {
    current: currentValue,
    choices: options.map(({ value, name, description }) => ({
      id: value,
      name: name ?? value,
      description: description ?? "",
    })),
    choose: (value) => ({ method: "session/set_config_option", params: { configId, value } }),
  };
}

function modeSetting({ currentModeId, availableModes = [] }: NonNullable<SessionResult["modes"]>): Setting {
  return {
    current: currentModeId ?? null,
    choices: availableModes.map(({ id, name, description }) => ({
      id,
      name: name ?? id,
      description: description ?? "",
    })),
    choose: (modeId) => ({ method: "session/set_mode", params: { modeId } }),
  };
}

function modelSetting({ currentModelId, availableModels = [] }: NonNullable<SessionResult["models"]>): Setting {
  return {
    current: currentModelId ?? null,
    choices: availableModels.map(({ modelId, name }) => ({ id: modelId, name: name ?? modelId, description: "" })),
    choose: (modelId) => ({ method: "session/set_model", params: { modelId } }),
  };
}

/** Some agents have a separate option for planning, beside their modes. */
function planInOptions(options: readonly ConfigOption[]): Config["plan"] {
  const others = options.filter(({ category }) => !["model", "model_config", "thought_level"].includes(category ?? ""));
  return others.map((option) => planIn(optionSetting(option))).find((plan) => plan !== null) ?? null;
}

function planIn(setting: Setting | null): Config["plan"] {
  const choice = setting?.choices.find(({ id, name }) => /plan|architect/i.test(`${id} ${name}`));
  return setting && choice ? { setting, id: choice.id, off: setting.current } : null;
}

/** The default mode of a session: the mode the agent starts in. */
const build: AgentMode = { id: "build", name: "Build", description: "The mode the agent starts in" };

export function agentModes({ mode }: Config): AgentMode[] {
  const own = mode?.choices.map(({ id, name, description }) => ({ id, name, description })) ?? [];
  return own.some(({ id }) => id === build.id) ? own : [build, ...own];
}

export function agentModels({ model, variant }: Config): AgentModels {
  const variants = variant?.choices.map(({ id }) => id);
  return {
    models: (model?.choices ?? []).map(({ id, name }) => ({ id, name, ...(variants && { variants }) })),
    ...(model?.current && { defaultModel: model.current }),
  };
}

export const noConfig: Config = { mode: null, model: null, variant: null, plan: null };

/**
 * The next request to bring the agent's settings to the wanted ones; null when they match. One at a time, because a choice
 * can change the others. `initial`: the settings at the start. Throws ProblemError for a choice the agent does not have.
 */
export function nextChoice(
  agent: string,
  config: Config,
  { agentMode, permissionMode, model, variant }: AgentSettings,
  { initial, defaultModel }: { initial: Config; defaultModel: string | null },
): Choice | null {
  // The default is from the catalog. If this session does not have it, the agent's own default is used.
  const isMissingDefault = model === defaultModel && !config.model?.choices.some(({ id }) => id === model);
  return (
    (model === null || isMissingDefault ? null : chosen(agent, "model", config.model, model)) ??
    (variant === null ? null : chosen(agent, "variant", config.variant, variant)) ??
    (permissionMode === "plan" ? planChoice(agent, config) : modeChoice(config, initial, agentMode))
  );
}

function planChoice(agent: string, { plan }: Config): Choice | null {
  if (!plan)
    throw new ProblemError("mode_not_supported", `${agent} has no plan mode`, {
      agent,
      details: { mode: "plan" },
    });
  return plan.setting.current === plan.id ? null : plan.setting.choose(plan.id);
}

function modeChoice({ mode, plan }: Config, initial: Config, agentMode: string): Choice | null {
  // If planning is a separate option, it is turned off there.
  const isPlanning = plan && plan.setting !== mode && plan.setting.current === plan.id;
  if (isPlanning && initial.plan?.off) return plan.setting.choose(initial.plan.off);
  const isOwn = mode?.choices.some(({ id }) => id === agentMode) ?? false;
  const wanted = isOwn ? agentMode : (initial.mode?.current ?? null);
  return mode && wanted !== null && mode.current !== wanted ? mode.choose(wanted) : null;
}

/** Matches the exact id, then the id ignoring case, then its last part. */
function chosen(agent: string, what: string, setting: Setting | null, wanted: string): Choice | null {
  if (!setting)
    throw new ProblemError("invalid_request", `${agent} does not support choosing a ${what}; leave it out`, { agent });
  const ids = setting.choices.map(({ id }) => id);
  const lower = wanted.toLowerCase();
  const found =
    ids.find((id) => id === wanted) ??
    ids.find((id) => id.toLowerCase() === lower) ??
    ids.find((id) => id.toLowerCase().endsWith(`/${lower}`));
  if (found === undefined)
    throw new ProblemError("invalid_request", `${agent} has no ${what} "${wanted}"; it has: ${ids.join(", ")}`, {
      agent,
    });
  return found === setting.current ? null : setting.choose(found);
}

/** The agent's settings after a choice: as in its response, or as requested if the response has none. */
export function afterChoice(reported: SessionResult, { params }: Choice, answer: unknown): SessionResult {
  const configOptions = SessionResult().safeParse(answer).data?.configOptions;
  if (configOptions) return { ...reported, configOptions };
  if (params.modeId !== undefined) return withMode(reported, params.modeId);
  if (params.modelId !== undefined && reported.models)
    return { ...reported, models: { ...reported.models, currentModelId: params.modelId } };
  return withOption(reported, ({ id }) => id === params.configId, params.value ?? "");
}

/** The agent's settings after an update. */
export function afterUpdate(reported: SessionResult, update: SessionUpdate): SessionResult {
  switch (update.sessionUpdate) {
    case "config_option_update": {
      const { configOptions } = SessionResult().parse(update);
      return configOptions ? { ...reported, configOptions } : reported;
    }
    case "current_mode_update":
      return withMode(reported, ModeUpdate().parse(update).currentModeId);
    default:
      return reported;
  }
}

/** Agents report their mode in two places. */
function withMode(reported: SessionResult, modeId: string): SessionResult {
  const modes = reported.modes ? { ...reported.modes, currentModeId: modeId } : reported.modes;
  return withOption({ ...reported, modes }, ({ id, category }) => category === "mode" || id === "mode", modeId);
}

function withOption(reported: SessionResult, matches: (option: ConfigOption) => boolean, value: string): SessionResult {
  const configOptions = reported.configOptions?.map((option) =>
    matches(option) ? { ...option, currentValue: value } : option,
  );
  return { ...reported, ...(configOptions && { configOptions }) };
}
