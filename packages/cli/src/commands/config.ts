/** `api config mcp|skills …`: MCP servers and skills of all sessions in a directory. */
import { McpServerConfig, SkillsConfig } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { addOperation } from "../operation-command.ts";
import { jsonFile, path } from "../option-values.ts";

interface Place {
  directory: string;
}

interface ListOptions {
  directory?: string;
  reveal?: true;
}

export function addConfig(api: Command): void {
  const config = api.command("config").description("MCP servers and skills for every session in a directory");
  addMcp(config.command("mcp").description("MCP servers of a directory"));
  addSkills(config.command("skills").description("Skills of a directory"));
}

function addMcp(mcp: Command): void {
  const list = addOperation(mcp, {
    operation: "listMcpConfig",
    usage: "list",
    request: ({ directory, reveal }: ListOptions) => ({ params: {}, query: { directory, reveal } }),
  });
  list.option("--directory <path>", "only this directory (default: all)", path).option("--reveal", "show secrets");
  const get = addOperation(mcp, {
    operation: "getMcpConfig",
    usage: "get <name>",
    request: (mcp_name: string, { directory, reveal }: Place & { reveal?: true }) => ({
      params: {},
      query: { directory, mcp_name, reveal },
    }),
  });
  addDirectory(get).option("--reveal", "show secrets");
  const set = addOperation(mcp, {
    operation: "setMcpConfig",
    usage: "set <name>",
    request: (mcp_name: string, { directory, config }: Place & { config: McpServerConfig }) => ({
      params: {},
      query: { directory, mcp_name },
      body: config,
    }),
  });
  addDirectory(set).requiredOption(
    "--config <file>",
    "JSON file with the configuration (required)",
    jsonFile(McpServerConfig()),
  );
  addDirectory(
    addOperation(mcp, {
      operation: "deleteMcpConfig",
      usage: "delete <name>",
      request: (mcp_name: string, { directory }: Place) => ({ params: {}, query: { directory, mcp_name } }),
    }),
  );
}

function addSkills(skills: Command): void {
  addOperation(skills, {
    operation: "listSkillsConfig",
    usage: "list",
    request: ({ directory }: Partial<Place>) => ({ params: {}, query: { directory } }),
  }).option("--directory <path>", "only this directory (default: all)", path);
  addDirectory(
    addOperation(skills, {
      operation: "getSkillsConfig",
      usage: "get <name>",
      request: (skill_name: string, { directory }: Place) => ({ params: {}, query: { directory, skill_name } }),
    }),
  );
  const set = addOperation(skills, {
    operation: "setSkillsConfig",
    usage: "set <name>",
    request: (skill_name: string, { directory, config }: Place & { config: SkillsConfig }) => ({
      params: {},
      query: { directory, skill_name },
      body: config,
    }),
  });
  addDirectory(set).requiredOption(
    "--config <file>",
    "JSON file with the sources (required)",
    jsonFile(SkillsConfig()),
  );
  addDirectory(
    addOperation(skills, {
      operation: "deleteSkillsConfig",
      usage: "delete <name>",
      request: (skill_name: string, { directory }: Place) => ({ params: {}, query: { directory, skill_name } }),
    }),
  );
}

/** Default: the working directory. */
function addDirectory(command: Command): Command {
  return command.option("--directory <path>", "directory to configure", path, process.cwd());
}
