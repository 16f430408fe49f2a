/** `install-agent`: installs agents on this machine. No daemon is needed; one that runs finds them there. */
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
    .option("--all", "install all agents that are built in")
    .option("-r, --reinstall", "fetch and install again even if it is there")
    .option("-A, --agent-version <version>", "version to install and use from now on; latest takes the newest")
    .option("--data-dir <path>", "data directory of the daemon (default: ~/.local/share/sandbox-agent)", path)
    .option("--agent-config <file>", "file that defines further agents", path)
    .option("--allow-unverified-downloads", "install agents without a checksum, and download over plain http")
    .addHelpText("after", help)
    .action(installAgents);
}

async function installAgents(agent: string | undefined, options: InstallOptions): Promise<void> {
  checkUsage(agent, options);
  const { createInstaller, manifest, openAgentBook, unverifiedVariable } = await import("@sandbox-agent/agents");
  const { defaultDataDir } = await import("@sandbox-agent/daemon");
  const directory = options.dataDir ?? defaultDataDir();
  const env = options.allowUnverifiedDownloads ? { ...process.env, [unverifiedVariable]: "1" } : process.env;
  const definitions = openAgentBook({ directory, configFile: options.agentConfig ?? null, env });
  const installer = createInstaller({ directory: join(directory, "bin"), env, definitions });
  installer.onProgress(createProgressView(process.stderr));

  const install = async (name: string) => {
    const { agentVersion: version, reinstall } = options;
    await print(describe(await installer.install(name, { version, reinstall })));
  };
  if (agent !== undefined) return install(agent);
  await installEach(Object.keys(manifest), install);
}

/** One that fails does not keep the others away. Those that cannot be verified are left out. */
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
      `left out, since there is no checksum: ${skipped.join(", ")}; --allow-unverified-downloads installs them as well`,
    );
  if (failed.length > 0) throw new Failure(`not installed: ${failed.join(", ")}`);
}

function checkUsage(agent: string | undefined, { all, agentVersion }: InstallOptions): void {
  if (agent === undefined && !all) throw usageError("name an agent, or say --all");
  if (agent !== undefined && all) throw usageError("name an agent or say --all, not both");
  if (all && agentVersion !== undefined && agentVersion !== "latest")
    throw usageError("--agent-version with --all can only be latest; versions of agents differ");
}

function describe({ agent, version, path }: InstalledAgent): string {
  return `${agent} ${version ?? "(unknown version)"} is installed: ${path}`;
}

const help = `
Agents come from the npm registry of your npm configuration, or else from their vendor. Besides those that are built in,
there are the agents of the public ACP registry (gemini, goose, …) and those that were defined by you.

Downloads come over https and are compared with a checksum. Where a vendor publishes none (cursor is one), nothing is
installed unless --allow-unverified-downloads is given.

Environment:
  SANDBOX_AGENT_INSTALL_SOURCE        npm, vendor, or path to install nothing and use what is there
  SANDBOX_AGENT_<AGENT>_PATH          the program to use for an agent, whatever is installed
  SANDBOX_AGENT_<AGENT>_RELEASES_URL  a mirror of the vendor's releases
  SANDBOX_AGENT_ALLOW_UNVERIFIED_DOWNLOADS
                                      1 is --allow-unverified-downloads, also for \`server\`

Examples:
  $ sandbox-agent install-agent --all
  $ sandbox-agent install-agent claude --agent-version latest`;
