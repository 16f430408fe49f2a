/** `api terminals …` and `terminal`: watching terminals and typing into them. */
import { TerminalList } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { addOperation, operationCommand } from "../operation-command.ts";
import { path } from "../option-values.ts";
import type { Table } from "../table.ts";
import { attachFrom } from "../terminal/attach.ts";
import { parseSize } from "./process-io.ts";

export function addTerminals(parent: Command, description: string): void {
  const terminals = parent.command("terminals").description(description);
  addOperation(terminals, {
    operation: "listTerminals",
    usage: "list",
    request: () => ({ params: {} }),
    table: terminalTable,
  });
  addOperation(terminals, {
    operation: "attachTmux",
    usage: "tmux <target>",
    request: (target: string, { socket }: { socket?: string }) => ({ params: {}, body: { target, socket } }),
  }).option("-S, --socket <path>", "socket of the tmux server", path);
  addOperation(terminals, {
    operation: "getTerminal",
    usage: "get <terminal-id>",
    request: (terminal_id: string) => ({ params: { terminal_id } }),
  });
  addOperation(terminals, {
    operation: "getTerminalScreen",
    usage: "screen <terminal-id>",
    request: (terminal_id: string) => ({ params: { terminal_id } }),
  });
  addOperation(terminals, {
    operation: "writeTerminalInput",
    usage: "input <terminal-id> <data>",
    request: (terminal_id: string, data: string, { base64 }: { base64?: true }) => ({
      params: { terminal_id },
      body: { data, encoding: base64 ? ("base64" as const) : ("utf8" as const) },
    }),
  }).option("--base64", "the data is base64");
  const resize = addOperation(terminals, {
    operation: "resizeTerminal",
    usage: "resize <terminal-id> <cols> <rows>",
    request: (terminal_id: string, cols: number, rows: number) => ({ params: { terminal_id }, body: { cols, rows } }),
  });
  parseSize(resize);
  addOperation(terminals, {
    operation: "getTerminalRecording",
    usage: "recording <terminal-id>",
    request: (terminal_id: string) => ({ params: { terminal_id } }),
  });
  const attach = operationCommand(terminals, "attachTerminal", "attach <terminal-id>");
  attach.action((terminal_id: string) => attachFrom(attach, "attachTerminal", { params: { terminal_id } }));
  addOperation(terminals, {
    operation: "closeTerminal",
    usage: "close <terminal-id>",
    request: (terminal_id: string) => ({ params: { terminal_id } }),
  });
}

/** Short form of `api terminals attach`. */
export function addTerminal(program: Command): void {
  const terminal = program.command("terminal <terminal-id>").description("Attach to a terminal; Ctrl-] detaches");
  terminal.action((terminal_id: string) => attachFrom(terminal, "attachTerminal", { params: { terminal_id } }));
}

function terminalTable(value: unknown): Table {
  const { terminals } = TerminalList().parse(value);
  return {
    columns: ["TERMINAL", "KIND", "STATUS", "SIZE", "VIEWERS", "TITLE"],
    rows: terminals.map(({ id, kind, status, cols, rows, viewers, title }) => [
      id,
      kind,
      status,
      `${cols}x${rows}`,
      String(viewers),
      title,
    ]),
    empty: "No terminals. Start one with `sandbox-agent processes create --tty -- bash`.",
  };
}
