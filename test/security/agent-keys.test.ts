/** Keys in the daemon's environment, and an agent by definition that lists the variables it was started with. */
import { join } from "node:path";
import type { UniversalEvent } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, temporaryDirectory } from "../harness/daemon.ts";

const leaky = { command: process.execPath, args: [join(import.meta.dirname, "../harness/acp-leaky.ts")] };

const secrets = {
  ANTHROPIC_API_KEY: "sk-ant-0123456789abcdef",
  OPENAI_API_KEY: "sk-proj-0123456789abcdef",
  GEMINI_API_KEY: "AIza0123456789abcdef",
  GITHUB_TOKEN: "ghp_0123456789abcdef",
  NPM_TOKEN: "npm_0123456789abcdef",
  STRIPE_SECRET_KEY: "sk_live_0123456789abcdef",
  DB_PASSWORD: "hunter22-hunter22",
};

async function start(flags: string[] = []): Promise<TestClient> {
  return new TestClient((await spawnDaemon(temporaryDirectory(), flags, { ...secrets, PLAIN_SETTING: "plain" })).url);
}

async function variablesOf(client: TestClient, definition: object, session: object = {}): Promise<string[]> {
  await client.call("PUT", "/v1/agents/leaky", { body: { ...leaky, ...definition } });
  const id = crypto.randomUUID();
  expect((await client.create(id, { agent: "leaky", ...session })).status).toBe(200);
  const events = await client.stream(id, "env");
  for (const secret of Object.values(secrets)) expect(JSON.stringify(events).includes(secret)).toBe(false);
  const text = events
    .flatMap((event: UniversalEvent) => (event.type === "item.delta" ? [event.data.delta] : []))
    .join("");
  const names = Object.keys(JSON.parse(text));
  expect(names).toContain("PLAIN_SETTING");
  return names.filter((name) => name in secrets || name.startsWith("SANDBOX_AGENT_TOKEN")).toSorted();
}

test("a defined agent gets no key that it does not name", async () => {
  const client = await start();
  expect(await variablesOf(client, {})).toEqual([]);
  expect(await variablesOf(client, { keys: { anthropic: "ANTHROPIC_API_KEY" } })).toEqual(["ANTHROPIC_API_KEY"]);
  expect(await variablesOf(client, { inheritEnv: ["GITHUB_TOKEN"] })).toEqual(["GITHUB_TOKEN"]);
  const session = { env: { NPM_TOKEN: "npm_of-this-session" } };
  expect(await variablesOf(client, {}, session)).toEqual(["NPM_TOKEN"]);
});

test("all agents get the variables that the daemon is configured to pass on", async () => {
  const client = await start(["--agent-env", "GITHUB_TOKEN", "--agent-env", "DB_PASSWORD"]);
  expect(await variablesOf(client, {})).toEqual(["DB_PASSWORD", "GITHUB_TOKEN"]);
});

test("processes get the environment of the user, but nothing of the daemon's own", async () => {
  const client = await start();
  const { json } = await client.post("/v1/processes/run", { command: "env" });
  for (const name of Object.keys(secrets)) expect(json.stdout).toContain(`${name}=[redacted]`);
  expect(json.stdout).not.toContain("SANDBOX_AGENT_TOKEN");
});
