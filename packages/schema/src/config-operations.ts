/** Operations on the MCP servers and skills of a directory. */
import * as z from "zod";
import { McpConfigList, redacted, SkillsConfigList } from "./config.ts";
import { lazy } from "./lazy.ts";
import type { Operation } from "./operations.ts";
import { booleanQuery } from "./query.ts";
import { McpServerConfig, SkillsConfig } from "./session.ts";

const directory = lazy(() => z.string().min(1).describe("Absolute path of the directory"));
const name = lazy(() => z.string().min(1).max(200));
const mcpEntry = lazy(() => z.object({ directory: directory(), mcp_name: name().describe("Name of the server") }));
const skillsEntry = lazy(() => z.object({ directory: directory(), skill_name: name().describe("Name of the entry") }));
const oneDirectory = lazy(() => directory().optional().describe("Only this directory; default: all"));
const reveal = lazy(() =>
  booleanQuery()
    .optional()
    .describe(`Return the values of \`env\` and \`headers\` and the OAuth secret instead of \`${redacted}\``),
);

const merging =
  "Applies to every session in the directory, to running ones from their next turn. Settings a session was created with take precedence.";

export const configOperations = {
  listMcpConfig: {
    method: "GET",
    path: "/v1/config/mcp/list",
    tag: "config",
    scopes: ["read"],
    summary: "All configured MCP servers",
    query: lazy(() => z.object({ directory: oneDirectory(), reveal: reveal() })),
    success: { status: 200, json: McpConfigList },
  },
  getMcpConfig: {
    method: "GET",
    path: "/v1/config/mcp",
    tag: "config",
    scopes: ["read"],
    summary: "One configured MCP server",
    query: lazy(() => mcpEntry().extend({ reveal: reveal() })),
    success: { status: 200, json: McpServerConfig },
    problems: ["not_found"],
  },
  setMcpConfig: {
    method: "PUT",
    path: "/v1/config/mcp",
    tag: "config",
    scopes: ["admin"],
    summary: "Configure an MCP server for a directory",
    description: `${merging} The value \`${redacted}\` keeps the stored secret.`,
    query: mcpEntry,
    body: McpServerConfig,
    success: { status: 204 },
  },
  deleteMcpConfig: {
    method: "DELETE",
    path: "/v1/config/mcp",
    tag: "config",
    scopes: ["admin"],
    summary: "Remove an MCP server from a directory",
    query: mcpEntry,
    success: { status: 204 },
  },
  listSkillsConfig: {
    method: "GET",
    path: "/v1/config/skills/list",
    tag: "config",
    scopes: ["read"],
    summary: "All configured skills",
    query: lazy(() => z.object({ directory: oneDirectory() })),
    success: { status: 200, json: SkillsConfigList },
  },
  getSkillsConfig: {
    method: "GET",
    path: "/v1/config/skills",
    tag: "config",
    scopes: ["read"],
    summary: "One configured entry of skills",
    query: skillsEntry,
    success: { status: 200, json: SkillsConfig },
    problems: ["not_found"],
  },
  setSkillsConfig: {
    method: "PUT",
    path: "/v1/config/skills",
    tag: "config",
    scopes: ["admin"],
    summary: "Configure skills for a directory",
    description: merging,
    query: skillsEntry,
    body: SkillsConfig,
    success: { status: 204 },
  },
  deleteSkillsConfig: {
    method: "DELETE",
    path: "/v1/config/skills",
    tag: "config",
    scopes: ["admin"],
    summary: "Remove skills from a directory",
    query: skillsEntry,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>;
