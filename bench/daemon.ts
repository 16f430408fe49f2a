/** The daemon under measurement: a process of its own, with the mock and an agent that stamps its deltas. */
import { join } from "node:path";
import { mockAgent } from "@sandbox-agent/agents";
import { defaultOptions, startDaemon } from "@sandbox-agent/daemon";
import { clockAgent } from "./clock-agent.ts";

if (import.meta.main) {
  const [dataDir = "", port = "0"] = process.argv.slice(2);
  const agents = new Map([mockAgent, clockAgent].map((agent) => [agent.id, agent]));
  const daemon = await startDaemon({ ...defaultOptions, port: Number(port), dataDir }, () => agents);
  console.log(daemon.url);
  process.on("SIGTERM", async () => {
    await daemon.stop();
    process.exit(0);
  });
}

export interface MeasuredDaemon {
  url: string;
  pid: number;
  /** Milliseconds from spawn to the first healthy answer. */
  startMs: number;
  stop(): Promise<void>;
}

export async function spawnMeasuredDaemon(dataDir: string): Promise<MeasuredDaemon> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = Bun.spawn([process.execPath, join(import.meta.dirname, "daemon.ts"), dataDir, String(port)], {
    stdout: "ignore",
    stderr: "inherit",
    env: { ...process.env, SANDBOX_AGENT_LOG: "error" },
  });
  while (!(await fetch(`${url}/v1/health`).catch(() => null))) await Bun.sleep(1);
  return {
    url,
    pid: child.pid,
    startMs: performance.now() - started,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  return port ?? 0;
}
