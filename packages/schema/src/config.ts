/** MCP servers and skills that are configured for a directory and come with every session that is started there. */
import * as z from "zod";
import { McpServerConfig, SkillsConfig } from "./session.ts";

/** Stands for a secret in an answer. Sent back in a request, it means the secret that is stored. */
export const redacted = "<redacted>";

export const McpConfigList = z
  .object({ servers: z.array(z.object({ directory: z.string(), name: z.string(), config: McpServerConfig })) })
  .meta({ id: "McpConfigList" });
export type McpConfigList = z.infer<typeof McpConfigList>;

export const SkillsConfigList = z
  .object({ skills: z.array(z.object({ directory: z.string(), name: z.string(), config: SkillsConfig })) })
  .meta({ id: "SkillsConfigList" });
export type SkillsConfigList = z.infer<typeof SkillsConfigList>;
