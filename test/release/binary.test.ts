/** The released executable by itself: an empty PATH and home directory, and the npm registry. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "@sandbox-agent/schema";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { TestClient } from "../harness/client.ts";
import { temporaryDirectory } from "../harness/daemon.ts";
import { startModelServer } from "../model/server.ts";
import { bareEnvironment, hostBinary, startServer } from "./executable.ts";

let binary: string;
beforeAll(async () => {
  binary = await hostBinary();
}, 120_000);

/** Runs the executable with a home directory in an empty working directory. */
function arrange(extra: Record<string, string> = {}) {
  const home = temporaryDirectory();
  const cwd = temporaryDirectory();
  const env = { ...bareEnvironment(home), ...extra };
  const run = (...args: string[]) => execFileSync(binary, args, { env, cwd, encoding: "utf8" });
  const serve = () => startServer([binary, "server", "--port", "0", "--no-token"], env, cwd);
  return { home, cwd, run, serve };
}

describe("the executable", () => {
  test("prints its version", () => {
    expect(arrange().run("--version").trim()).toBe(packageJson.version);
  });

  test("serves the API and its documents", async () => {
    const { url, startMs } = await arrange().serve();
    console.log(`listening after ${Math.round(startMs)} ms`);
    const client = new TestClient(url);
    expect((await client.get("/v1/health")).json).toEqual({ status: "ok" });
    const { json: document } = await client.get("/v1/openapi.json");
    expect(Object.keys(document.paths)).toEqual(Object.keys(openApiDocument({ version: "" }).paths ?? {}));
    expect(await (await fetch(`${url}/docs`)).text()).toContain("/v1/sessions/{session_id}");
  });

  test("serves the inspector and its assets", async () => {
    const { url } = await arrange().serve();
    const page = await (await fetch(`${url}/ui/`)).text();
    const dist = join(import.meta.dirname, "../../packages/inspector/dist");
    expect(page).toBe(readFileSync(join(dist, "index.html"), "utf8"));
    const assets = [...page.matchAll(/(?:src|href)="\/ui\/([^"]+)"/g)].map(([, name = ""]) => name);
    expect(assets.length).toBeGreaterThan(2);
    for (const name of assets)
      expect(await (await fetch(`${url}/ui/${name}`)).text()).toBe(readFileSync(join(dist, name), "utf8"));
  });

  test("lists the agents of the registry without a request to it", async () => {
    const { url } = await arrange().serve();
    const { json } = await new TestClient(url).get("/v1/agents");
    const ids = json.agents.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(["claude", "mock", "gemini", "pi-acp"]));
  });

  test("starts a background daemon and runs a turn", async () => {
    const { run } = arrange();
    const free = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const port = String(free.port);
    free.stop(true);
    onTestFinished(() => void run("daemon", "stop", "--port", port));
    expect(run("daemon", "start", "--port", port)).toContain(`on http://127.0.0.1:${port}`);
    expect(run("run", "-a", "mock", "--endpoint", `http://127.0.0.1:${port}`, "hi there")).toBe("hi there\n");
  });

  test("serves with a token by default, which its commands find", async () => {
    const { home, run, cwd } = arrange();
    const { url } = await startServer([binary, "server", "--port", "0"], bareEnvironment(home), cwd);
    expect((await new TestClient(url).get("/v1/sessions")).status).toBe(401);
    expect(run("run", "-a", "mock", "hi there")).toBe("hi there\n");
  });

  test.runIf(process.platform === "linux")("leaves no token in its environment", async () => {
    const { home, cwd } = arrange();
    const token = "a-token-that-was-given";
    const server = [binary, "server", "--port", "0", "--no-telemetry"];
    const { url, pid } = await startServer(server, { ...bareEnvironment(home), SANDBOX_AGENT_TOKEN: token }, cwd);
    expect((await new TestClient(url, token).get("/v1/sessions")).status).toBe(200);
    for (const place of ["environ", "cmdline"])
      expect(readFileSync(`/proc/${pid}/${place}`, "utf8")).not.toContain(token);
  });

  test("contains the thread that checkpoints the write-ahead log", { timeout: 60_000 }, async () => {
    const { home, serve } = arrange();
    const client = new TestClient((await serve()).url);
    const log = join(home, ".local/share/sandbox-agent/events.db-wal");
    await client.create("a");
    // Only that thread truncates it.
    expect(statSync(log).size).toBeGreaterThan(0);
    // Random data, because events are compressed.
    await client.send("a", `echo ${randomBytes(2 * 1024 * 1024).toString("base64")}`);
    await client.wait("a");
    await expect.poll(() => statSync(log).size, { timeout: 20_000 }).toBe(0);
  });

  test("ignores configuration files in the working directory", () => {
    const { cwd, run } = arrange();
    writeFileSync(join(cwd, ".env"), "SANDBOX_AGENT_ENDPOINT=nonsense");
    writeFileSync(join(cwd, "bunfig.toml"), 'preload = ["./preload.ts"]');
    writeFileSync(join(cwd, "preload.ts"), 'console.log("loaded")');
    expect(run("daemon", "status", "--port", "1")).not.toMatch(/nonsense|loaded/);
  });

  test("installs an agent written in JavaScript and runs a turn", { timeout: 180_000 }, async () => {
    const model = await startModelServer();
    onTestFinished(() => model.close());
    const { home, cwd, serve } = arrange({
      PATH: "/usr/bin:/bin",
      SANDBOX_AGENT_INSTALL_SOURCE: "npm",
      ANTHROPIC_API_KEY: "a-key",
      ANTHROPIC_BASE_URL: model.url,
    });
    const client = new TestClient((await serve()).url);
    const installed = await client.post("/v1/agents/pi/install", {});
    expect(installed.status, installed.text).toBe(204);
    expect(existsSync(join(home, ".local/share/sandbox-agent/bin/pi"))).toBe(true);

    const session = { agent: "pi", directory: cwd, model: "anthropic/claude-sonnet-4-5", permissionMode: "bypass" };
    const created = await client.create("s", session);
    expect(created.status, created.text).toBe(200);
    await client.send("s", "[[sh env]]");
    await client.wait("s", "idle,ended", 120_000);
    const events = await client.events("s");
    expect(events.at(-1)).toMatchObject({ type: "turn.ended", data: { metadata: { reason: "completed" } } });
    expect(JSON.stringify(events)).toMatch(/PATH=\S*\/usr\/bin:\/bin/);
    expect(JSON.stringify(events)).not.toContain("BUN_BE_BUN");
  });
});
