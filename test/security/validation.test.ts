/** What checking a body can cost: few problems are named, and bodies of millions of values are rejected before they are parsed. */
import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { watchStalls } from "../harness/stalls.ts";

const megabyte = 1024 * 1024;
const maxAnswerBytes = 16 * 1024;

/** Every place that takes JSON, with a body that has `list` where it may be. */
const places: [string, (list: string) => string][] = [
  ["/v1/sessions/a", (list) => `{"agent":"mock","skills":{"sources":${list}}}`],
  ["/v1/processes", (list) => `{"command":"true","args":${list}}`],
  ["/pty", (list) => `{"command":"true","args":${list}}`],
  ["/session", (list) => `{"title":${list}}`],
  ["/v1/acp/b?agent=mock", (list) => `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"prompt":${list}}}`],
];

describe("a body with many wrong values", () => {
  test.each(places)("is answered briefly: %s", async (path, bodyWith) => {
    const { url } = await startTestDaemon();
    const body = bodyWith(`[${Array.from({ length: 9000 }, () => "1").join(",")}]`);
    const response = await new TestClient(url).fetch("POST", path, { body: Buffer.from(body) });
    expect((await response.bytes()).length).toBeLessThan(maxAnswerBytes);
  });

  test("names 20 of them and how many there are besides", async () => {
    const { url } = await startTestDaemon();
    const args = Array.from({ length: 25 }, (_, index) => index);
    const { json, status } = await new TestClient(url).post("/v1/processes", { command: "true", args });
    expect(status).toBe(400);
    expect(json.details.issues).toHaveLength(20);
    expect(json.details.more).toBe(5);
    expect(json.detail).toMatch(/args\.19: [^;]+; and 5 more$/);
  });

  test("does not repeat names that are megabytes long", async () => {
    const { url } = await startTestDaemon();
    const env = { [`${"x".repeat(megabyte)}=`]: 1 };
    const { status, text } = await new TestClient(url).post("/v1/processes", { command: "true", env });
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(maxAnswerBytes);
  });
});

describe("params of ACP with many wrong values", () => {
  test.each([
    ["are answered briefly", 1900, 200],
    ["are refused if there are too many", 9000, 400],
  ])("%s", async (_, count, expected) => {
    const { url } = await startTestDaemon();
    const client = new TestClient(url);
    const call = (id: number, method: string, params: unknown) =>
      client.post("/v1/acp/b?agent=mock", { jsonrpc: "2.0", id, method, params });
    await call(1, "initialize", { protocolVersion: 1 });
    const { json } = await call(2, "session/new", { cwd: temporaryDirectory(), mcpServers: [] });
    const prompt = Array.from({ length: count }, () => 1);
    const answer = await call(3, "session/prompt", { sessionId: json.result.sessionId, prompt });
    expect(answer.status).toBe(expected);
    expect(answer.text.length).toBeLessThan(maxAnswerBytes);
    expect(answer.text).toMatch(/Invalid params|params of session\/prompt have more than 2000 values/);
  });
});

describe("a query with a long list", () => {
  test("names 20 of what is wrong", async () => {
    const { url } = await startTestDaemon();
    const { json } = await new TestClient(url).get(`/v1/processes?tag=${"a%20b,".repeat(1000)}a`);
    expect(json.details.issues.length).toBeLessThanOrEqual(20);
  });
});

function residentBytes(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

const hostile: [string, () => string][] = [
  ["3 million wrong elements", () => `{"command":"true","args":[${"1,".repeat(3_000_000)}1]}`],
  ["32 MB of elements", () => `[${"1,".repeat(15 * megabyte)}1]`],
  ["millions of empty objects", () => `[${"{},".repeat(5_000_000)}1]`],
  ["millions of keys", () => `{${'"":1,'.repeat(5_000_000)}"":1}`],
  ["a number of 30 million digits", () => "1".repeat(30 * megabyte)],
  ["100,000 brackets", () => "[".repeat(100_000)],
  ["30 million brackets", () => "[".repeat(30 * megabyte)],
  ["100,000 objects in each other", () => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
];

describe("a body that would take long to parse", () => {
  test("is rejected while health responds immediately, with little memory", async () => {
    const { url, pid } = await spawnDaemon(temporaryDirectory());
    const client = new TestClient(url);
    await client.post("/v1/processes", Buffer.from("[]"));
    for (const [name, text] of hostile) {
      const body = Buffer.from(text());
      const before = residentBytes(pid);
      const watch = await watchStalls({ url, pid });
      const { status, text: answered } = await client.post("/v1/processes", body);
      const stalls = await watch.stop();
      expect([name, status, answered.length < 1000]).toEqual([name, 400, true]);
      expect(residentBytes(pid) - before).toBeLessThan(4 * body.length + 32 * megabyte);
      expect([name, Math.max(50, stalls.longestCpuMs)]).toEqual([name, 50]);
    }
  }, 120_000);

  test("is accepted if it is one long string", async () => {
    const { url } = await startTestDaemon();
    const client = new TestClient(url);
    await client.create("a");
    const { status } = await client.send("a", "x".repeat(24 * megabyte));
    expect(status).toBe(204);
  }, 60_000);

  test.each([
    ["many values", `[${"1,".repeat(20_000)}1]`],
    ["many levels", "[".repeat(50_000)],
  ])("is rejected on the WebSocket of ACP: %s", async (_, text) => {
    const { url } = await startTestDaemon();
    const socket = new WebSocket(`${url.replace("http", "ws")}/v1/acp/a/socket?agent=mock`);
    onTestFinished(() => socket.close());
    const answer = new Promise<string>((resolve) => {
      socket.onmessage = ({ data }) => resolve(data);
    });
    socket.onopen = () => socket.send(text);
    expect(await answer).toMatch(/the message (has more than 10000 values|is nested more than 100 levels)/);
  });
});
