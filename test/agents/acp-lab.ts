/** A daemon with one ACP agent: the real OpenCode talking to a scripted model, or a stand-in that plays a part. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInstaller, type Installer } from "@sandbox-agent/agents";
import { defaultOptions, startDaemon } from "@sandbox-agent/daemon";
import { checkEvents, type UniversalEvent } from "@sandbox-agent/schema";
import { expect } from "vitest";
import { createAcpAgent } from "../../packages/agents/src/acp/agent.ts";
import { defaultLimits, type Limits } from "../../packages/agents/src/acp/connection.ts";
import type { AcpProfile } from "../../packages/agents/src/acp/profile.ts";
import { TestClient } from "../harness/client.ts";

process.env.SANDBOX_AGENT_LOG ??= "error";

/** Installed once per machine, as users get it, and then found again. */
const realInstaller = createInstaller({ directory: join(tmpdir(), "sandbox-agent-test-agents"), env: process.env });

/** An installer that has this program, whatever is asked for. */
export function programInstaller(command: readonly string[]): Installer {
  const installed = async (agent: string) => ({ agent, version: "1.0.0", path: command[0] ?? "", command });
  return { find: installed, install: installed, require: installed, onProgress: () => () => {} };
}

/** OpenCode under the name of the profile. */
export const openCodeInstaller: Installer = {
  find: () => realInstaller.find("opencode"),
  install: () => realInstaller.install("opencode"),
  require: () => realInstaller.require("opencode"),
  onProgress: realInstaller.onProgress,
};

export interface LabOptions {
  profile: AcpProfile;
  installer: Installer;
  env?: Record<string, string>;
  limits?: Limits;
  idleMs?: number;
}

export type Lab = Awaited<ReturnType<typeof openLab>>;

export async function openLab({ profile, installer, env = {}, limits = defaultLimits, idleMs = 0 }: LabOptions) {
  const home = mkdtempSync(join(tmpdir(), "sandbox-agent-acp-"));
  const directory = join(home, "project");
  mkdirSync(directory);
  const owner = crypto.randomUUID();
  const agent = profile.id;

  async function start() {
    const created = createAcpAgent(
      profile,
      {
        dataDir: join(home, "agents"),
        env: { PATH: process.env.PATH, HOME: home, ...env },
        installer,
        credentials: () => ({ anthropic: null, openai: null, other: {} }),
        owner,
        idleMs,
        log: () => {},
      },
      limits,
    );
    const options = { ...defaultOptions, port: 0, dataDir: join(home, "daemon") };
    const daemon = await startDaemon(options, () => new Map([[agent, created]]));
    return { client: new TestClient(daemon.url), stop: () => daemon.stop() };
  }

  let running = await start();

  const lab = {
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
    async close() {
      await running.stop();
      rmSync(home, { recursive: true, force: true });
    },
    tryCreate: (id: string, body: Record<string, unknown> = {}) =>
      running.client.create(id, { agent, directory, ...body }),
    async create(id: string, body: Record<string, unknown> = {}) {
      const { json } = await lab.tryCreate(id, body);
      expect(json).toMatchObject({ healthy: true });
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
    async wait(id: string, until: "idle" | "request" | "ended") {
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
      const { json } = await running.client.get(`/v1/sessions/${id}/requests`);
      return json;
    },
    async allow(id: string, reply: "once" | "always" | "reject") {
      const [open] = (await lab.pending(id)).permissions;
      const path = `/v1/sessions/${id}/permissions/${open.permission_id}/reply`;
      expect((await running.client.post(path, { reply })).status).toBe(204);
    },
    async answer(id: string, answers: string[][]) {
      const [open] = (await lab.pending(id)).questions;
      const path = `/v1/sessions/${id}/questions/${open.question_id}/reply`;
      expect((await running.client.post(path, { answers })).status).toBe(204);
    },
    async abort(id: string) {
      expect((await running.client.post(`/v1/sessions/${id}/abort`)).status).toBeLessThan(300);
    },
    async expectWellFormed(id: string, options: { allowUnparsed?: boolean } = {}) {
      expect(checkEvents(await running.client.events(id), { finished: true, ...options })).toEqual([]);
    },
  };
  return lab;
}

/** The agent's words in these events. */
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
