import { capabilities } from "@sandbox-agent/schema";
import type { AgentDescription } from "../agent.ts";

export const amp: AgentDescription = {
  id: "amp",
  name: "Amp",
  capabilities: capabilities(
    "planMode",
    "permissions",
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
  ),
  permissionModes: ["default", "plan", "bypass", "acceptEdits"],
};
