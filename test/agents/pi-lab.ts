/** The real Pi behind a real daemon, with a scripted model on loopback and a home of its own. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  checkEvents,
  type EventOf,
  type EventType,
  type UniversalEvent,
  type UniversalItem,
} from "@sandbox-agent/schema";
import { expect, onTestFinished } from "vitest";
import * as z from "zod";
import { findCredentials } from "../../packages/agents/src/credentials/find-credentials.ts";
import type { AgentEnvironment } from "../../packages/agents/src/environment.ts";
import { createInstaller } from "../../packages/agents/src/install/create-installer.ts";
import type { Installer } from "../../packages/agents/src/install/installer.ts";
import { createPiAgent } from "../../packages/agents/src/pi/agent.ts";
import { ownerVariable, sweepOwned } from "../../packages/agents/src/process/tree.ts";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { type ModelServer, startModelServer } from "../model/server.ts";

const agents = join(tmpdir(), "sandbox-agent-test-agents");

export const installer = createInstaller({ directory: agents, env: process.env });

export interface LabOptions {
  env?: Record<string, string>;
  installer?: Installer;
  idleMs?: number;
  /** How long Pi waits before it asks a failing provider once more. */
  retryMs?: number;
  dataDir?: string;
  home?: string;
}

export interface Lab {
  client: TestClient;
  model: ModelServer;
  directory: string;
  home: string;
  owner: string;
  /** Stops the daemon and checks that nothing of it is left. */
  stop(): Promise<void>;
  /** A session in a directory of its own. */
  create(sessionId: string, body?: Record<string, unknown>): Promise<void>;
  /** Sends a message and returns the events of its turn, up to the end or the first open request. */
  say(sessionId: string, message: string, extra?: Record<string, unknown>): Promise<UniversalEvent[]>;
  /** Waits for the end of the turn and returns the events of the last turn. */
  finish(sessionId: string): Promise<UniversalEvent[]>;
  replyPermission(sessionId: string, reply: string): Promise<void>;
  /** Waits until this many events match. */
  untilEvent(sessionId: string, matches: (event: UniversalEvent) => boolean, count?: number): Promise<void>;
  /** Waits until this many processes of the agent are there, and returns their ids. */
  untilProcesses(count: number): Promise<number[]>;
  /** The requests for an answer that the model has had. */
  modelCalls(): ModelCall[];
  /** Checks the whole history. */
  check(sessionId: string): Promise<UniversalEvent[]>;
}

export async function startLab(options: LabOptions = {}): Promise<Lab> {
  await installer.require("pi");
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const home = options.home ?? temporaryDirectory();
  const directory = temporaryDirectory();
  const settings = { retry: { maxRetries: 1, baseDelayMs: options.retryMs ?? 50 } };
  mkdirSync(join(home, ".pi/agent"), { recursive: true });
  writeFileSync(join(home, ".pi/agent/settings.json"), JSON.stringify(settings));
  const owner = `test-${crypto.randomUUID()}`;
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    ANTHROPIC_API_KEY: "key-of-the-machine",
    ANTHROPIC_BASE_URL: model.url,
    OPENAI_BASE_URL: `${model.url}/v1`,
    ...options.env,
  };
  const environment: AgentEnvironment = {
    dataDir: options.dataDir ?? temporaryDirectory(),
    env,
    installer: options.installer ?? installer,
    credentials: () => findCredentials({ env, home, oauth: true }),
    owner,
    idleMs: options.idleMs ?? 0,
    log: () => {},
  };
  const daemon = await startTestDaemon(
    options.dataDir === undefined ? {} : { dataDir: options.dataDir },
    new Map([["pi", createPiAgent(environment)]]),
  );
  const client = new TestClient(daemon.url);
  const path = (sessionId: string) => `/v1/sessions/${sessionId}`;

  const lab: Lab = {
    client,
    model,
    directory,
    home,
    owner,
    async stop() {
      await daemon.stop();
      expect(sweepOwned(owner)).toBe(0);
    },
    async create(sessionId, body = {}) {
      const model = "anthropic/claude-sonnet-4-5";
      const answer = await client.create(sessionId, { agent: "pi", directory, model, ...body });
      expect(answer.status, answer.text).toBe(200);
    },
    async say(sessionId, message, extra = {}) {
      const answer = await client.send(sessionId, message, extra);
      expect(answer.status, answer.text).toBeLessThan(300);
      await client.wait(sessionId, "idle,request,ended");
      return lastTurn(await client.events(sessionId));
    },
    async finish(sessionId) {
      await client.wait(sessionId, "idle,ended");
      return lastTurn(await client.events(sessionId));
    },
    async replyPermission(sessionId, reply) {
      const { json } = await client.get(`${path(sessionId)}/requests`);
      const [open] = json.permissions;
      const answer = await client.post(`${path(sessionId)}/permissions/${open.permission_id}/reply`, { reply });
      expect(answer.status, answer.text).toBe(204);
    },
    async untilEvent(sessionId, matches, count = 1) {
      const reader = await client.open(`${path(sessionId)}/events/sse?offset=0`);
      let left = count;
      await reader.until((event) => matches(event) && --left === 0);
      await reader.close();
    },
    async untilProcesses(count) {
      // A process that has just been started has no environment yet.
      let found = ownedProcesses(owner);
      while (found.length !== count) {
        await Bun.sleep(20);
        found = ownedProcesses(owner);
      }
      return found;
    },
    modelCalls() {
      return model.requests.flatMap(({ body }) => ModelCall.safeParse(body).data ?? []);
    },
    async check(sessionId) {
      const events = await client.events(sessionId);
      expect(checkEvents(events, { finished: true })).toEqual([]);
      return events;
    },
  };
  return lab;
}

const ModelCall = z.object({
  model: z.string(),
  tools: z.array(z.object({ name: z.string() })).min(1),
  thinking: z.object({ type: z.string() }).optional(),
});
type ModelCall = z.infer<typeof ModelCall>;

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

/** Answers the open question; null rejects it. */
export async function answerQuestion(lab: Lab, sessionId: string, answers: string[][] | null): Promise<void> {
  const { json } = await lab.client.get(`/v1/sessions/${sessionId}/requests`);
  const [{ question_id }] = json.questions;
  const path = `/v1/sessions/${sessionId}/questions/${question_id}`;
  const answer = answers
    ? await lab.client.post(`${path}/reply`, { answers })
    : await lab.client.post(`${path}/reject`);
  expect(answer.status, answer.text).toBe(204);
}

function lastTurn(events: readonly UniversalEvent[]): UniversalEvent[] {
  return events.slice(events.findLastIndex(({ type }) => type === "turn.started"));
}

export function ofType<T extends EventType>(events: readonly UniversalEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

export function itemsOf(events: readonly UniversalEvent[]): UniversalItem[] {
  return ofType(events, "item.completed").map(({ data }) => data.item);
}

/** What the model said, without reasoning. */
export function replies(events: readonly UniversalEvent[]): string[] {
  return itemsOf(events)
    .filter(({ kind, role }) => kind === "message" && role === "assistant")
    .flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? [part.text] : [])));
}

export function endReason(events: readonly UniversalEvent[]): string | undefined {
  return ofType(events, "turn.ended").at(-1)?.data.metadata?.reason;
}
