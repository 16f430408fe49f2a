/** The environment of the scenarios: a real daemon in its own process, real agents, and a scripted model on loopback. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInstaller, openAgentCatalog } from "@sandbox-agent/agents";
import { checkEvents, type UniversalEvent, type UniversalItem } from "@sandbox-agent/schema";
import { expect } from "vitest";
import { pathVariable } from "../../packages/agents/src/install/variables.ts";
import { descendants } from "../../packages/agents/src/process/tree.ts";
import { TestClient } from "../harness/client.ts";
import { type DaemonProcess, startDaemonProcess } from "../harness/daemon.ts";
import { isRunning } from "../harness/processes.ts";
import { type ModelServer, startModelServer } from "../model/server.ts";
import type { Subject } from "./subject.ts";

/** In the checkout, not in the system's temporary directory, where sandboxes of agents do not work. */
const cache = join(import.meta.dirname, "../../node_modules/.cache/sandbox-agent");
const agentsDirectory = join(cache, "agents");

/** Some agents retry a failing provider for more than a minute, and starting twenty of them takes long. */
const patienceMs = 280_000;

export interface Actor {
  id: string;
  directory: string;
  /** Sends a message and waits until the turn has ended or has an open request. Returns the events of the last turn. */
  prompt(message: string, extra?: Record<string, unknown>): Promise<UniversalEvent[]>;
  send(message: string, extra?: Record<string, unknown>): Promise<void>;
  /** Waits for the end of the turn. */
  finish(): Promise<UniversalEvent[]>;
  until(matches: (event: UniversalEvent) => boolean): Promise<UniversalEvent>;
  replyPermission(reply: "once" | "always" | "reject"): Promise<void>;
  replyQuestion(answers: string[][] | null): Promise<void>;
  abort(): Promise<void>;
  events(): Promise<UniversalEvent[]>;
}

export interface Stage {
  subject: Subject;
  client: TestClient;
  model: ModelServer;
  daemonPid: number;
  create(body?: Record<string, unknown>): Promise<Actor>;
  /** Terminates the sessions so far without waiting, because agents with a process each would fill the memory. */
  clear(): void;
  /** Kills the daemon with SIGKILL and starts it again on the same data. */
  killAndRestart(): Promise<void>;
  /** Stops the daemon and returns the processes it left behind. */
  stop(): Promise<number[]>;
}

