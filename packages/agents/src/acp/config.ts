/**
 * An agent's settings as it tells them: modes, models and levels of thought. New agents have config options for all of
 * them, older ones have lists of their own. Pure.
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
  /** The choice that makes the agent plan, wherever it has it. */
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

/** Some agents plan by an option of their own, beside their modes. */
function planInOptions(options: readonly ConfigOption[]): Config["plan"] {
  const others = options.filter(({ category }) => !["model", "model_config", "thought_level"].includes(category ?? ""));
  return others.map((option) => planIn(optionSetting(option))).find((plan) => plan !== null) ?? null;
}

function planIn(setting: Setting | null): Config["plan"] {
  const choice = setting?.choices.find(({ id, name }) => /plan|architect/i.test(`${id} ${name}`));
  return setting && choice ? { setting, id: choice.id, off: setting.current } : null;
}

/** The mode every session starts in unless it names another: whatever the agent starts in. */
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
 * The next request on the way from what the agent has to what is wanted; null when it is there. One at a time, since a
 * choice can change the others. `initial`: as the agent started. Throws ProblemError for what it does not have.
 */
export function nextChoice(
  agent: string,
  config: Config,
  { agentMode, permissionMode, model, variant }: AgentSettings,
  { initial, defaultModel }: { initial: Config; defaultModel: string | null },
): Choice | null {
  // The default was found elsewhere; where this session does not have it, it has another of its own.
  const isMissingDefault = model === defaultModel && !config.model?.choices.some(({ id }) => id === model);
  return (
    (model === null || isMissingDefault ? null : chosen(agent, "model", config.model, model)) ??
    (variant === null ? null : chosen(agent, "variant", config.variant, variant)) ??
    (permissionMode === "plan" ? planChoice(agent, config) : modeChoice(config, initial, agentMode))
  );
}

function planChoice(agent: string, { plan }: Config): Choice | null {
  if (!plan)
    throw new ProblemError("mode_not_supported", `${agent} has no mode for planning`, {
      agent,
      details: { mode: "plan" },
    });
  return plan.setting.current === plan.id ? null : plan.setting.choose(plan.id);
}

function modeChoice({ mode, plan }: Config, initial: Config, agentMode: string): Choice | null {
  // An agent that plans by an option of its own stops by it, too.
  const isPlanning = plan && plan.setting !== mode && plan.setting.current === plan.id;
  if (isPlanning && initial.plan?.off) return plan.setting.choose(initial.plan.off);
  const isOwn = mode?.choices.some(({ id }) => id === agentMode) ?? false;
  const wanted = isOwn ? agentMode : (initial.mode?.current ?? null);
  return mode && wanted !== null && mode.current !== wanted ? mode.choose(wanted) : null;
}

/** By its id, else by its id in other letters, else by its last part. */
function chosen(agent: string, what: string, setting: Setting | null, wanted: string): Choice | null {
  if (!setting)
    throw new ProblemError("invalid_request", `${agent} lets nobody choose a ${what}; leave it out`, { agent });
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

/** What the agent has after a choice: as it answers, or as it was told where it answers nothing. */
export function afterChoice(told: SessionResult, { params }: Choice, answer: unknown): SessionResult {
  const configOptions = SessionResult().safeParse(answer).data?.configOptions;
  if (configOptions) return { ...told, configOptions };
  if (params.modeId !== undefined) return withMode(told, params.modeId);
  if (params.modelId !== undefined && told.models)
    return { ...told, models: { ...told.models, currentModelId: params.modelId } };
  return withOption(told, ({ id }) => id === params.configId, params.value ?? "");
}

/** What the agent tells of its settings once it has told of a change. */
export function afterUpdate(told: SessionResult, update: SessionUpdate): SessionResult {
  switch (update.sessionUpdate) {
    case "config_option_update": {
      const { configOptions } = SessionResult().parse(update);
      return configOptions ? { ...told, configOptions } : told;
    }
    case "current_mode_update":
      return withMode(told, ModeUpdate().parse(update).currentModeId);
    default:
      return told;
  }
}

/** The agent tells its mode in two places. */
function withMode(told: SessionResult, modeId: string): SessionResult {
  const modes = told.modes ? { ...told.modes, currentModeId: modeId } : told.modes;
  return withOption({ ...told, modes }, ({ id, category }) => category === "mode" || id === "mode", modeId);
}

function withOption(told: SessionResult, isMeant: (option: ConfigOption) => boolean, value: string): SessionResult {
  const configOptions = told.configOptions?.map((option) =>
    isMeant(option) ? { ...option, currentValue: value } : option,
  );
  return { ...told, ...(configOptions && { configOptions }) };
}
