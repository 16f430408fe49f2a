/** Agents that cannot be verified are not installed, unless that is allowed; they are listed all the same. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Answer, TestClient } from "../harness/client.ts";
import { spawnDaemon, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

const program = "#!/bin/sh\necho hello\n";
const sha256 = new Bun.CryptoHasher("sha256").update(program).digest("hex");

/** A vendor with one program. */
function startVendor() {
  const requests: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      requests.push(new URL(request.url).pathname);
      return new Response(program);
    },
  });
  onTestFinished(() => server.stop(true));
  return { url: `${server.url}one`, requests };
}

function definition(url: string, more: { sha256?: string } = {}) {
  const platforms = ["linux-x86_64", "linux-aarch64", "darwin-x86_64", "darwin-aarch64"];
  const archives = Object.fromEntries(platforms.map((platform) => [platform, { url, ...more }]));
  return { command: "one", install: { type: "archive", version: "1.0.0", archives } };
}

async function install(client: TestClient, url: string, more: { sha256?: string } = {}) {
  const defined = await client.call("PUT", "/v1/agents/one", { body: definition(url, more) });
  expect(defined.status, defined.text).toBeLessThan(300);
  return client.post("/v1/agents/one/install", {});
}

function expectRefused(answer: Answer, reason: string): void {
  const detail = expect.stringContaining(reason);
  expectProblem(answer, "install_failed", { agent: "one", detail, details: expect.anything() });
}

async function start(allowUnverifiedDownloads = false) {
  const dataDir = temporaryDirectory();
  const { url } = await startTestDaemon({ dataDir, allowUnverifiedDownloads });
  return { client: new TestClient(url, null), dataDir };
}

describe("an agent", () => {
  test("without a checksum is not downloaded, and stays on the list", async () => {
    const [{ client, dataDir }, vendor] = [await start(), startVendor()];
    const answer = await install(client, vendor.url);
    expectRefused(answer, "--allow-unverified-downloads");
    expect(answer.json.detail).toContain("SANDBOX_AGENT_ONE_PATH");
    expect(vendor.requests).toEqual([]);
    const { json } = await client.get("/v1/agents");
    const ids = json.agents.map(({ id }: { id: string }) => id);
    // Of the registry, without a checksum in it.
    expect(ids).toEqual(expect.arrayContaining(["one", "devin", "junie"]));
    expect(readdirSync(join(dataDir, "bin/one"))).toEqual(["lock"]);
  });

  test("with one is", async () => {
    const [{ client }, vendor] = [await start(), startVendor()];
    const answer = await install(client, vendor.url, { sha256 });
    expect(answer.status, answer.text).toBe(204);
  });

  test("with another one leaves nothing behind", async () => {
    const [{ client, dataDir }, vendor] = [await start(), startVendor()];
    const answer = await install(client, vendor.url, { sha256: "0".repeat(64) });
    expectRefused(answer, "does not match");
    expect(readdirSync(join(dataDir, "bin/one"))).toEqual(["lock"]);
  });

  test.each(["http://vendor.example.com/one", "http://127.0.0.1.example.com/one"])("of %s is rejected", async (url) => {
    const { client } = await start();
    const answer = await install(client, url, { sha256 });
    expectRefused(answer, "is not encrypted");
  });

  test("without a checksum is installed if that is allowed", async () => {
    const [{ client }, vendor] = [await start(true), startVendor()];
    const answer = await install(client, vendor.url);
    expect(answer.status, answer.text).toBe(204);
  });

  test.each<[string[], Record<string, string>]>([
    [["--allow-unverified-downloads"], {}],
    [[], { SANDBOX_AGENT_ALLOW_UNVERIFIED_DOWNLOADS: "true" }],
  ])("is allowed by %j %j", async (flags, env) => {
    const [dataDir, vendor] = [temporaryDirectory(), startVendor()];
    const { url } = await spawnDaemon(dataDir, flags, env);
    const answer = await install(new TestClient(url, null), vendor.url);
    expect(answer.status, answer.text).toBe(204);
    expect(existsSync(join(dataDir, "bin/one/1.0.0/one"))).toBe(true);
  });
});

test("a registry over plain http is rejected", async () => {
  const { client } = await start();
  const answer = await client.post("/v1/agents/registry/refresh", { url: "http://registry.example.com/registry.json" });
  expectProblem(answer, "registry_refresh_failed", { detail: expect.stringContaining("is not encrypted") });
});
