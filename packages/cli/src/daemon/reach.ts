/**
 * The daemon a command talks to: the one that was named, else one that this user has started, else one of its own for as long as
 * the command runs. An own one keeps its sessions where the others do, so that they can be continued; only while another
 * command has a daemon of its own there, it keeps them in memory.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Daemon } from "@sandbox-agent/daemon";
import { randomToken } from "@sandbox-agent/daemon/root-token";
import type { Command } from "commander";
import { SandboxAgent } from "sandbox-agent";
import { type Connection, patience } from "../client.ts";
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
  if (isEndpointGiven(command) || findDaemon(null) || (await isMeant(command))) return act(connectionOf(command));
  // Standard output is the command's.
  delete process.env.SANDBOX_AGENT_LOG_STDOUT;
  // This is for another daemon.
  delete process.env[tokenVariable];
  protectMemory();
  // Nobody but this process is to use it.
  const token = randomToken();
  const daemon = await startOwn(token);
  try {
    await act({ endpoint: daemon.url, token });
  } finally {
    await daemon.stop();
  }
}

/** Anybody may listen on the default address: without a token for it, nothing of a conversation goes there unasked. */
async function isMeant(command: Command): Promise<boolean> {
  if (!(await isHealthy({ host: defaultHost, port: defaultPort }))) return false;
  if (givenToken(command) !== undefined) return true;
  await printError(
    `note: the daemon at ${defaultEndpoint} was not started by this user, so it is not used; to use it, name it with --endpoint`,
  );
  return false;
}

async function startOwn(token: string): Promise<Daemon> {
  const { DirectoryInUse, defaultOptions, startDaemon } = await import("@sandbox-agent/daemon");
  const options = { ...defaultOptions, port: 0, token };
  try {
    return await startDaemon(options);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    await printError(
      `note: another sandbox-agent uses ${options.dataDir}, so this conversation is not kept; \`sandbox-agent daemon start\` gives both one daemon`,
    );
    const definitions = join(options.dataDir, "agents.json");
    return startDaemon({ ...options, ephemeral: true, agentConfig: existsSync(definitions) ? definitions : null });
  }
}

function connect({ endpoint, token }: Connection): Promise<SandboxAgent> {
  return SandboxAgent.connect({
    baseUrl: endpoint,
    ...(token !== null && { token }),
    fetch: (url, init) => fetch(url, { ...init, ...patience(endpoint) }),
  });
}
