/** Connects ACP on standard input and output, one message per line, to a daemon's WebSocket. */
import { createInterface } from "node:readline";
import { type Connection, call, operationUrl } from "../client.ts";
import { Failure } from "../failure.ts";
import { print } from "../print.ts";
import { stopRequested } from "../stop-signals.ts";

/** Resolves when the client closes standard input, or the process is asked to stop. */
export async function bridge(connection: Connection, serverId: string, agent: string): Promise<void> {
  // A refused WebSocket gives no reason, a plain request does.
  await call(connection, "getAgent", { params: { agent } });
  const socket = await open(connection, serverId, agent);
  const lost = new Promise<never>((_, reject) => {
    socket.addEventListener("close", ({ reason }) =>
      reject(new Failure(`the daemon closed the connection${reason && `: ${reason}`}`)),
    );
    socket.addEventListener("message", ({ data }) => void print(String(data)).catch(reject));
  });
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    if (line.trim() !== "") socket.send(line);
  });
  const done = new Promise<void>((resolve) => lines.on("close", resolve));
  await Promise.race([done, stopRequested(), lost]);
  socket.close();
}

function open(connection: Connection, serverId: string, agent: string): Promise<WebSocket> {
  const url = operationUrl(connection, "connectAcp", { server_id: serverId }).replace(/^http/, "ws");
  const headers: Record<string, string> = {};
  if (connection.token !== null) headers.authorization = `Bearer ${connection.token}`;
  const socket = new WebSocket(`${url}?${new URLSearchParams({ agent })}`, { headers });
  return new Promise((resolve, reject) => {
    socket.addEventListener("open", () => resolve(socket));
    socket.addEventListener("error", () =>
      reject(new Failure(`cannot open ACP server "${serverId}" at ${connection.endpoint}; the id may be in use`)),
    );
  });
}
