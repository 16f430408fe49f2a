/**
 * The upstream daemon, written in Rust, from npm. It passes ACP through: each of its servers is a process of the agent, and the
 * client exchanges ACP messages with it. Its mock agent only echoes, so the scripted agent is installed in its place.
 */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Started, startHealthy } from "./process.ts";
import { readDeltas } from "./reader.ts";
import { scriptedAgent } from "./scripted.ts";
import type { Reader, Running, System } from "./system.ts";

const version = "0.4.2";

/** An agent as that daemon expects it: the agent's program, and the adapter process that speaks ACP. */
export interface UpstreamAgent {
  id: string;
  program?: string;
  adapter?: readonly string[];
  env?: Record<string, string>;
  /** Working directory of its sessions. */
  directory?: string;
  /** ACP authentication method that makes it use its key. */
  authMethod?: string;
}

const scripted = (): UpstreamAgent => ({ id: "mock", adapter: [scriptedAgent()] });

/** Installs it once, with npm, into the cache. */
export function upstream(cache: string, agent = scripted()): System {
  const executable = installUpstream(cache);
  return {
    name: `upstream ${version}`,
    async start(directory) {
      install(join(directory, "sandbox-agent/bin"), agent);
      const server = ["server", "--no-token", "--no-telemetry", "--port"];
      const daemon = await startHealthy((port) => [executable, ...server, String(port)], {
        HOME: directory,
        XDG_DATA_HOME: directory,
        ...agent.env,
      });
      return { ...daemon, ...client(daemon, agent) };
    },
  };
}

function installUpstream(cache: string): string {
  const folder = join(cache, `upstream-${version}`);
  const name = `@sandbox-agent/cli-${process.platform}-${process.arch}`;
  const executable = join(folder, "node_modules", name, "bin/sandbox-agent");
  if (existsSync(executable)) return executable;
  mkdirSync(folder, { recursive: true });
  const npm = Bun.spawnSync(["npm", "install", "--silent", "--no-save", "--prefix", folder, `${name}@${version}`]);
  if (npm.exitCode !== 0) throw new Error(`npm cannot install ${name}@${version}: ${npm.stderr}`);
  return executable;
}

function install(bin: string, { id, program, adapter }: UpstreamAgent): void {
  mkdirSync(join(bin, "agent_processes"), { recursive: true });
  if (program) symlinkSync(program, join(bin, id));
  if (!adapter) return;
  const launcher = `#!/bin/sh\nexec ${adapter.map((word) => `'${word}'`).join(" ")}\n`;
  writeFileSync(join(bin, "agent_processes", `${id}-acp`), launcher, { mode: 0o755 });
}

function client(
  { url, stop }: Started,
  { id: agent, directory = process.cwd(), authMethod }: UpstreamAgent,
): Pick<Running, "open" | "follow" | "prompt" | "turn" | "stop"> {
  let id = 0;
  const natives = new Map<string, string>();
  const readers = new Map<string, Reader>();
  const path = (session: string) => `/v1/acp/${session}`;

  async function request(session: string, method: string, params: object): Promise<unknown> {
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

  /** Its DELETE ends the process but never responds. */
  async function stopServers(): Promise<void> {
    const gone = [...natives.keys()].map((session) =>
      fetch(`${url}${path(session)}`, { method: "DELETE", signal: AbortSignal.timeout(300) }).catch(() => null),
    );
    await Promise.all(gone);
  }

  async function prompt(session: string, text: string): Promise<void> {
    const message = [{ type: "text", text }];
    await request(session, "session/prompt", { sessionId: natives.get(session), prompt: message });
  }

  const follow = (session: string) => readDeltas(url, path(session), '"agent_message_chunk"');

  /** The response to a prompt has only the stop reason; the deltas arrive on the stream of the server. */
  async function turn(session: string, deltas: number): Promise<void> {
    const reader = readers.get(session) ?? (await follow(session));
    readers.set(session, reader);
    const answered = reader.settled(reader.deltas + deltas);
    await prompt(session, `burst ${deltas}`);
    await answered;
  }

  return {
    async open(session) {
      await request(session, "initialize", { protocolVersion: 1, clientCapabilities: {} });
      if (authMethod) await request(session, "authenticate", { methodId: authMethod });
      const made = await request(session, "session/new", { cwd: directory, mcpServers: [] });
      if (typeof made !== "object" || made === null || !("sessionId" in made)) throw new Error("no session");
      natives.set(session, String(made.sessionId));
    },
    follow,
    prompt,
    turn,
    async stop() {
      for (const reader of readers.values()) reader.close();
      await stopServers();
      await stop();
    },
  };
}
