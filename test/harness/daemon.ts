/** Daemons for tests: in this process, or in their own process if the test kills them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, type AgentRegistry, mockAgent } from "@sandbox-agent/agents";
import { type Daemon, type DaemonOptions, defaultOptions, startDaemon } from "@sandbox-agent/daemon";
import { onTestFinished } from "vitest";
import { TestClient } from "./client.ts";

process.env.SANDBOX_AGENT_LOG ??= "error";

/** A directory that is removed after the test. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "sandbox-agent-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const onlyMock: AgentRegistry = new Map([[mockAgent.id, mockAgent]]);

/** A daemon in this process, stopped after the test. Default: only the mock agent, data in memory. */
export async function startTestDaemon(
  options: Partial<DaemonOptions> = {},
  agents: AgentRegistry = onlyMock,
): Promise<Daemon> {
  const daemon = await startDaemon(
    {
      ...defaultOptions,
      port: 0,
      ephemeral: options.dataDir === undefined,
      ...options,
    },
    () => agents,
  );
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= daemon.stop());
  onTestFinished(stop);
  return { url: daemon.url, stop };
}

/** A client of a new daemon, with its token if it has one. */
export async function startTestClient(
  options: Partial<DaemonOptions> = {},
  agents?: AgentRegistry,
): Promise<TestClient> {
  const { url } = await startTestDaemon(options, agents);
  return new TestClient(url, options.token ?? null);
}

/** The agents of a daemon whose mock differs in some points. */
export function agentsWithMock(change: (mock: Agent) => Partial<Agent>): AgentRegistry {
  const changed = { ...mockAgent, ...change(mockAgent) };
  return new Map([[changed.id, changed]]);
}

export interface DaemonProcess {
  url: string;
  pid: number;
  exited: Promise<number>;
  kill(signal: NodeJS.Signals): void;
}

const cli = join(import.meta.dirname, "../../packages/cli/src/main.ts");

/** `sandbox-agent server` as a process, killed after the test. */
export async function spawnDaemon(
  dataDir: string,
  flags: string[] = [],
  env: Record<string, string> = {},
): Promise<DaemonProcess> {
  const daemon = await startDaemonProcess(dataDir, flags, env);
  onTestFinished(() => daemon.kill("SIGKILL"));
  return daemon;
}

/** The same for a group of tests, which stops it itself. `prefix` is a command that runs it. */
export async function startDaemonProcess(
  dataDir: string,
  flags: string[] = [],
  env: Record<string, string> = {},
  prefix: string[] = [],
): Promise<DaemonProcess> {
  const access = flags.includes("--token") ? [] : ["--no-token"];
  const child = Bun.spawn(
    [...prefix, process.execPath, cli, "server", "--port", "0", ...access, "--data-dir", dataDir, ...flags],
    { stdout: "pipe", stderr: "inherit", env: { ...process.env, ...env } },
  );
  const kill = (signal: NodeJS.Signals) => child.kill(signal);
  try {
    return { url: await listeningUrl(child.stdout), pid: child.pid, exited: child.exited, kill };
  } catch (error) {
    kill("SIGKILL");
    throw error;
  }
}

/** The URL from the first line of the output. The rest is read and dropped, so that the daemon does not block. */
async function listeningUrl(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  const reader = stdout.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the daemon exited before it was listening; output: ${text}`);
    text += decoder.decode(value, { stream: true });
    const url = text.match(/listening on (http:\S+)/)?.[1];
    if (!url) continue;
    void (async () => {
      while (!(await reader.read()).done);
    })();
    return url;
  }
}
