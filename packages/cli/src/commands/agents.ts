/** `api agents …`: agents with their modes and models. */
import { AgentList } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { addOperation } from "../operation-command.ts";
import type { Table } from "../table.ts";
import { addDefineAgent } from "./define-agent.ts";

export function addAgents(parent: Command, description: string): void {
  const agents = parent.command("agents").description(description);
  addOperation(agents, {
    operation: "listAgents",
    usage: "list",
    request: () => ({ params: {} }),
    table: agentTable,
  });
  addOperation(agents, {
    operation: "getAgent",
    usage: "get <agent>",
    request: (agent: string, { config }: { config?: true }) => ({ params: { agent }, query: { config } }),
  }).option("--config", "include the settings that its sessions accept");
  addDefineAgent(agents);
  addOperation(agents, {
    operation: "removeAgent",
    usage: "remove <agent>",
    request: (agent: string) => ({ params: { agent } }),
  });
  addOperation(agents, {
    operation: "installAgent",
    usage: "install <agent>",
    request: (agent: string, { reinstall, agentVersion }: { reinstall?: true; agentVersion?: string }) => ({
      params: { agent },
      body: { reinstall, agentVersion },
    }),
  })
    .option("-r, --reinstall", "install again even if it is installed")
    .option("-A, --agent-version <version>", "version to install, or latest");
  addOperation(agents, {
    operation: "getAgentModes",
    usage: "modes <agent>",
    request: (agent: string) => ({ params: { agent } }),
  });
  addOperation(agents, {
    operation: "getAgentModels",
    usage: "models <agent>",
    request: (agent: string) => ({ params: { agent } }),
  });
}

function agentTable(value: unknown): Table {
  const { agents } = AgentList().parse(value);
  return {
    columns: ["AGENT", "SOURCE", "INSTALLED", "VERSION", "CREDENTIALS"],
    rows: agents.map(({ id, source, installed, version, credentialsAvailable }) => [
      id,
      source,
      installed ? "yes" : "no",
      version ?? "-",
      credentialsAvailable ? "yes" : "no",
    ]),
    empty: "No agents.",
  };
}
