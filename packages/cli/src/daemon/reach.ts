/**
 * The daemon of a command: the given one, else a running one of this user, else a temporary one that runs as long as the command. A
 * temporary daemon uses the default data directory, so that sessions can be continued; if that is in use, it keeps sessions in
 * memory.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Daemon } from "@sandbox-agent/daemon";
import { randomToken } from "@sandbox-agent/daemon/root-token";
import type { Command } from "commander";
import { SandboxAgent } from "sandbox-agent";
import { type Connection, fetchOptions } from "../client.ts";
import { connectionOf, isEndpointGiven } from "../connection.ts";
import { defaultEndpoint, defaultHost, defaultPort } from "../default-address.ts";
import { printError } from "../print.ts";
import { givenToken, tokenVariable } from "../token/given-token.ts";
import { protectMemory } from "../token/native.ts";
import { findDaemon } from "./find.ts";
import { isHealthy } from "./health.ts";

export function withDaemon(command: Command, act: (client: SandboxAgent) => Promise<void>): Promise<void> {
  return withConnection(command, async (connection) => act(await connect(connection)));
}

export async function withConnection(command: Command, act: (connection: Connection) => Promise<void>): Promise<void> {
  if (isEndpointGiven(command) || findDaemon(null) || (await isUsableDefault(command)))
    return act(connectionOf(command));
  // Standard output is for the output of the command.
  delete process.env.SANDBOX_AGENT_LOG_STDOUT;
  // This token is for another daemon.
  delete process.env[tokenVariable];
  protectMemory();
  // Only this process may use it.
  const token = randomToken();
  const daemon = await startTemporary(token);
  try {
    await act({ endpoint: daemon.url, token });
  } finally {
    await daemon.stop();
  }
}

/** Another user may listen on the default address. Without a token for it, it is not used unless it is chosen explicitly. */
async function isUsableDefault(command: Command): Promise<boolean> {
  if (!(await isHealthy({ host: defaultHost, port: defaultPort }))) return false;
  if (givenToken(command) !== undefined) return true;
  await printError(
    `note: the daemon at ${defaultEndpoint} was not started by this user, so it is not used; use --endpoint to choose it`,
  );
  return false;
}

async function startTemporary(token: string): Promise<Daemon> {
  const { DirectoryInUse, defaultOptions, startDaemon } = await import("@sandbox-agent/daemon");
  const options = { ...defaultOptions, port: 0, token };
  try {
    return await startDaemon(options);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    await printError(
      `note: another sandbox-agent uses ${options.dataDir}, so this conversation is not stored; run \`sandbox-agent daemon start\` to share one daemon`,
    );
    const definitions = join(options.dataDir, "agents.json");
    return startDaemon({ ...options, ephemeral: true, agentConfig: existsSync(definitions) ? definitions : null });
  }
}

function connect({ endpoint, token }: Connection): Promise<SandboxAgent> {
  return SandboxAgent.connect({
    baseUrl: endpoint,
    ...(token !== null && { token }),
    fetch: (url, init) => fetch(url, { ...init, ...fetchOptions(endpoint) }),
  });
}
