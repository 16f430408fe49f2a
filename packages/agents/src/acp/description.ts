import { allCapabilitiesBut } from "@sandbox-agent/schema";
import type { AgentDescription } from "../agent.ts";
import type { AcpProfile } from "./profile.ts";

export function describe({ id, name, asksQuestions = false }: AcpProfile): AgentDescription {
  return {
    id,
    name,
    capabilities: { ...allCapabilitiesBut("sharedProcess"), questions: asksQuestions },
    permissionModes: ["default", "plan", "bypass", "acceptEdits"],
  };
}
