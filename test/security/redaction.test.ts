/** Secrets that the daemon knows, given away by an agent, a process or a user: nothing that can be read has them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkEvents, type UniversalEvent } from "@sandbox-agent/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { type DaemonProcess, startDaemonProcess } from "../harness/daemon.ts";
import { persistentDirectory } from "./lab.ts";

const leaky = { command: process.execPath, args: [join(import.meta.dirname, "../harness/acp-leaky.ts")] };

/** None of them is given to the agent, which therefore cannot be the one that hides them. */
const secrets = {
  "the daemon's environment": "ghp_environment0123456789",
  "a password with quotes": 'pass"word\\with/quotes',
  "an address": "address-password-0123",
  "a credential file": "sk-proj-file-0123456789abcdef",
  "a session's credential": "sk-ant-session-0123456789",
  "a session's variable": "variable-of-session-0123",
  "an MCP server of the session": "mcp-header-0123456789",
  "an MCP server of the directory": "mcp-directory-0123456789",
  "a token of the daemon": "",
};

let daemon: DaemonProcess;
let client: TestClient;
const dataDir = persistentDirectory();
const home = persistentDirectory();
const project = persistentDirectory();

beforeAll(async () => {
  mkdirSync(join(home, ".codex"));
  const tokens = { refresh_token: secrets["a credential file"] };
  writeFileSync(join(home, ".codex", "auth.json"), JSON.stringify({ tokens }));
  daemon = await startDaemonProcess(dataDir, [], {
    HOME: home,
    SANDBOX_AGENT_LOG: "debug",
    GITHUB_TOKEN: secrets["the daemon's environment"],
    DB_PASSWORD: secrets["a password with quotes"],
    DATABASE_URL: `postgres://admin:${secrets["an address"]}@db.example/app`,
  });
  client = new TestClient(daemon.url);
  await client.call("PUT", "/v1/agents/leaky", { body: leaky });
  const headers = { Authorization: `Bearer ${secrets["an MCP server of the directory"]}` };
  const query = `directory=${encodeURIComponent(project)}&mcp_name=remote`;
  const body = { type: "remote", url: "http://127.0.0.1:1/", headers, enabled: false };
  expect((await client.put(`/v1/config/mcp?${query}`, body)).status).toBe(204);
  const { json } = await client.post("/v1/tokens", { scopes: ["read"] });
  secrets["a token of the daemon"] = json.token;
  const created = await client.create("s", {
    agent: "leaky",
    credentials: { anthropic: secrets["a session's credential"] },
    env: { MY_SECRET: secrets["a session's variable"] },
    mcp: { own: { ...body, headers: { "X-Api-Key": secrets["an MCP server of the session"] } } },
  });
  expect(created.status).toBe(200);
});

afterAll(() => daemon.kill("SIGKILL"));

/** Also checks parts of a secret, and the secret as JSON text. */
function expectNone(text: string, secret: string): void {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const forms = [secret, inJson, JSON.stringify(inJson).slice(1, -1), secret.slice(4)];
  expect(forms.filter((form) => text.includes(form))).toEqual([]);
}

function saidIn(events: readonly UniversalEvent[]): string {
  return events.flatMap((event) => (event.type === "item.delta" ? [event.data.delta] : [])).join("");
}

async function everythingOf(session: string): Promise<string> {
  const paths = ["/events?include_raw=true&limit=1000", "/transcript", ""];
  const answers = await Promise.all(paths.map((path) => client.get(`/v1/sessions/${session}${path}`)));
  return answers.map(({ text }) => text).join("\n");
}

