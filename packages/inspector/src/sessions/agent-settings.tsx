/** The settings of a session: mode, permissions, model and variant. */
import { useQuery } from "@tanstack/react-query";
import type { AgentInfo, PermissionMode } from "sandbox-agent";
import { useClient } from "../app/connection.tsx";
import { Field, Select } from "../design/index.ts";

export interface Settings {
  agentMode: string;
  permissionMode: PermissionMode;
  model: string;
  variant: string;
}

/** Empty values use the default of the agent. */
export const noSettings: Settings = { agentMode: "", permissionMode: "default", model: "", variant: "" };

const permissionModes: readonly { value: PermissionMode; label: string }[] = [
  { value: "default", label: "Ask for permission" },
  { value: "acceptEdits", label: "Accept edits" },
  { value: "plan", label: "Plan only" },
  { value: "bypass", label: "Bypass: never ask" },
];

export interface AgentSettingsProps {
  agent: Pick<AgentInfo, "id" | "installed">;
  value: Settings;
  onChange: (settings: Settings) => void;
}

export function AgentSettings({ agent, value, onChange }: AgentSettingsProps) {
  const client = useClient();
  const modes = useQuery({
    queryKey: ["modes", agent.id],
    queryFn: ({ signal }) => client.getAgentModes(agent.id, { signal }),
    enabled: agent.installed,
    staleTime: 60_000,
  });
  const models = useQuery({
    queryKey: ["models", agent.id],
    queryFn: ({ signal }) => client.getAgentModels(agent.id, { signal }),
    enabled: agent.installed,
    staleTime: 60_000,
  });
  const list = models.data?.models ?? [];
  const model = list.find(({ id }) => id === (value.model || models.data?.defaultModel));
  const variants = model?.variants ?? [];

  return (
    <>
      <Field label="Mode">
        <Select
          value={value.agentMode}
          options={[
            { value: "", label: "Default" },
            ...(modes.data?.modes ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(agentMode) => onChange({ ...value, agentMode })}
        />
      </Field>
      <Field label="Permissions">
        <Select
          value={value.permissionMode}
          options={permissionModes}
          onChange={(chosen) => {
            const mode = permissionModes.find((each) => each.value === chosen);
            if (mode) onChange({ ...value, permissionMode: mode.value });
          }}
        />
      </Field>
      <Field label="Model" hint={models.isLoading ? "Loading models…" : null}>
        <Select
          value={value.model}
          options={[
            { value: "", label: models.data?.defaultModel ? `Default (${models.data.defaultModel})` : "Default" },
            ...list.map(({ id, name }) => ({ value: id, label: name ?? id })),
          ]}
          onChange={(chosen) => onChange({ ...value, model: chosen, variant: "" })}
        />
      </Field>
      <Field label="Variant">
        <Select
          value={value.variant}
          disabled={variants.length === 0}
          options={[
            { value: "", label: model?.defaultVariant ? `Default (${model.defaultVariant})` : "Default" },
            ...variants.map((variant) => ({ value: variant, label: variant })),
          ]}
          onChange={(variant) => onChange({ ...value, variant })}
        />
      </Field>
    </>
  );
}