export async function setStage(subject: Subject): Promise<Stage> {
  mkdirSync(cache, { recursive: true });
  const root = mkdtempSync(join(cache, `conformance-${subject.id}-`));
  const home = join(root, "home");
  mkdirSync(home);
  const model = await startModelServer();
  for (const [path, text] of Object.entries(subject.home?.(model.url) ?? {})) {
    mkdirSync(join(home, dirname(path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const env = {
    HOME: home,
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_CACHE_HOME: join(home, ".cache"),
    ANTHROPIC_API_KEY: "test-key",
    OPENAI_API_KEY: "test-key",
    AMP_API_KEY: "test-key",
    ANTHROPIC_BASE_URL: model.url,
    OPENAI_BASE_URL: `${model.url}/v1`,
    // Retries are bounded but take long; a test need not see all of them.
    CLAUDE_CODE_MAX_RETRIES: "1",
    IS_SANDBOX: "1",
    SANDBOX_AGENT_LOG: "warn",
    ...(await programOf(subject, root)),
    ...subject.env?.(model.url),
  };
  const dataDir = join(root, "data");
  const flags = definitionFlags(subject, root);
  let daemon = await startDaemonProcess(dataDir, flags, env);
  let started = 0;
  let current: string[] = [];

  const stage: Stage = {
    subject,
    model,
    client: new TestClient(daemon.url),
    daemonPid: daemon.pid,
    async create(body = {}) {
      started += 1;
      const id = `s${started}`;
      const directory = join(root, `project-${started}`);
      mkdirSync(directory);
      const answer = await stage.client.create(id, { agent: subject.id, directory, ...subject.session, ...body });
      expect(answer.status, answer.text).toBe(200);
      current.push(id);
      return actor(stage, id, directory);
    },
    clear() {
      for (const id of current) stage.client.post(`/v1/sessions/${id}/terminate`, {}).catch(() => {});
      current = [];
    },
    async killAndRestart() {
      daemon.kill("SIGKILL");
      await daemon.exited;
      daemon = await startDaemonProcess(dataDir, flags, env);
      stage.client = new TestClient(daemon.url);
      stage.daemonPid = daemon.pid;
    },
    async stop() {
      const left = await stopAndCount(daemon);
      await model.close();
      rmSync(root, { recursive: true, force: true });
      return left;
    },
  };
  return stage;
}

async function stopAndCount(daemon: DaemonProcess): Promise<number[]> {
  const tree = descendants(daemon.pid);
  daemon.kill("SIGTERM");
  await daemon.exited;
  return survivors(tree);
}

/** The processes that keep running. The kernel may take a moment to remove a killed process. */
export async function survivors(pids: number[]): Promise<number[]> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const running = pids.filter(isRunning);
    if (running.length === 0 || Date.now() > deadline) return running;
    await Bun.sleep(50);
  }
}

/** The agent as users get it, installed once and then found again. */
async function programOf({ id, program = id, standIn }: Subject, root: string): Promise<Record<string, string>> {
  if (id === "mock") return {};
  if (standIn) return { [pathVariable(id)]: standIn(join(root, "stand-in")) };
  const definitions = openAgentCatalog({ directory: null, configFile: null, env: process.env });
  const installer = createInstaller({ directory: agentsDirectory, env: process.env, definitions });
  return { [pathVariable(id)]: (await installer.require(program)).path };
}

function definitionFlags({ id, definition }: Subject, root: string): string[] {
  if (!definition) return [];
  const file = join(root, "agents.json");
  writeFileSync(file, JSON.stringify({ agents: { [id]: definition } }));
  return ["--agent-config", file];
}

function actor(stage: Stage, id: string, directory: string): Actor {
  const path = `/v1/sessions/${id}`;
  const events = () => stage.client.events(id);
  const requests = async () => (await stage.client.get(`${path}/requests`)).json;

  async function post(where: string, body: unknown): Promise<void> {
    const answer = await stage.client.post(`${path}/${where}`, body);
    expect(answer.status, answer.text).toBe(204);
  }

  return {
    id,
    directory,
    events,
    async send(message, extra = {}) {
      await post("messages", { message, ...extra });
    },
    async prompt(message, extra = {}) {
      await post("messages", { message, ...extra });
      await stage.client.wait(id, "idle,request,ended", patienceMs);
      return lastTurn(await events());
    },
    async finish() {
      await stage.client.wait(id, "idle,ended", patienceMs);
      return lastTurn(await events());
    },
    async until(matches) {
      const { json } = await stage.client.get(path);
      for await (const { event } of stage.client.frames(`${path}/events/sse`)) {
        if (matches(event)) return event;
        const isOver = event.type === "turn.ended" || event.type === "session.ended";
        if (isOver && event.sequence > json.lastSequence) break;
      }
      throw new Error(`the turn ended before the event came: ${JSON.stringify((await events()).slice(-3))}`);
    },
    async replyPermission(reply) {
      const [open] = (await requests()).permissions;
      await post(`permissions/${encodeURIComponent(open.permission_id)}/reply`, { reply });
    },
    async replyQuestion(answers) {
      const [open] = (await requests()).questions;
      const question = `questions/${encodeURIComponent(open.question_id)}`;
      if (answers === null) await post(`${question}/reject`, {});
      else await post(`${question}/reply`, { answers });
    },
    abort: () => post("abort", {}),
  };
}

/** The history of every session is well-formed. */
export async function checkHistories(stage: Stage): Promise<void> {
  const { json } = await stage.client.get("/v1/sessions");
  for (const { sessionId } of json.sessions) {
    const violations = checkEvents(await stage.client.events(sessionId), { finished: true });
    expect(violations, `history of ${sessionId}`).toEqual([]);
  }
}

export function lastTurn(events: UniversalEvent[]): UniversalEvent[] {
  return events.slice(events.findLastIndex((event) => event.type === "turn.started"));
}

export function completedItems(events: UniversalEvent[]): UniversalItem[] {
  return events.flatMap((event) => (event.type === "item.completed" ? [event.data.item] : []));
}

/** The texts of the agent, without reasoning. */
export function texts(events: UniversalEvent[]): string {
  return completedItems(events)
    .filter(({ kind, role }) => kind === "message" && role === "assistant")
    .flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? [part.text] : [])))
    .join("\n");
}

export function endOf(events: UniversalEvent[]): string | undefined {
  const end = events.findLast((event) => event.type === "turn.ended");
  return end?.data.metadata?.reason;
}

export function errorCodes(events: UniversalEvent[]): string[] {
  return events.flatMap((event) => (event.type === "error" ? [event.data.code ?? ""] : []));
}
