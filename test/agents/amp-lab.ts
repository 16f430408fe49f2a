/** The Amp adapter behind a real daemon, with the stand-in as its program, or whatever a test puts in its place. */
import { join } from "node:path";
import { checkEvents, type UniversalEvent } from "@sandbox-agent/schema";
import { expect } from "vitest";
import { createAmpAgent } from "../../packages/agents/src/amp/agent.ts";
import { findCredentials } from "../../packages/agents/src/credentials/find-credentials.ts";
import type { AgentEnvironment } from "../../packages/agents/src/environment.ts";
import { createInstaller } from "../../packages/agents/src/install/create-installer.ts";
import { descendants, sweepOwned } from "../../packages/agents/src/process/tree.ts";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { commandOf } from "../harness/processes.ts";
import { installStandIn, type StandInOptions } from "./amp-stand-in/install.ts";

export interface LabOptions extends StandInOptions {
  env?: Record<string, string>;
  /** The program, where it is not the stand-in. */
  program?: string;
  idleMs?: number;
  dataDir?: string;
  home?: string;
}

export async function startLab({ env = {}, program, idleMs = 0, dataDir, home, ...standIn }: LabOptions = {}) {
  const ownHome = home ?? temporaryDirectory();
  const directory = temporaryDirectory();
  const owner = `test-${crypto.randomUUID()}`;
  const path = program ?? installStandIn(join(ownHome, "stand-in"), standIn);
  const variables = {
    PATH: process.env.PATH,
    HOME: ownHome,
    AMP_API_KEY: "key-of-the-machine",
    SANDBOX_AGENT_AMP_PATH: path,
    ...env,
  };
  const ownData = dataDir ?? temporaryDirectory();
  const environment: AgentEnvironment = {
    dataDir: ownData,
    env: variables,
    installer: createInstaller({ directory: join(ownHome, "agents"), env: variables }),
    credentials: () => findCredentials({ env: variables, home: ownHome, oauth: true }),
    owner,
    idleMs,
    log: () => {},
  };
  const daemon = await startTestDaemon(
    dataDir === undefined ? {} : { dataDir },
    new Map([["amp", createAmpAgent(environment)]]),
  );
  const client = new TestClient(daemon.url);
  const at = (sessionId: string) => `/v1/sessions/${sessionId}`;

  const lab = {
    client,
    directory,
    home: ownHome,
    /** The stand-in's program, to be used again with the same threads. */
    program: path,
    /** Stops the daemon and checks that nothing of it is left. */
    async stop(): Promise<void> {
      await daemon.stop();
      expect(sweepOwned(owner)).toBe(0);
    },
    async create(sessionId: string, body: Record<string, unknown> = {}): Promise<void> {
      const answer = await client.create(sessionId, { agent: "amp", directory, ...body });
      expect(answer.status, answer.text).toBe(200);
    },
    /** Sends a message and returns the events of its turn, up to the end or the first open request. */
    async say(sessionId: string, message: string, extra: Record<string, unknown> = {}): Promise<UniversalEvent[]> {
      const answer = await client.send(sessionId, message, extra);
      expect(answer.status, answer.text).toBeLessThan(300);
      await client.wait(sessionId, "idle,request,ended");
      return lastTurn(await client.events(sessionId));
    },
    async finish(sessionId: string): Promise<UniversalEvent[]> {
      await client.wait(sessionId, "idle,ended");
      return lastTurn(await client.events(sessionId));
    },
    async reply(sessionId: string, reply: string): Promise<void> {
      const { json } = await client.get(`${at(sessionId)}/requests`);
      const [open] = json.permissions;
      const answer = await client.post(`${at(sessionId)}/permissions/${open.permission_id}/reply`, { reply });
      expect(answer.status, answer.text).toBe(204);
    },
    async untilEvent(sessionId: string, matches: (event: UniversalEvent) => boolean): Promise<void> {
      const reader = await client.open(`${at(sessionId)}/events/sse?offset=0`);
      await reader.until(matches);
      await reader.close();
    },
    /** Processes of the agent: they are told where this daemon keeps their settings. */
    processes(): number[] {
      return descendants(process.pid).filter((pid) => commandOf(pid).includes(ownData));
    },
    /** Checks the whole history. */
    async check(sessionId: string): Promise<UniversalEvent[]> {
      const events = await client.events(sessionId);
      expect(checkEvents(events, { finished: true })).toEqual([]);
      return events;
    },
  };
  return lab;
}

export type Lab = Awaited<ReturnType<typeof startLab>>;

function lastTurn(events: readonly UniversalEvent[]): UniversalEvent[] {
  return events.slice(events.findLastIndex(({ type }) => type === "turn.started"));
}
