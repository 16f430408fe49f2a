/** The daemon's side of the gate: a socket that only this user can access, with one connection per tool call. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../../json.ts";

const ToolCall = z.object({ tool: z.string(), toolUseId: z.string().nullable(), input: z.unknown() });
export type ToolCall = z.infer<typeof ToolCall>;

export type Decision = { allow: true } | { allow: false; message: string };

export interface GateRequest {
  toolCall: ToolCall;
  answer(answer: Decision): void;
}

export interface GateServer {
  /** Path of the socket, for the gate program. */
  address: string;
  close(): void;
}

export interface GateServerOptions {
  /** The daemon's owner mark, by which sockets of a killed daemon are found. */
  owner: string;
  onRequest(request: GateRequest): void;
  /** The gate program has disconnected before it was answered. */
  onDisconnect(request: GateRequest): void;
}

export async function startGateServer({ owner, onRequest, onDisconnect }: GateServerOptions): Promise<GateServer> {
  // Not in the data directory, because the path of a socket must be short.
  const directory = mkdtempSync(join(tmpdir(), folderPrefix(owner)));
  const address = join(directory, "gate");
  const connections = new Set<Socket>();

  const server = createServer((socket) => {
    let text = "";
    let request: GateRequest | null = null;
    let isAnswered = false;
    connections.add(socket);
    socket.setEncoding("utf8");
    socket.on("error", () => {});
    socket.on("close", () => {
      connections.delete(socket);
      if (request && !isAnswered) onDisconnect(request);
    });
    socket.on("data", (chunk) => {
      text += chunk;
      if (request || !text.endsWith("\n")) return;
      const toolCall = ToolCall.safeParse(parseJson(text)).data;
      if (!toolCall) return socket.destroy();
      request = {
        toolCall,
        answer(answer) {
          isAnswered = true;
          socket.end(JSON.stringify(answer));
        },
      };
      onRequest(request);
    });
  });

  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(address, resolve));
  server.unref();
  return {
    address,
    close() {
      server.close();
      for (const socket of connections) socket.destroy();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Removes the sockets of a run that was killed. */
export function sweepGates(owner: string): void {
  const left = readdirSync(tmpdir()).filter((name) => name.startsWith(folderPrefix(owner)));
  for (const name of left) rmSync(join(tmpdir(), name), { recursive: true, force: true });
}

function folderPrefix(owner: string): string {
  return `sandbox-agent-amp-${Bun.hash(owner).toString(36)}-`;
}
