/** Agents as the API describes them: capabilities, installation, modes and models. */
import * as z from "zod";
import { AgentSource, ShownAgentDefinition } from "./agent-definition.ts";
import { type Infer, lazy } from "./lazy.ts";

const capabilityNames = [
  "planMode",
  "permissions",
  "questions",
  "toolCalls",
  "toolResults",
  "textMessages",
  "images",
  "fileAttachments",
  "sessionLifecycle",
  "errorEvents",
  "reasoning",
  "status",
  "commandExecution",
  "fileChanges",
  "mcpTools",
  "streamingDeltas",
  "itemStarted",
  "sharedProcess",
] as const;
export type Capability = (typeof capabilityNames)[number];

export const AgentCapabilities = lazy(() =>
  z.record(z.enum(capabilityNames), z.boolean()).meta({ id: "AgentCapabilities" }),
);
export type AgentCapabilities = Record<Capability, boolean>;

/** All capabilities are true except the named ones. */
export function allCapabilitiesBut(...missing: Capability[]): AgentCapabilities {
  const entries = capabilityNames.map((name) => [name, !missing.includes(name)]);
  // The entries cover every capability name, but `Object.fromEntries` loses the key type.
  return Object.fromEntries(entries) as AgentCapabilities;
}

export const ServerStatus = lazy(() =>
  z
    .object({
      status: z.enum(["running", "stopped", "error"]),
      baseUrl: z.string().optional(),
      uptimeMs: z.number().optional(),
      restartCount: z.int(),
      lastError: z.string().optional(),
    })
    .meta({ id: "ServerStatus" }),
);
export type ServerStatus = Infer<typeof ServerStatus>;

export const AgentConfigOption = lazy(() =>
  z
    .looseObject({ id: z.string(), name: z.string() })
    .meta({ id: "AgentConfigOption", description: "A SessionConfigOption of the Agent Client Protocol" }),
);

export const AgentInfo = lazy(() =>
  z
    .object({
      id: z.string(),
      name: z.string().optional(),
      source: AgentSource(),
      installed: z.boolean(),
      credentialsAvailable: z.boolean(),
      version: z.string().optional(),
      path: z.string().optional(),
      capabilities: AgentCapabilities(),
      serverStatus: ServerStatus().optional(),
      definition: ShownAgentDefinition()
        .optional()
        .meta({ description: "How an agent that is not built in is defined" }),
      configOptions: z.array(AgentConfigOption()).optional().meta({ description: "Only with `config=true`" }),
    })
    .meta({ id: "AgentInfo" }),
);
export type AgentInfo = Infer<typeof AgentInfo>;

export const AgentList = lazy(() => z.object({ agents: z.array(AgentInfo()) }).meta({ id: "AgentList" }));

export const InstallRequest = lazy(() =>
  z
    .object({
      reinstall: z.boolean().optional(),
      agentVersion: z.string().optional().meta({ description: "A version, or `latest`; default: the pinned one" }),
    })
    .meta({ id: "InstallRequest" }),
);

/** Sent on the stream of all sessions during an installation. It belongs to no session and is not stored. */
export const InstallProgressEvent = lazy(() =>
  z
    .object({
      type: z.literal("install.progress"),
      time: z.iso.datetime(),
      data: z.object({
        agent: z.string(),
        phase: z.enum(["resolving", "downloading", "unpacking", "done", "failed"]),
        message: z.string(),
        fraction: z.number().min(0).max(1).optional(),
      }),
    })
    .meta({ id: "InstallProgressEvent" }),
);
export type InstallProgressEvent = Infer<typeof InstallProgressEvent>;

export const AgentMode = lazy(() =>
  z.object({ id: z.string(), name: z.string(), description: z.string() }).meta({ id: "AgentMode" }),
);
export type AgentMode = Infer<typeof AgentMode>;

export const AgentModes = lazy(() => z.object({ modes: z.array(AgentMode()) }).meta({ id: "AgentModes" }));

export const AgentModel = lazy(() =>
  z
    .object({
      id: z.string(),
      name: z.string().optional(),
      variants: z.array(z.string()).optional(),
      defaultVariant: z.string().optional(),
    })
    .meta({ id: "AgentModel" }),
);

export const AgentModels = lazy(() =>
  z.object({ models: z.array(AgentModel()), defaultModel: z.string().optional() }).meta({ id: "AgentModels" }),
);
export type AgentModels = Infer<typeof AgentModels>;

export const PermissionMode = lazy(() =>
  z.enum(["default", "plan", "bypass", "acceptEdits"]).meta({ id: "PermissionMode" }),
);
export type PermissionMode = Infer<typeof PermissionMode>;
