/**
 * One viewer of a terminal on a WebSocket. It gets the present screen, then the output that follows. A viewer that cannot
 * keep up gets the screen again instead of the output it missed, so it needs no more memory than one page of the log.
 */
import { ProblemError, TerminalClientFrame, type TerminalServerFrame } from "@sandbox-agent/schema";
import { parseMessageJson } from "../bounded-json.ts";
import { type Follower, follow } from "../follow/follow.ts";
import { decodeInput } from "../processes/input.ts";
import { joined, type LogEntry } from "../processes/output-log.ts";
import { outputSource } from "../processes/output-source.ts";
import { sizeOf } from "../terminals/screen.ts";
import type { Terminal } from "../terminals/terminal.ts";
import { firstIssues } from "./body.ts";
import { SocketWriter } from "./socket-writer.ts";
import type { Socket, SocketListener } from "./sockets.ts";

/** A viewer that is further behind than this gets a fresh screen. */
const maxBehindBytes = 256 * 1024;
const reset = "\x1bc";

/** The message format of a viewer. */
export interface TerminalProtocol {
  /** Encodes a control frame; null if the protocol has none for it. */
  control(frame: TerminalServerFrame): string | null;
  output(bytes: Uint8Array<ArrayBuffer>): string | Uint8Array<ArrayBuffer>;
  parse(message: string | Buffer): TerminalClientFrame;
}

const ownProtocol: TerminalProtocol = {
  control: (frame) => JSON.stringify(frame),
  output: (bytes) => bytes,
  parse: parseFrame,
};

export function viewTerminal(
  terminal: Terminal,
  maxInputBytes: () => number,
  protocol: TerminalProtocol = ownProtocol,
): SocketListener {
  let position = 0;
  let closed = false;
  let writer: SocketWriter | null = null;
  let follower: Follower<number, readonly LogEntry[]> | null = null;
  let closeScreen: () => void = () => {};

  function sendFrame(socket: Socket, frame: TerminalServerFrame): void {
    const text = protocol.control(frame);
    if (text !== null) socket.sendText(text);
  }

  /** Null, or a promise that resolves when the viewer has read enough to continue. */
  function show(bytes: Uint8Array): Promise<void> | null {
    const output = protocol.output(new Uint8Array(bytes));
    return output.length === 0 ? null : (writer?.send([output]) ?? null);
  }

  /** Sends the present screen; the log follows from there. */
  async function showScreen(socket: Socket): Promise<void> {
    const { cols, rows, ansi, position: seen } = await terminal.screen.snapshot();
    if (closed) return;
    sendFrame(socket, { type: "resize", cols, rows });
    await show(Buffer.from(reset + ansi));
    position = seen;
    follower?.seek(seen);
  }

  async function take(socket: Socket, entries: readonly LogEntry[]): Promise<void> {
    // The log has evicted the entries in between.
    if (entries[0]?.sequence !== position + 1) return showScreen(socket);
    position = entries.at(-1)?.sequence ?? position;
    let waited = false;
    for (const group of joined(entries)) {
      if (group.kind === "resize") sendFrame(socket, { type: "resize", ...sizeOf(group.data) });
      else {
        const drained = show(group.data);
        if (!drained) continue;
        await drained;
        waited = true;
      }
    }
    if (waited && terminal.log.bytesAfter(position) > maxBehindBytes) await showScreen(socket);
  }

  async function begin(socket: Socket): Promise<void> {
    writer = new SocketWriter(socket);
    sendFrame(socket, { type: "ready", processId: terminal.id, ...terminal.size });
    await showScreen(socket);
    if (closed) return;
    const source = outputSource(terminal.log, (entries) => entries);
    follower = follow(source, position, { write: (entries) => take(socket, entries), end: () => end(socket) });
  }

  function end(socket: Socket): void {
    if (closed) return;
    sendFrame(socket, { type: "exit", ...(terminal.exitCode !== null && { exitCode: terminal.exitCode }) });
    socket.close(1000, "the terminal has ended");
  }

  function handle(socket: Socket, frame: TerminalClientFrame): void {
    if (frame.type === "close") return socket.close(1000);
    if (frame.type === "resize") return terminal.resize({ cols: frame.cols, rows: frame.rows });
    terminal.write(decodeInput(frame.data, frame.encoding ?? "text", maxInputBytes()));
  }

  return {
    open(socket) {
      terminal.viewers += 1;
      closeScreen = terminal.screen.open();
      begin(socket).catch(() => socket.close(1011, "the screen cannot be shown"));
    },
    message(socket, message) {
      try {
        handle(socket, protocol.parse(message));
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        sendFrame(socket, { type: "error", message: error.message });
      }
    },
    drain: () => writer?.drain(),
    close() {
      closed = true;
      terminal.viewers -= 1;
      follower?.stop();
      closeScreen();
      writer?.close();
    },
  };
}

function parseFrame(message: string | Buffer): TerminalClientFrame {
  const parsed = TerminalClientFrame().safeParse(typeof message === "string" ? parseMessageJson(message) : null);
  if (parsed.success) return parsed.data;
  const issues = firstIssues(parsed.error).map(({ path, message }) => (path ? `${path}: ${message}` : message));
  throw new ProblemError(
    "invalid_request",
    `a frame must be JSON: {"type":"input","data":"…"}, {"type":"resize","cols":80,"rows":24} or {"type":"close"} (${issues.join("; ")})`,
  );
}
