import { capabilities, capabilityNames } from "@sandbox-agent/schema";
import type { AgentDescription } from "../agent.ts";
import type { AcpProfile } from "./profile.ts";

const all = capabilities(...capabilityNames);

export function describe({ id, name, asksQuestions = false }: AcpProfile): AgentDescription {
  return {
    id,
    name,
    capabilities: { ...all, sharedProcess: false, questions: asksQuestions },
    permissionModes: ["default", "plan", "bypass", "acceptEdits"],
  };
}
