/**
 * The daemon a command talks to: the one that was named, else the one at the default address, else one of its own for as
 * long as the command runs. It keeps its sessions where the others do, so that they can be continued.
 */
import type { Command } from "commander";
import { SandboxAgent } from "sandbox-agent";
import { type Connection, patience } from "../client.ts";
import { connectionOf } from "../connection.ts";
import { defaultHost, defaultPort } from "../default-address.ts";
import { isHealthy } from "./health.ts";

export function withDaemon(command: Command, act: (client: SandboxAgent) => Promise<void>): Promise<void> {
  return withConnection(command, async (connection) => act(await connect(connection)));
}

export async function withConnection(command: Command, act: (connection: Connection) => Promise<void>): Promise<void> {
  const named = command.getOptionValueSource("endpoint") !== "default";
  if (named || (await isHealthy({ host: defaultHost, port: defaultPort }))) return act(connectionOf(command));
  const { defaultOptions, startDaemon } = await import("@sandbox-agent/daemon");
  // Standard output is the command's.
  delete process.env.SANDBOX_AGENT_LOG_STDOUT;
  // Nobody but this process is to use it.
  const token = crypto.randomUUID();
  const daemon = await startDaemon({ ...defaultOptions, port: 0, token });
  try {
    await act({ endpoint: daemon.url, token });
  } finally {
    await daemon.stop();
  }
}

function connect({ endpoint, token }: Connection): Promise<SandboxAgent> {
  return SandboxAgent.connect({
    baseUrl: endpoint,
    ...(token !== null && { token }),
    fetch: (url, init) => fetch(url, { ...init, ...patience(endpoint) }),
  });
}
