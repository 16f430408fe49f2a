/** A session's settings as ACP modes and config options, and changes of them back. Pure. */
import type { SessionConfigOption, SessionConfigSelectOption } from "@agentclientprotocol/sdk/unstable";
import {
  type AgentMode,
  type AgentModels,
  PermissionMode,
  ProblemError,
  type SessionSettings,
  type UpdateSessionRequest,
} from "@sandbox-agent/schema";

/** What an agent lets one choose from. */
export interface Catalogue {
  modes: readonly AgentMode[];
  models: AgentModels;
  permissionModes: readonly PermissionMode[];
}

/** What the replies that open a session carry. `models` is what clients used before config options. */
export function settingsReply(settings: SessionSettings, catalogue: Catalogue) {
  const currentModelId = currentModel(settings, catalogue);
  const availableModes = catalogue.modes.map(({ id, name, description }) => ({ id, name, description }));
  return {
    modes: { currentModeId: settings.agentMode, availableModes },
    configOptions: configOptions(settings, catalogue),
    ...(currentModelId !== null && {
      models: {
        currentModelId,
        availableModels: modelValues(settings, catalogue).map(({ value, name }) => ({ modelId: value, name })),
      },
    }),
  };
}

export function configOptions(settings: SessionSettings, catalogue: Catalogue): SessionConfigOption[] {
  const model = currentModel(settings, catalogue);
  const modes = catalogue.modes.map(({ id, name, description }) => ({ value: id, name, description }));
  const { variants = [], defaultVariant } = catalogue.models.models.find(({ id }) => id === model) ?? {};
  const variant = settings.variant ?? defaultVariant ?? variants[0] ?? null;
  const permissions = catalogue.permissionModes.map((mode) => ({ value: mode, name: permissionNames[mode] }));
  return [
    ...select("model", "Model", "model", model, modelValues(settings, catalogue)),
    ...select("mode", "Mode", "mode", settings.agentMode, modes),
    ...select("thought_level", "Thought Level", "thought_level", variant, variants.map(plain)),
    ...select("permission_mode", "Permissions", "_permission_mode", settings.permissionMode, permissions),
  ];
}

/** The change that choosing a value stands for. */
export function settingChange(
  configId: string,
  value: unknown,
  settings: SessionSettings,
  catalogue: Catalogue,
): UpdateSessionRequest {
  const option = configOptions(settings, catalogue).find(({ id }) => id === configId);
  if (option?.type !== "select") throw new ProblemError("invalid_request", `there is no config option "${configId}"`);
  const offered = option.options.flatMap((entry) => ("value" in entry ? [entry.value] : []));
  const chosen = offered.find((known) => known === value);
  if (chosen === undefined)
    throw new ProblemError(
      "invalid_request",
      `${configId} cannot be ${JSON.stringify(value)}; it can be: ${offered.join(", ")}`,
    );
  switch (configId) {
    case "model":
      return { model: chosen, variant: null };
    case "mode":
      return { agentMode: chosen };
    case "thought_level":
      return { variant: chosen };
    default:
      return { permissionMode: PermissionMode().parse(chosen) };
  }
}

const permissionNames: Record<PermissionMode, string> = {
  default: "Ask",
  plan: "Plan only",
  acceptEdits: "Accept edits",
  bypass: "Allow everything",
};

function currentModel({ model }: SessionSettings, { models }: Catalogue): string | null {
  return model ?? models.defaultModel ?? null;
}

/** A session may run with a model that its agent does not list. */
function modelValues(settings: SessionSettings, catalogue: Catalogue): SessionConfigSelectOption[] {
  const listed = catalogue.models.models.map(({ id, name }) => ({ value: id, name: name ?? id }));
  const current = currentModel(settings, catalogue);
  const isListed = current === null || listed.some(({ value }) => value === current);
  return isListed ? listed : [plain(current), ...listed];
}

function plain(value: string): SessionConfigSelectOption {
  return { value, name: value };
}

/** An option with nothing to choose from is left out. */
function select(
  id: string,
  name: string,
  category: string,
  currentValue: string | null,
  options: SessionConfigSelectOption[],
): SessionConfigOption[] {
  if (currentValue === null || options.length === 0) return [];
  return [{ type: "select", id, name, category, currentValue, options }];
}
