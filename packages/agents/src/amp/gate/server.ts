/** The daemon's end of the gate: a socket that only this user can reach, one connection for each tool call. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../../json.ts";

const Question = z.object({ tool: z.string(), toolUseId: z.string().nullable(), input: z.unknown() });
export type Question = z.infer<typeof Question>;

export type Answer = { allow: true } | { allow: false; message: string };

export interface Asked {
  question: Question;
  answer(answer: Answer): void;
}

export interface GateServer {
  /** For the gate program. */
  address: string;
  close(): void;
}

export interface GateServerOptions {
  /** Whose gate it is; sockets of a killed owner are found by it. */
  owner: string;
  onAsked(asked: Asked): void;
  /** The gate program has left without an answer. */
  onGone(asked: Asked): void;
}

export async function startGateServer({ owner, onAsked, onGone }: GateServerOptions): Promise<GateServer> {
  // Not in the data directory: the path of a socket must be short.
  const directory = mkdtempSync(join(tmpdir(), folderPrefix(owner)));
  const address = join(directory, "gate");
  const connections = new Set<Socket>();

  const server = createServer((socket) => {
    let text = "";
    let asked: Asked | null = null;
    let isAnswered = false;
    connections.add(socket);
    socket.setEncoding("utf8");
    socket.on("error", () => {});
    socket.on("close", () => {
      connections.delete(socket);
      if (asked && !isAnswered) onGone(asked);
    });
    socket.on("data", (chunk) => {
      text += chunk;
      if (asked || !text.endsWith("\n")) return;
      const question = Question.safeParse(parseJson(text)).data;
      if (!question) return socket.destroy();
      asked = {
        question,
        answer(answer) {
          isAnswered = true;
          socket.end(JSON.stringify(answer));
        },
      };
      onAsked(asked);
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
