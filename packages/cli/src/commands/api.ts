/** `api`: every operation of a running daemon as a command. */
import type { Command } from "commander";
import { addAcpServers } from "./acp.ts";
import { addAgents } from "./agents.ts";
import { addConfig } from "./config.ts";
import { addFiles } from "./files.ts";
import { addMeta } from "./meta.ts";
import { addProcesses } from "./processes.ts";
import { addRegistry } from "./registry.ts";
import { addSessions } from "./sessions.ts";
import { addTerminals } from "./terminals.ts";
import { addAudit, addTokens } from "./tokens.ts";

export function addApi(program: Command): void {
  const api = program.command("api").description("Call the API of a running daemon");
  addAgents(api, "Agents: list, install, modes and models");
  addSessions(api, "Sessions: create, send messages, read events, answer requests, end");
  addRegistry(api, "The public registry of agents that speak ACP");
  addFiles(api, "Files: list, read, write, move, delete, archives, search");
  addProcesses(api, "Processes: start, watch, send input, stop");
  addTerminals(api, "Terminals of processes and tmux: watch and type");
  addConfig(api);
  addTokens(api, "Tokens with scopes: create, list, revoke");
  addAudit(api);
  addAcpServers(api);
  addMeta(api);
}
