/**
 * Agents by configuration: the definition that makes any program that implements the Agent Client Protocol (ACP) an agent,
 * and the description of the public registry of such agents.
 */
import * as z from "zod";
import { type Infer, lazy } from "./lazy.ts";

/** Used as the name of a folder, in the name of a variable and in URLs. */
export const AgentId = lazy(() =>
  z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{0,63}$/,
      "must start with a lowercase letter and contain only lowercase letters, digits and hyphens",
    ),
);

export const AgentSource = lazy(() =>
  z.enum(["builtin", "registry", "custom"]).meta({
    id: "AgentSource",
    description: "Built in, from the public ACP registry, or defined by a user",
  }),
);
export type AgentSource = Infer<typeof AgentSource>;

const Version = lazy(() => z.string().regex(/^\d[\w.+-]*$/, "must be an exact version"));

/** Passed to a package manager, so it must not look like an option or a URL. */
const PackageSpec = lazy(() =>
  z
    .string()
    .regex(
      /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(@\d[\w.+-]*)?$/i,
      "must be the name of an npm package, optionally with @ and an exact version",
    ),
);

const WebAddress = lazy(() => z.url({ protocol: /^https?$/, error: "must be an http or https address" }));

const platforms = ["linux-x86_64", "linux-aarch64", "darwin-x86_64", "darwin-aarch64"] as const;

export const Archive = lazy(() =>
  z.strictObject({
    url: WebAddress().meta({
      description: "A .tar.gz, .tgz, .tar.bz2, .tbz2, .tar.xz or .zip file, or the program itself",
    }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, "must be 64 hexadecimal digits")
      .optional(),
  }),
);

export const AgentInstallSource = lazy(() =>
  z
    .discriminatedUnion("type", [
      z.strictObject({
        type: z.literal("npm"),
        package: PackageSpec().meta({
          description: "`name@version`; without a version, the newest when it is installed",
        }),
      }),
      z.strictObject({
        type: z.literal("archive"),
        version: Version(),
        archives: z.partialRecord(z.enum(platforms), Archive()),
      }),
    ])
    .meta({ id: "AgentInstallSource" }),
);
export type AgentInstallSource = Infer<typeof AgentInstallSource>;

const VariableName = lazy(() => z.string().regex(/^[A-Za-z_]\w*$/, "must be the name of an environment variable"));

export const AgentDefinition = lazy(() =>
  z
    .strictObject({
      name: z.string().min(1).optional().meta({ description: "Default: the id" }),
      command: z.string().min(1).optional().meta({
        description:
          "The program: on PATH or an absolute path; below the archive's folder; or which program of the npm package, where it has several",
      }),
      args: z.array(z.string()).optional().meta({ description: "Arguments that start it in ACP mode, such as `acp`" }),
      env: z
        .record(VariableName(), z.string())
        .optional()
        .meta({ description: "Environment variables it is started with" }),
      inheritEnv: z.array(VariableName()).optional().meta({
        description:
          "Variables of the daemon that are passed on although their names look like secrets, such as `GITHUB_TOKEN`",
      }),
      install: AgentInstallSource()
        .optional()
        .meta({ description: "Without it, the program must already be installed" }),
      keys: z.record(z.string(), VariableName()).optional().meta({
        description: "Environment variable that takes the API key, by provider: `anthropic` → `ANTHROPIC_API_KEY`",
      }),
      endpoints: z
        .record(z.string(), VariableName())
        .optional()
        .meta({ description: "Environment variable that takes the base URL, by provider" }),
      authMethod: z
        .string()
        .min(1)
        .optional()
        .meta({ description: "ACP authentication method to use before a session starts" }),
      asksQuestions: z
        .boolean()
        .optional()
        .meta({ description: "Whether its model can ask the user questions; reported as the capability `questions`" }),
    })
    .superRefine(checkCommand)
    .meta({ id: "AgentDefinition", description: "An agent that speaks ACP (the Agent Client Protocol) over stdio" }),
);
export type AgentDefinition = Infer<typeof AgentDefinition>;

/** Which commands are valid depends on where the program comes from. */
function checkCommand(
  { command, install }: { command?: string; install?: AgentInstallSource },
  { addIssue }: z.RefinementCtx,
): void {
  const wrong = (message: string) => addIssue({ code: "custom", path: ["command"], message });
  if (command === undefined) {
    if (install?.type !== "npm") wrong("is required unless the agent is an npm package");
    return;
  }
  if (install?.type === "archive") {
    if (command.startsWith("/") || command.split("/").includes("..")) wrong("must stay within the archive");
    return;
  }
  const isName = !command.includes("/");
  if (install?.type === "npm" && !isName) wrong("must be the name of a program of the package");
  if (!install && !isName && !command.startsWith("/")) wrong("must be a program on PATH or an absolute path");
}

/** A definition as the API returns it. The values of variables are left out, because they may be secrets. */
export const ShownAgentDefinition = lazy(() =>
  z
    .object({
      ...AgentDefinition().shape,
      env: z.array(z.string()).optional().meta({ description: "Names of the variables; their values are not shown" }),
    })
    .meta({ id: "ShownAgentDefinition" }),
);
export type ShownAgentDefinition = Infer<typeof ShownAgentDefinition>;

export function shownDefinition({ env, ...definition }: AgentDefinition): ShownAgentDefinition {
  return { ...definition, ...(env && { env: Object.keys(env) }) };
}

export const AgentRegistryRefresh = lazy(() =>
  z
    .strictObject({
      url: WebAddress().optional().meta({ description: "URL of the registry document; default: the public one" }),
    })
    .meta({ id: "AgentRegistryRefresh" }),
);

export const AgentRegistryInfo = lazy(() =>
  z
    .object({
      url: z.string().meta({ description: "URL the document was fetched from" }),
      date: z.iso.datetime().meta({ description: "When it was fetched" }),
      agents: z.array(z.string()).meta({ description: "Ids of the agents in it that can run on this machine" }),
    })
    .meta({ id: "AgentRegistryInfo" }),
);
export type AgentRegistryInfo = Infer<typeof AgentRegistryInfo>;
