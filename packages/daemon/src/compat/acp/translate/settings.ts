/** Converts a session's settings to ACP modes and config options, and changes of them back. Pure. */
import type { SessionConfigOption, SessionConfigSelectOption } from "@agentclientprotocol/sdk/unstable";
import {
  type AgentMode,
  type AgentModels,
  PermissionMode,
  ProblemError,
  type SessionSettings,
  type UpdateSessionRequest,
} from "@sandbox-agent/schema";

/** The values that an agent offers. */
export interface Catalog {
  modes: readonly AgentMode[];
  models: AgentModels;
  permissionModes: readonly PermissionMode[];
}

/** Part of the replies that open a session. Clients used `models` before there were config options. */
export function settingsReply(settings: SessionSettings, catalog: Catalog) {
  const currentModelId = currentModel(settings, catalog);
  const availableModes = catalog.modes.map(({ id, name, description }) => ({ id, name, description }));
  return {
    modes: { currentModeId: settings.agentMode, availableModes },
    configOptions: configOptions(settings, catalog),
    ...(currentModelId !== null && {
      models: {
        currentModelId,
        availableModels: modelValues(settings, catalog).map(({ value, name }) => ({ modelId: value, name })),
      },
    }),
  };
}

export function configOptions(settings: SessionSettings, catalog: Catalog): SessionConfigOption[] {
  const model = currentModel(settings, catalog);
  const modes = catalog.modes.map(({ id, name, description }) => ({ value: id, name, description }));
  const { variants = [], defaultVariant } = catalog.models.models.find(({ id }) => id === model) ?? {};
  const variant = settings.variant ?? defaultVariant ?? variants[0] ?? null;
  const permissions = catalog.permissionModes.map((mode) => ({ value: mode, name: permissionNames[mode] }));
  return [
    ...select("model", "Model", "model", model, modelValues(settings, catalog)),
    ...select("mode", "Mode", "mode", settings.agentMode, modes),
    ...select("thought_level", "Thought Level", "thought_level", variant, variants.map(plain)),
    ...select("permission_mode", "Permissions", "_permission_mode", settings.permissionMode, permissions),
  ];
}

/** The change of settings for a chosen value. */
export function settingChange(
  configId: string,
  value: unknown,
  settings: SessionSettings,
  catalog: Catalog,
): UpdateSessionRequest {
  const option = configOptions(settings, catalog).find(({ id }) => id === configId);
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

function currentModel({ model }: SessionSettings, { models }: Catalog): string | null {
  return model ?? models.defaultModel ?? null;
}

/** A session may use a model that its agent does not list. */
function modelValues(settings: SessionSettings, catalog: Catalog): SessionConfigSelectOption[] {
  const listed = catalog.models.models.map(({ id, name }) => ({ value: id, name: name ?? id }));
  const current = currentModel(settings, catalog);
  const isListed = current === null || listed.some(({ value }) => value === current);
  return isListed ? listed : [plain(current), ...listed];
}

function plain(value: string): SessionConfigSelectOption {
  return { value, name: value };
}

/** An option without values is left out. */
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
