/** Labs for tests: one agent with its own home directory behind a real daemon. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, type AgentEnvironment, createInstaller, type Installer } from "@sandbox-agent/agents";
import { defaultOptions, startDaemon } from "@sandbox-agent/daemon";
import { expect } from "vitest";
import { findCredentials } from "../../packages/agents/src/credentials/find-credentials.ts";
import { ownerVariable, sweepOwned } from "../../packages/agents/src/process/tree.ts";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { sessionClient } from "./session-client.ts";

/** Agents are installed once per machine, as for users, and then reused. */
export const installer = createInstaller({ directory: join(tmpdir(), "sandbox-agent-test-agents"), env: process.env });

export interface LabOptions {
  env?: Record<string, string>;
  installer?: Installer;
  idleMs?: number;
  dataDir?: string;
  home?: string;
}

export interface Subject {
  create(environment: AgentEnvironment): Agent;
  /** Request fields of its sessions. */
  defaults?: Record<string, unknown>;
}

/** A daemon in memory, unless there is a data directory. Everything is stopped at the end of the test. */
export async function startAgentLab({ create, defaults = {} }: Subject, options: LabOptions) {
  const home = options.home ?? temporaryDirectory();
  const directory = temporaryDirectory();
  const dataDir = options.dataDir ?? temporaryDirectory();
  const owner = `test-${crypto.randomUUID()}`;
  const env = { PATH: process.env.PATH, HOME: home, ...options.env };
  const agent = create({
    dataDir,
    env,
    installer: options.installer ?? installer,
    credentials: () => findCredentials({ env, home, oauth: true }),
    owner,
    idleMs: options.idleMs ?? 0,
    inherit: [],
    hide: () => {},
    log: () => {},
  });
  const daemon = await startTestDaemon(options.dataDir === undefined ? {} : { dataDir }, new Map([[agent.id, agent]]));
  const client = new TestClient(daemon.url);
  return {
    ...sessionClient(() => client, { agent: agent.id, directory, ...defaults }),
    agent,
    client,
    directory,
    dataDir,
    home,
    owner,
    /** Stops the daemon and checks that nothing of it is left. */
    async stop(): Promise<void> {
      await daemon.stop();
      expect(sweepOwned(owner)).toBe(0);
    },
    /** Waits until this many processes of the agent are there, and returns their ids. */
    async untilProcesses(count: number): Promise<number[]> {
      // A process that has just been started has no environment yet.
      let found = ownedProcesses(owner);
      while (found.length !== count) {
        await Bun.sleep(20);
        found = ownedProcesses(owner);
      }
      return found;
    },
  };
}

export interface LastingLabOptions extends Pick<AgentEnvironment, "credentials"> {
  env?: Record<string, string>;
  installer: Installer;
  idleMs?: number;
}

/** A daemon on disk that many tests share and that can be restarted. The caller closes it. */
export async function openAgentLab({ create, defaults = {} }: Subject, options: LastingLabOptions) {
  const home = mkdtempSync(join(tmpdir(), "sandbox-agent-lab-"));
  const directory = join(home, "project");
  mkdirSync(directory);
  const environment: AgentEnvironment = {
    dataDir: join(home, "agents"),
    env: { PATH: process.env.PATH, HOME: home, ...options.env },
    installer: options.installer,
    credentials: options.credentials,
    owner: crypto.randomUUID(),
    idleMs: options.idleMs ?? 0,
    inherit: [],
    hide: () => {},
    log: () => {},
  };

  async function start() {
    const agent = create(environment);
    const daemon = await startDaemon(
      { ...defaultOptions, port: 0, dataDir: join(home, "daemon") },
      () => new Map([[agent.id, agent]]),
    );
    const stop = async () => {
      await daemon.stop();
      await agent.close?.();
    };
    return { agentId: agent.id, client: new TestClient(daemon.url), stop };
  }

  let running = await start();
  return {
    ...sessionClient(() => running.client, { agent: running.agentId, directory, ...defaults }),
    home,
    directory,
    owner: environment.owner,
    get client() {
      return running.client;
    },
    /** Stops the daemon and starts it again on the same data. */
    async restart(): Promise<void> {
      await running.stop();
      running = await start();
    },
    stop: () => running.stop(),
    async close(): Promise<void> {
      await running.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function ownedProcesses(owner: string): number[] {
  const mark = `${ownerVariable}=${owner}`;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(mark))
    .map(Number);
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}
