/**
 * One viewer of a terminal on a WebSocket. It gets the screen as it is, then what follows. A viewer that cannot keep up
 * gets the screen again instead of all it missed, so it costs no more memory than one page of the log.
 */
import { ProblemError, TerminalClientFrame, type TerminalServerFrame } from "@sandbox-agent/schema";
import { followLog } from "../processes/follow-log.ts";
import { decodeInput } from "../processes/input.ts";
import { joined, type LogEntry } from "../processes/output-log.ts";
import { sizeOf } from "../terminals/screen.ts";
import type { Terminal } from "../terminals/terminal.ts";
import type { Socket, SocketListener } from "./sockets.ts";

/** A viewer that is further behind than this after it was waited for gets a fresh screen. */
const maxBehindBytes = 256 * 1024;
const reset = "\x1bc";

/** How a viewer is spoken to. */
export interface TerminalDialect {
  /** Null for what it does not want to know. */
  news(frame: TerminalServerFrame): string | null;
  output(bytes: Uint8Array<ArrayBuffer>): string | Uint8Array<ArrayBuffer>;
  parse(message: string | Buffer): TerminalClientFrame;
}

const ownDialect: TerminalDialect = {
  news: (frame) => JSON.stringify(frame),
  output: (bytes) => bytes,
  parse: parseFrame,
};

export function viewTerminal(
  terminal: Terminal,
  maxInputBytes: () => number,
  dialect: TerminalDialect = ownDialect,
): SocketListener {
  let position = 0;
  let closed = false;
  let drained = Promise.withResolvers<void>();
  let stop: () => void = () => {};
  let closeScreen: () => void = () => {};

  function say(socket: Socket, frame: TerminalServerFrame): void {
    const news = dialect.news(frame);
    if (news !== null) socket.sendText(news);
  }

  /** Resolves when the viewer has taken enough to go on; true if it had to be waited for. */
  async function show(socket: Socket, bytes: Uint8Array): Promise<boolean> {
    const output = dialect.output(new Uint8Array(bytes));
    if (closed || output.length === 0 || socket.send(output) > 0) return false;
    drained = Promise.withResolvers();
    await drained.promise;
    return true;
  }

  async function showScreen(socket: Socket): Promise<number> {
    const { cols, rows, ansi, position: seen } = await terminal.screen.snapshot();
    if (closed) return seen;
    say(socket, { type: "resize", cols, rows });
    await show(socket, Buffer.from(reset + ansi));
    return (position = seen);
  }

  async function take(socket: Socket, entries: readonly LogEntry[]): Promise<number | undefined> {
    // The log has dropped what came in between.
    if (entries[0]?.sequence !== position + 1) return showScreen(socket);
    position = entries.at(-1)?.sequence ?? position;
    let waited = false;
    for (const group of joined(entries)) {
      if (group.kind === "resize") say(socket, { type: "resize", ...sizeOf(group.data) });
      else waited = (await show(socket, group.data)) || waited;
    }
    if (waited && terminal.log.bytesAfter(position) > maxBehindBytes) return showScreen(socket);
    return undefined;
  }

  async function begin(socket: Socket): Promise<void> {
    say(socket, { type: "ready", processId: terminal.id, ...terminal.size });
    const start = await showScreen(socket);
    if (closed) return;
    stop = followLog(terminal.log, start, {
      take: (entries) => take(socket, entries),
      dry: (ended) => {
        if (ended) end(socket);
      },
    });
  }

  function end(socket: Socket): void {
    if (closed) return;
    say(socket, { type: "exit", ...(terminal.exitCode !== null && { exitCode: terminal.exitCode }) });
    socket.close(1000, "the terminal has ended");
  }

  function obey(socket: Socket, frame: TerminalClientFrame): void {
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
        obey(socket, dialect.parse(message));
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        say(socket, { type: "error", message: error.message });
      }
    },
    drain: () => drained.resolve(),
    close() {
      closed = true;
      terminal.viewers -= 1;
      stop();
      closeScreen();
      drained.resolve();
    },
  };
}

function parseFrame(message: string | Buffer): TerminalClientFrame {
  const parsed = TerminalClientFrame().safeParse(typeof message === "string" ? jsonOf(message) : null);
  if (parsed.success) return parsed.data;
  throw new ProblemError(
    "invalid_request",
    'a frame must be JSON: {"type":"input","data":"…"}, {"type":"resize","cols":80,"rows":24} or {"type":"close"}',
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
