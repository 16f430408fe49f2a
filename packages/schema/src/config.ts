/** MCP servers and skills that are configured for a directory and apply to every session in it. */
import * as z from "zod";
import { type Infer, lazy } from "./lazy.ts";
import { McpServerConfig, SkillsConfig } from "./session.ts";

/** Replaces a secret in a response. In a request it keeps the stored secret. */
export const redacted = "<redacted>";

export const McpConfigList = lazy(() =>
  z
    .object({ servers: z.array(z.object({ directory: z.string(), name: z.string(), config: McpServerConfig() })) })
    .meta({ id: "McpConfigList" }),
);
export type McpConfigList = Infer<typeof McpConfigList>;

export const SkillsConfigList = lazy(() =>
  z
    .object({ skills: z.array(z.object({ directory: z.string(), name: z.string(), config: SkillsConfig() })) })
    .meta({ id: "SkillsConfigList" }),
);
export type SkillsConfigList = Infer<typeof SkillsConfigList>;
