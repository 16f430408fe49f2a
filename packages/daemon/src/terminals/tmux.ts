/**
 * A pane of a running tmux as a terminal, through a control client: it receives the pane's output and can send input, but
 * changes neither the pane's size nor what its user sees.
 */
import { type AttachTmuxRequest, ProblemError, type TerminalSize } from "@sandbox-agent/schema";
import type { DeviceTerminal, TerminalDevice } from "./device-terminal.ts";
import { TmuxControl } from "./tmux-control.ts";

interface TmuxPane {
  key: string;
  socket: string | null;
  sessionId: string;
  paneId: string;
  title: string;
  size: TerminalSize;
}

export async function findPane({ target, socket }: AttachTmuxRequest, env: Record<string, string>): Promise<TmuxPane> {
  const format = "#{session_id} #{pane_id} #{pane_width} #{pane_height} #{session_name}:#{window_index}.#{pane_index}";
  // For a missing pane, display-message reports another one, but capture-pane fails, and with it the whole command.
  const looks = ["capture-pane", "-p", "-E", "0", "-t", target, ";", "display-message", "-p", "-t", target, format];
  const { code, stdout, stderr } = await runTmux(looks, socket, env);
  const answer = stdout.trimEnd().split("\n").at(-1) ?? "";
  const [, sessionId, paneId, cols, rows, title = target] = /^(\$\d+) (%\d+) (\d+) (\d+) (.*)$/.exec(answer) ?? [];
  if (code !== 0 || !sessionId || !paneId)
    throw new ProblemError("not_found", `tmux has no pane ${target}${stderr && `: ${stderr.trim()}`}`, {
      details: { resource: "tmux pane", target },
    });
  const size = { cols: Number(cols), rows: Number(rows) };
  return { key: `${socket ?? ""} ${paneId}`, socket: socket ?? null, sessionId, paneId, title, size };
}

export function attachPane(
  pane: TmuxPane,
  env: Record<string, string>,
  open: (size: TerminalSize, device: TerminalDevice) => DeviceTerminal,
): DeviceTerminal {
  const { paneId } = pane;
  const control = new TmuxControl(
    [...socketFlags(pane.socket), "-C", "attach-session", "-f", "ignore-size", "-t", pane.sessionId],
    env,
  );
  const terminal = open(pane.size, {
    key: pane.key,
    get pendingInput() {
      return control.pendingInput;
    },
    write: (bytes) => {
      for (const piece of pieces(bytes)) control.send(`send-keys -t ${paneId} -H ${piece.join(" ")}`);
    },
    close: () => control.close(),
  });
  // Output before the first capture is part of the capture.
  let live = false;

  /** Checks whether the pane exists and its size, and captures its content if that may have changed. */
  async function look(): Promise<void> {
    const [status] = await control.ask(`list-panes -a -f '#{==:#{pane_id},${paneId}}' -F '${paneFormat}'`);
    const found = status && parseStatus(status);
    if (!found) return control.close();
    const { size } = found;
    const isResized = size.cols !== terminal.size.cols || size.rows !== terminal.size.rows;
    if (live && !isResized) return;
    const history = live ? "" : " -S -1000";
    const lines = await control.ask(`capture-pane -p -e -t ${paneId}${found.alternate ? "" : history}`);
    if (isResized) terminal.resized(size);
    terminal.feed(Buffer.from(redraw(lines, found), "utf8"));
    live = true;
  }

  control.onOutput = (id, bytes) => {
    if (live && id === paneId) terminal.feed(bytes);
  };
  control.onChange = () => void look().catch(() => {});
  control.onEnd = () => terminal.end(null);
  control.onChange();
  return terminal;
}

const paneFormat = "#{pane_width} #{pane_height} #{cursor_x} #{cursor_y} #{alternate_on} #{cursor_flag}";

interface PaneStatus {
  size: TerminalSize;
  cursor: { x: number; y: number };
  alternate: boolean;
  cursorHidden: boolean;
}

function parseStatus(line: string): PaneStatus | null {
  const [cols = 0, rows = 0, x = 0, y = 0, alternate, shown] = line.split(" ").map(Number);
  if (!(cols > 0 && rows > 0)) return null;
  return { size: { cols, rows }, cursor: { x, y }, alternate: alternate === 1, cursorHidden: shown === 0 };
}

/** The output that draws the pane on an empty terminal. */
function redraw(lines: readonly string[], { cursor, alternate, cursorHidden }: PaneStatus): string {
  const screen = `\x1b[H\x1b[2J\x1b[3J${lines.join("\r\n")}\x1b[0m`;
  const mode = alternate ? "\x1b[?1049h" : "\x1b[?1049l";
  return `${mode}${screen}\x1b[${cursor.y + 1};${cursor.x + 1}H\x1b[?25${cursorHidden ? "l" : "h"}`;
}

const pieceBytes = 512;

/** The bytes as hexadecimal numbers, in lists of limited length. */
function pieces(bytes: Uint8Array): string[][] {
  const numbers = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
  return Array.from({ length: Math.ceil(numbers.length / pieceBytes) }, (_, index) =>
    numbers.slice(index * pieceBytes, (index + 1) * pieceBytes),
  );
}

function socketFlags(socket: string | null | undefined): string[] {
  return socket ? ["-S", socket] : [];
}

async function runTmux(args: string[], socket: string | undefined, env: Record<string, string>) {
  const tmux = Bun.which("tmux", { PATH: env.PATH ?? "" });
  if (!tmux) throw new ProblemError("process_not_started", "tmux cannot be started; install it first");
  const child = Bun.spawn([tmux, ...socketFlags(socket), ...args], { env, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
}