describe.each(Object.keys(secrets) as (keyof typeof secrets)[])("the secret of %s", (name) => {
  test.each(["whole", "split 1", "split 2", "split 3", "split 5", "split 16"])("is redacted as %s", async (how) => {
    const secret = secrets[name];
    const events = await client.stream("s", `${how} The key is ${secret}, again: ${secret}.`);
    const said = saidIn(events);
    expect(said.replace(/(?<=is |again: ).{0,3}\[redacted\]/g, "*")).toBe("The key is *, again: *.");
    expectNone(JSON.stringify(events), secret);
    expectNone(await everythingOf("s"), secret);
  });

  test("is redacted in the input and output of a tool", async () => {
    const secret = secrets[name];
    const events = await client.stream("s", `tool cat ${secret}`);
    expect(JSON.stringify(events)).toContain("cat [redacted]");
    expectNone(JSON.stringify(events), secret);
    expectNone(await everythingOf("s"), secret);
  });

  test("is redacted in the last words of an agent", async () => {
    const secret = secrets[name];
    const events = await client.stream("s", `exit bad key ${secret}`);
    const error = events.find((event) => event.type === "error");
    expect(JSON.stringify(error)).toContain("fatal: bad key [redacted]");
    expectNone(JSON.stringify(events), secret);
  });

  test("is redacted in the output of processes, split over writes", async () => {
    const secret = secrets[name];
    const [one, other] = [secret.slice(0, 9), secret.slice(9)];
    const script = 'printf "%s" "<$1"; sleep 0.1; printf "%s>" "$2"; printf "%s" "$1$2" >&2';
    const request = { command: "sh", args: ["-c", script, "sh", one, other] };
    const run = await client.post("/v1/processes/run", request);
    expect([run.json.stdout, run.json.stderr]).toEqual(["<[redacted]>", "[redacted]"]);
    const streamed = await client.fetch("POST", "/v1/processes/run/stream", { body: request });
    expect(outputIn(await streamed.text())).toBe("<[redacted]>[redacted]");

    for (const tty of [false, true]) {
      const { json: created } = await client.post("/v1/processes", { ...request, tty });
      const followed = await client.fetch("GET", `/v1/processes/${created.id}/logs?follow=true`);
      const output = outputIn(await followed.text());
      expect(output).toBe("<[redacted]>[redacted]");
      const { json: logs } = await client.get(`/v1/processes/${created.id}/logs`);
      const kept = logs.entries.map(({ data }: { data: string }) => Buffer.from(data, "base64").toString()).join("");
      expect(kept).toBe(output);
      if (tty) expectNone((await client.get(`/v1/terminals/${created.id}/recording`)).text, secret);
    }
  });

  test("is redacted in problems", async () => {
    const secret = secrets[name];
    await client.call("PUT", "/v1/agents/broken", { body: { ...leaky, env: { FAIL_START: `the key ${secret}` } } });
    const { status, text } = await client.create(`broken-${name}`, { agent: "broken" });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain("cannot start with the key [redacted]");
    expectNone(text, secret);
    const missing = await client.get(`/v1/sessions/${encodeURIComponent(`x ${secret}`)}`);
    expectNone(missing.text, secret);
  });
});

test("the events keep the rules", async () => {
  const { json } = await client.get("/v1/sessions/s/events?limit=10000");
  expect(checkEvents(json.events, { finished: true })).toEqual([]);
});

test("no file of the daemon that holds events, logs or requests has any of them", async () => {
  await client.get(`/v1/sessions/none?x=${encodeURIComponent(secrets["a session's credential"])}`);
  const stopped = daemon.exited;
  daemon.kill("SIGTERM");
  await stopped;
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter(
    // Definitions are kept as they were given.
    (entry) => entry.isFile() && entry.name !== "agents.json",
  );
  const read = files.map(({ parentPath, name }) => ({ name, text: readFileSync(join(parentPath, name), "latin1") }));
  expect(read.some(({ name, text }) => name.endsWith(".log") && text.includes("[redacted]"))).toBe(true);
  // What is configured for a directory is kept in the database, which only its user can read.
  const { "an MCP server of the directory": _, "an MCP server of the session": __, ...unstored } = secrets;
  for (const { text } of read) for (const secret of Object.values(unstored)) expect(text.includes(secret)).toBe(false);
  const logs = read.filter(({ name }) => name.endsWith(".log") || name.endsWith(".jsonl"));
  for (const { text } of logs) for (const secret of Object.values(secrets)) expectNone(text, secret);
});

function outputIn(frames: string): string {
  return [...frames.matchAll(/^event: log\n(?:id: .*\n)?data: (.*)$/gm)]
    .map(([, data = ""]) => Buffer.from(JSON.parse(data).data, "base64").toString())
    .join("");
}
