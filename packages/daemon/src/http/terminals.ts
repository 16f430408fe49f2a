/** Terminals as a resource. */
import { decodeInput } from "../processes/input.ts";
import { asciicast } from "../terminals/asciicast.ts";
import type { Terminal } from "../terminals/terminal.ts";
import type { HttpContext } from "./context.ts";
import type { Handlers } from "./router.ts";
import { viewTerminal } from "./terminal-viewer.ts";

type TerminalHandlers = Pick<
  Handlers,
  | "listTerminals"
  | "attachTmux"
  | "getTerminal"
  | "closeTerminal"
  | "getTerminalScreen"
  | "writeTerminalInput"
  | "resizeTerminal"
  | "getTerminalRecording"
  | "attachTerminal"
>;

export function terminalHandlers({ processes, terminals }: HttpContext): TerminalHandlers {
  const maxInputBytes = () => processes.config.maxInputBytesPerRequest;
  return {
    listTerminals: () => ({ terminals: terminals.list().map((terminal) => terminal.info()) }),
    attachTmux: async ({ body }) => (await terminals.attachTmux(body)).info(),
    getTerminal: ({ params }) => terminals.get(params.terminal_id).info(),
    closeTerminal({ params }) {
      terminals.close(params.terminal_id);
      return undefined;
    },
    async getTerminalScreen({ params }) {
      const { position: _, ...screen } = await terminals.get(params.terminal_id).screen.snapshot();
      return screen;
    },
    writeTerminalInput({ params, body }) {
      const bytes = decodeInput(body.data, body.encoding ?? "base64", maxInputBytes());
      terminals.get(params.terminal_id).write(bytes);
      return { bytesWritten: bytes.length };
    },
    resizeTerminal({ params, body }) {
      terminals.get(params.terminal_id).resize(body);
      return body;
    },
    getTerminalRecording: ({ params }) => recording(terminals.get(params.terminal_id)),
    attachTerminal: ({ params, upgrade }) => upgrade(viewTerminal(terminals.get(params.terminal_id), maxInputBytes)),
  };
}

/** Sent piece by piece: the length of a recording does not matter. */
function recording(terminal: Terminal): Response {
  const pages = asciicast(terminal);
  const body = new ReadableStream({
    type: "direct",
    async pull(controller) {
      for (const page of pages) await controller.write(page);
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "application/x-asciicast" } });
}
