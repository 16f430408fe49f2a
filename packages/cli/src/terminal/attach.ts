/** Attaches this terminal to a terminal of the daemon: input, output and size. */
import { TerminalServerFrame } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { call, type OperationRequest, operationUrl } from "../client.ts";
import { connectionOf } from "../connection.ts";
import { Failure } from "../failure.ts";
import { printError } from "../print.ts";

type SocketOperation = "attachTerminal" | "attachProcessTerminal";

/** Ctrl-] */
const detachKey = 0x1d;

export async function attachFrom<Id extends SocketOperation>(
  command: Command,
  operation: Id,
  request: OperationRequest<Id>,
): Promise<void> {
  const connection = connectionOf(command);
  const url = operationUrl(connection, operation, request.params);
  const socket = await openSocket(url, connection.token);
  if (socket) return attach(socket);
  // A refused socket gives no reason, a plain request does.
  await call(connection, operation, request);
  throw new Failure(`cannot attach at ${url}`);
}

async function attach(socket: WebSocket): Promise<void> {
  const { stdin, stdout } = process;
  const ended = Promise.withResolvers<string>();
  const send = (frame: unknown) => socket.send(JSON.stringify(frame));
  const sendSize = () => send({ type: "resize", cols: stdout.columns, rows: stdout.rows });
  const type = (keys: Buffer) => {
    const detach = stdin.isTTY ? keys.indexOf(detachKey) : -1;
    const typed = detach === -1 ? keys : keys.subarray(0, detach);
    if (typed.length > 0) send({ type: "input", data: typed.toString("base64"), encoding: "base64" });
    if (detach !== -1) ended.resolve("detached");
  };

  socket.onmessage = ({ data }) => {
    if (typeof data !== "string") return void stdout.write(new Uint8Array(data));
    const frame = TerminalServerFrame().parse(JSON.parse(data));
    if (frame.type === "exit") ended.resolve(`ended${frame.exitCode === undefined ? "" : ` with ${frame.exitCode}`}`);
    if (frame.type === "error") void printError(`error: ${frame.message}\r`);
  };
  socket.onclose = () => ended.resolve("connection closed");

  if (stdin.isTTY) stdin.setRawMode(true);
  stdin.on("data", type);
  if (stdout.isTTY) {
    sendSize();
    stdout.on("resize", sendSize);
  }
  try {
    const reason = await ended.promise;
    if (stdout.isTTY) stdout.write(resetModes);
    await printError(`[${reason}]`);
  } finally {
    stdout.off("resize", sendSize);
    stdin.off("data", type);
    if (stdin.isTTY) stdin.setRawMode(false);
    stdin.pause();
    socket.close();
  }
}

/** Resets modes that the program may have left on: alternate screen, hidden cursor, mouse, bracketed paste, colours. */
const resetModes = "\x1b[?1049l\x1b[?25h\x1b[?1000;1002;1003;1006l\x1b[?2004l\x1b[?1l\x1b[0m\r\n";

/** Null if it was refused. */
function openSocket(url: string, token: string | null): Promise<WebSocket | null> {
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const socket = new WebSocket(url.replace(/^http/, "ws"), { headers });
  socket.binaryType = "arraybuffer";
  return new Promise((resolve) => {
    socket.onopen = () => resolve(socket);
    socket.onclose = () => resolve(null);
  });
}
