/** Terminals as a resource. */
import { decodeInput } from "../processes/input.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { asciicast } from "../terminals/asciicast.ts";
import type { Terminal } from "../terminals/terminal.ts";
import type { HttpContext } from "./context.ts";
import type { Handlers } from "./router.ts";
import { viewTerminal } from "./terminal-viewer.ts";

export function terminalHandlers({ processes, terminals, secrets }: HttpContext) {
  const maxInputBytes = () => processes.config.maxInputBytesPerRequest;
  return {
    listTerminals: async () => ({ terminals: (await terminals.list()).map((terminal) => terminal.info()) }),
    attachTmux: async ({ body }) => (await terminals.attachTmux(body)).info(),
    getTerminal: async ({ params }) => (await terminals.get(params.terminal_id)).info(),
    closeTerminal: ({ params }) => terminals.close(params.terminal_id),
    async getTerminalScreen({ params }) {
      const { screen } = await terminals.get(params.terminal_id);
      const close = screen.open();
      const { position: _, ...shown } = await screen.snapshot().finally(close);
      return shown;
    },
    async writeTerminalInput({ params, body }) {
      const bytes = decodeInput(body.data, body.encoding ?? "base64", maxInputBytes());
      (await terminals.get(params.terminal_id)).write(bytes);
      return { bytesWritten: bytes.length };
    },
    async resizeTerminal({ params, body }) {
      (await terminals.get(params.terminal_id)).resize(body);
      return body;
    },
    getTerminalRecording: async ({ params }) => recording(await terminals.get(params.terminal_id), secrets),
    attachTerminal: async ({ params, upgrade }) =>
      upgrade(viewTerminal(await terminals.get(params.terminal_id), maxInputBytes)),
  } satisfies Partial<Handlers>;
}

/** Streamed, so that a recording may have any length. */
function recording(terminal: Terminal, secrets: KnownSecrets): Response {
  const pages = asciicast(terminal, secrets);
  const body = new ReadableStream({
    type: "direct",
    async pull(controller) {
      for (const page of pages) await controller.write(page);
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "application/x-asciicast" } });
}
