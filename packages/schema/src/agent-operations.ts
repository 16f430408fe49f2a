/** The operations on agents. */
import * as z from "zod";
import { AgentInfo, AgentList, AgentModels, AgentModes, InstallRequest } from "./agent.ts";
import { AgentDefinition, AgentRegistryInfo, AgentRegistryRefresh } from "./agent-definition.ts";
import { lazy } from "./lazy.ts";
import type { Operation } from "./operations.ts";
import { booleanQuery } from "./query.ts";

export const agentOperations = {
  listAgents: {
    method: "GET",
    path: "/v1/agents",
    tag: "agents",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "All agents with their capabilities",
    success: { status: 200, json: AgentList },
  },
  getAgent: {
    method: "GET",
    path: "/v1/agents/{agent}",
    tag: "agents",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "One agent",
    query: lazy(() =>
      z.object({ config: booleanQuery().optional().describe("Add the settings of its sessions as `configOptions`") }),
    ),
    success: { status: 200, json: AgentInfo },
    problems: ["unsupported_agent", "agent_not_installed", "install_failed", "agent_process_exited", "timeout"],
  },
  defineAgent: {
    method: "PUT",
    path: "/v1/agents/{agent}",
    tag: "agents",
    scopes: ["admin"],
    summary: "Define an agent, or change its definition",
    description:
      "Any program that speaks ACP (the Agent Client Protocol) over stdio. Running sessions continue; the change applies when the agent is next started.",
    body: AgentDefinition,
    success: { status: 200, json: AgentInfo },
    problems: ["conflict"],
  },
  removeAgent: {
    method: "DELETE",
    path: "/v1/agents/{agent}",
    tag: "agents",
    scopes: ["admin"],
    summary: "Remove the definition of an agent; its sessions stay readable",
    success: { status: 204 },
    problems: ["unsupported_agent", "conflict"],
  },
  refreshAgentRegistry: {
    method: "POST",
    path: "/v1/agents/registry/refresh",
    tag: "agents",
    scopes: ["admin"],
    summary: "Refresh the public ACP registry",
    description:
      "The registry lists the agents that are available without a definition. If the document cannot be read, nothing changes.",
    body: AgentRegistryRefresh,
    bodyOptional: true,
    success: { status: 200, json: AgentRegistryInfo },
    problems: ["registry_refresh_failed"],
  },
  installAgent: {
    method: "POST",
    path: "/v1/agents/{agent}/install",
    tag: "agents",
    scopes: ["admin"],
    summary: "Install an agent",
    body: InstallRequest,
    bodyOptional: true,
    success: { status: 204 },
    problems: ["unsupported_agent", "agent_not_installed", "install_failed"],
  },
  getAgentModes: {
    method: "GET",
    path: "/v1/agents/{agent}/modes",
    tag: "agents",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "Modes of an agent",
    success: { status: 200, json: AgentModes },
    problems: ["unsupported_agent", "agent_not_installed", "install_failed", "agent_process_exited", "timeout"],
  },
  getAgentModels: {
    method: "GET",
    path: "/v1/agents/{agent}/models",
    tag: "agents",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "Models of an agent",
    success: { status: 200, json: AgentModels },
    problems: ["unsupported_agent", "agent_not_installed", "install_failed", "agent_process_exited", "timeout"],
  },
} as const satisfies Record<string, Operation>;
