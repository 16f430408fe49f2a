/** The baseline that daemons on this runtime are compared with: `baseline-server.ts`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startHealthy } from "./process.ts";
import { readDeltas } from "./reader.ts";
import { scriptedAgent } from "./scripted.ts";
import type { System } from "./system.ts";

const program = join(import.meta.dirname, "baseline-server.ts");

export const baseline: System = {
  name: "baseline on this runtime",
  async start(directory) {
    mkdirSync(directory, { recursive: true });
    const daemon = await startHealthy((port) => [process.execPath, program, String(port), directory], {});
    async function post(session: string, body: string): Promise<void> {
      const response = await fetch(`${daemon.url}/sessions/${session}`, { method: "POST", body });
      await response.arrayBuffer();
    }
    return {
      ...daemon,
      open: (session) => post(session, scriptedAgent()),
      prompt: post,
      turn: (session, deltas) => post(session, `burst ${deltas}`),
      follow: (session) => readDeltas(daemon.url, `/sessions/${session}`, '"type":"item.delta"'),
    };
  },
};
