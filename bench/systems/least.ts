/** Not a daemon one would use, but what any on this runtime takes at least: `least-program.ts`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startHealthy } from "./process.ts";
import { readDeltas } from "./reader.ts";
import { scriptedAgent } from "./scripted.ts";
import type { System } from "./system.ts";

const program = join(import.meta.dirname, "least-program.ts");

export const least: System = {
  name: "the least on this runtime",
  async start(directory) {
    mkdirSync(directory, { recursive: true });
    const daemon = await startHealthy((port) => [process.execPath, program, String(port), directory], {});
    async function say(session: string, body: string): Promise<void> {
      const response = await fetch(`${daemon.url}/sessions/${session}`, { method: "POST", body });
      await response.arrayBuffer();
    }
    return {
      ...daemon,
      open: (session) => say(session, scriptedAgent()),
      prompt: say,
      turn: (session, deltas) => say(session, `burst ${deltas}`),
      follow: (session) => readDeltas(daemon.url, `/sessions/${session}`, '"type":"item.delta"'),
    };
  },
};
