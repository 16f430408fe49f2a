/**
 * The Rust daemon of the same name, from npm. It passes ACP through: a server of it is a process of the agent, and a client
 * talks ACP to that. Its own mock agent is an echo, so the scripted agent takes its place.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startHealthy } from "./process.ts";
import { readDeltas } from "./reader.ts";
import { scriptedAgent } from "./scripted.ts";
import type { Running, System } from "./system.ts";

const version = "0.4.2";

/** Fetches it once, through npm, into a directory of its own. */
export function upstream(cache: string): System {
  const folder = join(cache, `upstream-${version}`);
  const name = `@sandbox-agent/cli-${process.platform}-${process.arch}`;
  const executable = join(folder, "node_modules", name, "bin/sandbox-agent");
  if (!existsSync(executable)) {
    mkdirSync(folder, { recursive: true });
    const npm = Bun.spawnSync(["npm", "install", "--silent", "--no-save", "--prefix", folder, `${name}@${version}`]);
    if (npm.exitCode !== 0) throw new Error(`npm could not fetch ${name}@${version}: ${npm.stderr}`);
  }
  return {
    name: `upstream ${version}`,
    async start(directory) {
      const launchers = join(directory, "sandbox-agent/bin/agent_processes");
      mkdirSync(launchers, { recursive: true });
      writeFileSync(join(launchers, "mock-acp"), launcher(scriptedAgent), { mode: 0o755 });
      const server = ["server", "--no-token", "--no-telemetry", "--port"];
      const daemon = await startHealthy((port) => [executable, ...server, String(port)], {
        HOME: directory,
        XDG_DATA_HOME: directory,
      });
      const { stopServers, ...rest } = client(daemon.url);
      return {
        ...daemon,
        ...rest,
        async stop() {
          await stopServers();
          await daemon.stop();
        },
      };
    },
  };
}

function launcher(command: readonly string[]): string {
  return `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")}\n`;
}

function client(url: string): Pick<Running, "open" | "follow" | "prompt"> & { stopServers(): Promise<void> } {
  let id = 0;
  const natives = new Map<string, string>();
  const path = (session: string) => `/v1/acp/${session}`;

  async function request(session: string, method: string, params: object, agent = "mock"): Promise<unknown> {
    id += 1;
    const response = await fetch(`${url}${path(session)}?agent=${agent}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    });
    const answer = (await response.json()) as { error?: unknown; result?: unknown };
    if (!response.ok || answer.error) throw new Error(`${method}: ${JSON.stringify(answer)}`);
    return answer.result;
  }

  return {
    async open(session, agent) {
      await request(session, "initialize", { protocolVersion: 1, clientCapabilities: {} }, agent);
      const made = await request(session, "session/new", { cwd: process.cwd(), mcpServers: [] }, agent);
      if (typeof made !== "object" || made === null || !("sessionId" in made)) throw new Error("no session");
      natives.set(session, String(made.sessionId));
    },
    follow: (session) => readDeltas(url, path(session), '"agent_message_chunk"'),
    async prompt(session, text) {
      const prompt = [{ type: "text", text }];
      await request(session, "session/prompt", { sessionId: natives.get(session), prompt });
    },
    /** Its DELETE ends the process but never answers. */
    async stopServers() {
      const gone = [...natives.keys()].map((session) =>
        fetch(`${url}${path(session)}`, { method: "DELETE", signal: AbortSignal.timeout(300) }).catch(() => null),
      );
      await Promise.all(gone);
    },
  };
}
