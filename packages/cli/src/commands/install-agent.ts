/** `install-agent`: installs agents on this machine, without a daemon. A running daemon finds them. */
import { join } from "node:path";
import type { InstalledAgent } from "@sandbox-agent/agents";
import { ProblemError } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { Failure, usageError } from "../failure.ts";
import { createProgressView } from "../install-progress.ts";
import { path } from "../option-values.ts";
import { print, printProblem } from "../print.ts";
import { warn } from "../server-output.ts";

interface InstallOptions {
  all?: true;
  reinstall?: true;
  agentVersion?: string;
  dataDir?: string;
  agentConfig?: string;
  allowUnverifiedDownloads?: true;
}

export function addInstallAgent(program: Command): void {
  program
    .command("install-agent [agent]")
    .description("Install an agent on this machine; needs no daemon")
    .option("--all", "install all built-in agents")
    .option("-r, --reinstall", "download and install again even if it is installed")
    .option("-A, --agent-version <version>", "version to install and use from now on, or latest")
    .option("--data-dir <path>", "data directory of the daemon (default: ~/.local/share/sandbox-agent)", path)
    .option("--agent-config <file>", "file with more agent definitions", path)
    .option("--allow-unverified-downloads", "install agents without a checksum, and download over plain http")
    .addHelpText("after", help)
    .action(installAgents);
}

async function installAgents(agent: string | undefined, options: InstallOptions): Promise<void> {
  checkUsage(agent, options);
  const { createInstaller, manifest, openAgentCatalog, unverifiedVariable } = await import("@sandbox-agent/agents");
  const { defaultDataDir } = await import("@sandbox-agent/daemon");
  const directory = options.dataDir ?? defaultDataDir();
  const env = options.allowUnverifiedDownloads ? { ...process.env, [unverifiedVariable]: "1" } : process.env;
  const definitions = openAgentCatalog({ directory, configFile: options.agentConfig ?? null, env });
  const installer = createInstaller({ directory: join(directory, "bin"), env, definitions });
  installer.onProgress(createProgressView(process.stderr));

  const install = async (name: string) => {
    const { agentVersion: version, reinstall } = options;
    await print(describe(await installer.install(name, { version, reinstall })));
  };
  if (agent !== undefined) return install(agent);
  await installEach(Object.keys(manifest), install);
}

/** Continues when an agent fails. Agents without a checksum are skipped. */
async function installEach(agents: string[], install: (agent: string) => Promise<void>): Promise<void> {
  const [failed, skipped]: [string[], string[]] = [[], []];
  for (const agent of agents) {
    try {
      await install(agent);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.context.details?.unverified === true) {
        skipped.push(agent);
        continue;
      }
      await printProblem(error);
      failed.push(agent);
    }
  }
  if (skipped.length > 0)
    warn(
      `skipped, because there is no checksum: ${skipped.join(", ")}; use --allow-unverified-downloads to install them`,
    );
  if (failed.length > 0) throw new Failure(`not installed: ${failed.join(", ")}`);
}

function checkUsage(agent: string | undefined, { all, agentVersion }: InstallOptions): void {
  if (agent === undefined && !all) throw usageError("an agent or --all is required");
  if (agent !== undefined && all) throw usageError("an agent cannot be combined with --all");
  if (all && agentVersion !== undefined && agentVersion !== "latest")
    throw usageError("--agent-version must be latest with --all, because agents have different versions");
}

function describe({ agent, version, path }: InstalledAgent): string {
  return `${agent} ${version ?? "(unknown version)"} is installed: ${path}`;
}

const help = `
Agents are downloaded from the npm registry of your npm configuration, or from their vendor. Besides the built-in agents,
you can install agents of the public ACP registry (gemini, goose, …) and agents that you have defined.

Downloads come over https and are compared with a checksum. Where a vendor publishes none (cursor is one), nothing is
installed unless --allow-unverified-downloads is given.

Environment:
  SANDBOX_AGENT_INSTALL_SOURCE        npm, vendor, or path to use only installed programs
  SANDBOX_AGENT_<AGENT>_PATH          the program of an agent, instead of the installed one
  SANDBOX_AGENT_<AGENT>_RELEASES_URL  a mirror of the vendor's releases
  SANDBOX_AGENT_ALLOW_UNVERIFIED_DOWNLOADS
                                      1 is --allow-unverified-downloads, also for \`server\`

Examples:
  $ sandbox-agent install-agent --all
  $ sandbox-agent install-agent claude --agent-version latest`;
