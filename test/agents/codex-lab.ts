/** A daemon with the real Codex in an isolated home, talking to a scripted model. Everything ends with the test. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Installer } from "@sandbox-agent/agents";
import { checkEvents, type UniversalEvent, type UniversalItem } from "@sandbox-agent/schema";
import { expect, onTestFinished } from "vitest";
import { createCodexAgent } from "../../packages/agents/src/codex/agent.ts";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon } from "../harness/daemon.ts";
import { startModelServer } from "../model/server.ts";
import { installer } from "./lab.ts";

export const testKey = "test-key-of-the-lab";

export interface LabOptions {
  /** Variables of the daemon; undefined removes one. */
  env?: Record<string, string | undefined>;
  key?: string | null;
  idleMs?: number;
  home?: string;
  dataDir?: string;
  /** A shell script that runs in Codex's place; `"$@"` is Codex itself. */
  script?: string;
}

export type Lab = Awaited<ReturnType<typeof startLab>>;

/** Not below the temporary directory: Codex has no sandbox when its home is there. */
export function homeDirectory(): string {
  const parent = join(import.meta.dirname, "../../node_modules/.cache/sandbox-agent-test");
  mkdirSync(parent, { recursive: true });
  const path = mkdtempSync(join(parent, "codex-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

export async function startLab(options: LabOptions = {}) {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const home = options.home ?? homeDirectory();
  const directory = join(home, "project");
  mkdirSync(directory, { recursive: true });
  const owner = crypto.randomUUID();
  const key = options.key === undefined ? testKey : options.key;
  const logged: string[] = [];
  const agent = createCodexAgent({
    dataDir: join(home, "agents"),
    env: { PATH: process.env.PATH, HOME: home, OPENAI_BASE_URL: `${model.url}/v1`, ...options.env },
    installer: options.script === undefined ? installer : scripted(options.script),
    credentials: () => ({
      anthropic: null,
      openai: key === null ? null : { provider: "openai", source: "environment", auth_type: "api_key", api_key: key },
      other: {},
    }),
    owner,
    idleMs: options.idleMs ?? 0,
    inherit: [],
    hide: () => {},
    log: (message, fields) => logged.push(`${message} ${JSON.stringify(fields ?? {})}`),
  });
  const { url, stop } = await startTestDaemon(
    options.dataDir ? { dataDir: options.dataDir } : {},
    new Map([[agent.id, agent]]),
  );
  onTestFinished(async () => {
    await stop();
    await agent.close();
  });
  const client = new TestClient(url);

  const create = async (id: string, body: Record<string, unknown> = {}) => {
    const answer = await client.create(id, { agent: "codex", model: "gpt-5.5", directory, ...body });
    expect(answer.json).toMatchObject({ healthy: true });
    return answer;
  };

  /** Sends a message and waits until the turn has ended or has an open request. */
  const turn = async (id: string, message: string, extra: Record<string, unknown> = {}, until = "idle") => {
    const from = (await client.events(id)).length;
    expect((await client.send(id, message, extra)).status).toBeLessThan(300);
    // A turn that ends without a request fails at once, not after the timeout.
    await client.wait(id, `${until},idle,ended`);
    return (await client.events(id)).slice(from);
  };

  return { client, agent, model, home, directory, owner, logged, create, turn, stop };
}

/** The texts of the model's messages in these events. */
export function texts(events: readonly UniversalEvent[]): string[] {
  return itemsOf(events, "message").flatMap(({ role, content }) =>
    role === "user" ? [] : content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
}

export function itemsOf(events: readonly UniversalEvent[], kind: UniversalItem["kind"]): UniversalItem[] {
  return events.flatMap((event) =>
    event.type === "item.completed" && event.data.item.kind === kind ? [event.data.item] : [],
  );
}

export function endOf(events: readonly UniversalEvent[]) {
  return events.flatMap((event) => (event.type === "turn.ended" ? [event.data.metadata] : [])).at(-1);
}

export function errorsOf(events: readonly UniversalEvent[]): (string | null | undefined)[] {
  return events.flatMap((event) => (event.type === "error" ? [event.data.code] : []));
}

export function permissionsIn(events: readonly UniversalEvent[]) {
  return events.flatMap((event) => (event.type === "permission.requested" ? [event.data] : []));
}

export function questionsIn(events: readonly UniversalEvent[]) {
  return events.flatMap((event) => (event.type === "question.requested" ? [event.data] : []));
}

export async function expectWellFormed({ client }: Pick<Lab, "client">, id: string): Promise<void> {
  expect(checkEvents(await client.events(id), { finished: true })).toEqual([]);
}

function scripted(script: string): Installer {
  const wrap = <T extends Awaited<ReturnType<Installer["find"]>>>(found: T): T =>
    found && { ...found, command: ["/bin/sh", "-c", script, "codex", ...found.command] };
  return {
    ...installer,
    find: async (...args) => wrap(await installer.find(...args)),
    require: async (...args) => wrap(await installer.require(...args)),
  };
}
