/** The operations on terminals. Part of the table in operations.ts. */
import type { Operation } from "./operations.ts";
import { InputWritten, TerminalSize } from "./processes.ts";
import {
  AttachTmuxRequest,
  TerminalClientFrame,
  TerminalInfo,
  TerminalInput,
  TerminalList,
  TerminalScreen,
  TerminalServerFrame,
} from "./terminals.ts";

const one = "/v1/terminals/{terminal_id}";

export const terminalSocket = {
  status: 101,
  socket: { server: TerminalServerFrame, client: TerminalClientFrame },
} as const;

export const terminalOperations = {
  listTerminals: {
    method: "GET",
    path: "/v1/terminals",
    tag: "terminals",
    scopes: ["processes"],
    summary: "Terminals of processes, of agents and of tmux",
    success: { status: 200, json: TerminalList },
  },
  attachTmux: {
    method: "POST",
    path: "/v1/terminals/tmux",
    tag: "terminals",
    scopes: ["processes"],
    summary: "Open a terminal on a pane of a running tmux",
    description: "The pane keeps its size and its own clients. If the pane is already open, its terminal is returned.",
    body: AttachTmuxRequest,
    success: { status: 200, json: TerminalInfo },
    problems: ["not_found", "process_not_started"],
  },
  getTerminal: {
    method: "GET",
    path: one,
    tag: "terminals",
    scopes: ["processes"],
    summary: "One terminal",
    success: { status: 200, json: TerminalInfo },
    problems: ["not_found"],
  },
  closeTerminal: {
    method: "DELETE",
    path: one,
    tag: "terminals",
    scopes: ["processes"],
    summary: "Detach from a tmux pane, which keeps running, or delete an ended terminal",
    success: { status: 204 },
    problems: ["not_found", "conflict"],
  },
  getTerminalScreen: {
    method: "GET",
    path: `${one}/screen`,
    tag: "terminals",
    scopes: ["processes"],
    summary: "Current screen of a terminal",
    success: { status: 200, json: TerminalScreen },
    problems: ["not_found"],
  },
  writeTerminalInput: {
    method: "POST",
    path: `${one}/input`,
    tag: "terminals",
    scopes: ["processes"],
    summary: "Type into a terminal",
    body: TerminalInput,
    success: { status: 200, json: InputWritten },
    problems: ["not_found", "conflict", "payload_too_large"],
  },
  resizeTerminal: {
    method: "POST",
    path: `${one}/resize`,
    tag: "terminals",
    scopes: ["processes"],
    summary: "Change the size of a terminal",
    body: TerminalSize,
    success: { status: 200, json: TerminalSize },
    problems: ["not_found", "conflict"],
  },
  getTerminalRecording: {
    method: "GET",
    path: `${one}/recording`,
    tag: "terminals",
    scopes: ["processes"],
    summary: "Output of a terminal as an asciicast v2 recording",
    success: { status: 200, text: "application/x-asciicast" },
    problems: ["not_found"],
  },
  attachTerminal: {
    method: "GET",
    path: `${one}/ws`,
    tag: "terminals",
    scopes: ["processes"],
    summary: "Attach to a terminal",
    description:
      "A WebSocket. Binary frames are terminal output, beginning with the current screen; text frames are JSON. A viewer that falls behind gets the current screen again instead of the output it missed. The socket closes when the terminal ends. Browsers send the token as `access_token`.",
    success: terminalSocket,
    problems: ["not_found"],
  },
} as const satisfies Record<string, Operation>;
