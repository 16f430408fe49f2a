/** `acp`: an ACP agent for editors. `api acp …`: the ACP servers of a daemon. */
import { AcpEnvelope, AcpServerList } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { bridge } from "../acp/bridge.ts";
import { connectionOf } from "../connection.ts";
import { withConnection } from "../daemon/reach.ts";
import { usageError } from "../failure.ts";
import { addOperation, operationCommand } from "../operation-command.ts";
import type { Table } from "../table.ts";

export function addAcp(program: Command): void {
  const command = program
    .command("acp")
    .description("Run as an ACP agent on standard input and output, for editors")
    .requiredOption("-a, --agent <agent>", "agent to run, see `agents list` (required)")
    .addHelpText("after", editorHelp);
  command.action(({ agent }: { agent: string }) =>
    withConnection(command, (connection) => bridge(connection, `stdio-${crypto.randomUUID()}`, agent)),
  );
}

export function addAcpServers(api: Command): void {
  const acp = api.command("acp").description("ACP servers: use agents over the Agent Client Protocol");
  addOperation(acp, {
    operation: "listAcpServers",
    usage: "list",
    request: () => ({ params: {} }),
    table: serverTable,
  });
  addOperation(acp, {
    operation: "postAcpMessage",
    usage: "post <server-id> <message>",
    request: (server_id: string, message: string, { agent }: { agent?: string }) => ({
      params: { server_id },
      query: { agent },
      body: envelopeOf(message),
    }),
  })
    .option("-a, --agent <agent>", "agent to run; required for the first message")
    .addHelpText("after", postHelp);
  addOperation(acp, {
    operation: "streamAcpMessages",
    usage: "stream <server-id>",
    request: (server_id: string, { lastEventId }: { lastEventId?: string }) => ({
      params: { server_id },
      headers: { "Last-Event-ID": lastEventId },
    }),
  }).option("--last-event-id <n>", "id of the last frame already seen");
  addOperation(acp, {
    operation: "closeAcpServer",
    usage: "close <server-id>",
    request: (server_id: string) => ({ params: { server_id } }),
  });
  const connect = operationCommand(acp, "connectAcp", "connect <server-id>");
  connect
    .requiredOption("-a, --agent <agent>", "agent to run (required)")
    .action((serverId: string, { agent }: { agent: string }) => bridge(connectionOf(connect), serverId, agent));
}

function envelopeOf(text: string): AcpEnvelope {
  try {
    return AcpEnvelope().parse(JSON.parse(text));
  } catch {
    throw usageError("the message must be a JSON-RPC object");
  }
}

function serverTable(value: unknown): Table {
  const { servers } = AcpServerList().parse(value);
  return {
    columns: ["SERVER", "AGENT", "CREATED"],
    rows: servers.map(({ serverId, agent, createdAtMs }) => [serverId, agent, new Date(createdAtMs).toISOString()]),
    empty: "No ACP servers.",
  };
}

const editorHelp = `
Editors start this command themselves: configure \`sandbox-agent acp --agent claude\`. Sessions are stored in the daemon like
all others. If no daemon is running, one is started until the editor disconnects. With several editors, only the first one then
stores its sessions, so run \`sandbox-agent daemon start\` first.

Example for the settings of Zed:
  "agent_servers": { "Claude": { "command": "sandbox-agent", "args": ["acp", "--agent", "claude"] } }`;

const postHelp = `
Examples:
  $ sandbox-agent api acp post s1 --agent mock '{"id":0,"method":"initialize","params":{"protocolVersion":1}}'
  $ sandbox-agent api acp post s1 '{"id":1,"method":"session/new","params":{"cwd":"/tmp","mcpServers":[]}}'`;
