/** A daemon with the real OpenCode in an isolated home, talking to a scripted model. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInstaller, type Installer } from "@sandbox-agent/agents";
import { defaultOptions, startDaemon } from "@sandbox-agent/daemon";
import { checkEvents, type UniversalEvent } from "@sandbox-agent/schema";
import { expect } from "vitest";
import { createOpenCodeAgent } from "../../packages/agents/src/opencode/agent.ts";
import { TestClient } from "../harness/client.ts";
import { startModelServer } from "../model/server.ts";

process.env.SANDBOX_AGENT_LOG ??= "error";

export const testKey = "test-key-of-the-lab";

/** Installed once per machine, as users get it, and then found again. */
const installer = createInstaller({ directory: join(tmpdir(), "sandbox-agent-test-agents"), env: process.env });

export interface LabOptions {
  anthropicKey?: string | null;
  idleMs?: number;
  choosePort?: () => Promise<number>;
  installer?: Installer;
}

export type Lab = Awaited<ReturnType<typeof openLab>>;

export async function openLab(options: LabOptions = {}) {
  const model = await startModelServer();
  const home = mkdtempSync(join(tmpdir(), "sandbox-agent-opencode-"));
  const directory = join(home, "project");
  mkdirSync(directory);
  const owner = crypto.randomUUID();
  const key = options.anthropicKey === undefined ? testKey : options.anthropicKey;

  function createAgent() {
    return createOpenCodeAgent(
      {
        dataDir: join(home, "agents"),
        env: { PATH: process.env.PATH, HOME: home, ANTHROPIC_BASE_URL: model.url, OPENAI_BASE_URL: `${model.url}/v1` },
        installer: options.installer ?? installer,
        credentials: () => ({
          anthropic:
            (key && { provider: "anthropic", source: "environment", auth_type: "api_key", api_key: key }) || null,
          openai: null,
          other: {},
        }),
        owner,
        idleMs: options.idleMs ?? 0,
        log: () => {},
      },
      { ...(options.choosePort && { choosePort: options.choosePort }) },
    );
  }

  async function start() {
    const agent = createAgent();
    const daemon = await startDaemon(
      { ...defaultOptions, port: 0, dataDir: join(home, "daemon") },
      () => new Map([[agent.id, agent]]),
    );
    const stop = async () => {
      await daemon.stop();
      await agent.close();
    };
    return { client: new TestClient(daemon.url), stop };
  }

  let running = await start();

  const lab = {
    model,
    home,
    directory,
    owner,
    get client() {
      return running.client;
    },
    /** Stops the daemon and starts it again on the same data. */
    async restart() {
      await running.stop();
      running = await start();
    },
    stop: () => running.stop(),
    async close() {
      await running.stop();
      await model.close();
      rmSync(home, { recursive: true, force: true });
    },
    async create(id: string, body: Record<string, unknown> = {}) {
      const wishes = { agent: "opencode", model: "anthropic/claude-sonnet-4-5", directory, ...body };
      const answer = await running.client.create(id, wishes);
      expect(answer.json).toMatchObject({ healthy: true });
    },
    async send(id: string, message: string, extra: Record<string, unknown> = {}) {
      const { status, text } = await running.client.send(id, message, extra);
      if (status >= 300) throw new Error(`sending answered ${status}: ${text}`);
    },
    /** Sends a message and returns the events of its turn. */
    async turn(id: string, message: string, extra: Record<string, unknown> = {}) {
      const from = (await running.client.events(id)).length;
      await lab.send(id, message, extra);
      await lab.wait(id, "idle");
      return (await running.client.events(id)).slice(from);
    },
    /** Waits as long as the test may take: the machine may be busy. */
    async wait(id: string, until: "idle" | "request") {
      for (;;) {
        const { json } = await running.client.get(`/v1/sessions/${id}/wait?until=${until}&timeout_ms=10000`);
        if (json.reached === until) return;
        if (json.reached !== null) throw new Error(`session ${id} became ${json.reached}, not ${until}`);
      }
    },
    /** Waits for an event that matches, from the beginning of the session on. */
    async seen(id: string, matches: (event: UniversalEvent) => boolean) {
      const reader = await running.client.open(`/v1/sessions/${id}/events/sse`);
      const frames = await reader.until(matches);
      await reader.close();
      return frames.map(({ event }) => event);
    },
    async pending(id: string) {
      await lab.wait(id, "request");
      const { json } = await running.client.get(`/v1/sessions/${id}/transcript`);
      return json.requests;
    },
    async allow(id: string, permissionId: string, reply: "once" | "always" | "reject") {
      const path = `/v1/sessions/${id}/permissions/${permissionId}/reply`;
      expect((await running.client.post(path, { reply })).status).toBe(204);
    },
    async answer(id: string, questionId: string, answers: string[][]) {
      const path = `/v1/sessions/${id}/questions/${questionId}/reply`;
      expect((await running.client.post(path, { answers })).status).toBe(204);
    },
    async abort(id: string) {
      expect((await running.client.post(`/v1/sessions/${id}/abort`)).status).toBeLessThan(300);
    },
    async expectWellFormed(id: string) {
      expect(checkEvents(await running.client.events(id), { finished: true })).toEqual([]);
    },
  };
  return lab;
}

/** The model's words in these events. */
export function said(events: readonly UniversalEvent[]): string[] {
  return completed(events, "message").flatMap(({ role, content }) =>
    role === "user" ? [] : content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
}

export function completed(events: readonly UniversalEvent[], kind: string) {
  return events.flatMap((event) =>
    event.type === "item.completed" && event.data.item.kind === kind ? [event.data.item] : [],
  );
}

export function outputs(events: readonly UniversalEvent[]): string[] {
  return completed(events, "tool_result").flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "tool_result" ? [part.output] : [])),
  );
}

export function endOf(events: readonly UniversalEvent[]): string | undefined {
  return events.flatMap((event) => (event.type === "turn.ended" ? [event.data.metadata?.reason] : [])).at(-1);
}

export function errorsOf(events: readonly UniversalEvent[]): (string | null | undefined)[] {
  return events.flatMap((event) => (event.type === "error" ? [event.data.code] : []));
}
