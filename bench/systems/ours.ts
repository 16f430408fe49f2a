/** This project's daemon, as users run it: the single executable (`npm run build:binary`). */
import { mkdirSync } from "node:fs";
import { buildBinary } from "../../scripts/release/binary.ts";
import { hostTarget } from "../../scripts/release/platforms.ts";
import { post, put } from "../client.ts";
import { startHealthy } from "./process.ts";
import { readDeltas } from "./reader.ts";
import { scriptedAgent } from "./scripted.ts";
import type { Running, System } from "./system.ts";

const turnTimeoutMs = 600_000;

export async function buildExecutable(folder: string): Promise<string> {
  const host = hostTarget();
  if (!host) throw new Error("no executable can be built for this platform");
  return buildBinary(host, folder);
}

export function ours(executable: string): System {
  return {
    name: "sandbox-agent",
    async start(directory) {
      mkdirSync(directory, { recursive: true });
      const server = ["server", "--no-token", "--data-dir", directory, "--port"];
      const daemon = await startHealthy((port) => [executable, ...server, String(port)], {
        HOME: directory,
        SANDBOX_AGENT_LOG: "error",
      });
      return { ...daemon, ...client(daemon.url) };
    },
  };
}

function client(url: string): Pick<Running, "open" | "follow" | "prompt" | "turn"> {
  let defined: Promise<void> | null = null;
  const define = () => (defined ??= put(url, "/v1/agents/scripted", { command: scriptedAgent() }));
  return {
    async open(session, agent = "scripted") {
      // Defined with the first session, so that it is not part of the measured start.
      await define();
      await post(url, `/v1/sessions/${session}`, { agent });
    },
    follow: (session) => readDeltas(url, `/v1/sessions/${session}/events/sse`, '"type":"item.delta"'),
    turn: (session, deltas) => post(url, `/v1/sessions/${session}/messages/stream`, { message: `burst ${deltas}` }),
    async prompt(session, message) {
      await post(url, `/v1/sessions/${session}/messages`, { message });
      const response = await fetch(`${url}/v1/sessions/${session}/wait?timeout_ms=${turnTimeoutMs}`);
      await response.arrayBuffer();
    },
  };
}
