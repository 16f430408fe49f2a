/** Attaches the terminal one sits at to a terminal of the daemon: keys in, screen out, the size follows. */
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
  // A socket does not say why it was refused; an ordinary request does.
  await call(connection, operation, request);
  throw new Failure(`cannot attach at ${url}`);
}

async function attach(socket: WebSocket): Promise<void> {
  const { stdin, stdout } = process;
  const ended = Promise.withResolvers<string>();
  const send = (frame: unknown) => socket.send(JSON.stringify(frame));
  const follow = () => send({ type: "resize", cols: stdout.columns, rows: stdout.rows });
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
    follow();
    stdout.on("resize", follow);
  }
  try {
    const reason = await ended.promise;
    if (stdout.isTTY) stdout.write(leave);
    await printError(`[${reason}]`);
  } finally {
    stdout.off("resize", follow);
    stdin.off("data", type);
    if (stdin.isTTY) stdin.setRawMode(false);
    stdin.pause();
    socket.close();
  }
}

/** The program may have left its own modes behind: other screen, hidden cursor, mouse, pasting, colours. */
const leave = "\x1b[?1049l\x1b[?25h\x1b[?1000;1002;1003;1006l\x1b[?2004l\x1b[?1l\x1b[0m\r\n";

/** Null if it is refused. */
function openSocket(url: string, token: string | null): Promise<WebSocket | null> {
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const socket = new WebSocket(url.replace(/^http/, "ws"), { headers });
  socket.binaryType = "arraybuffer";
  return new Promise((resolve) => {
    socket.onopen = () => resolve(socket);
    socket.onclose = () => resolve(null);
  });
}
