import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cli, type Ended, startProcess, startServer, temporaryDirectory } from "../../test/cli-process.ts";
import { isAlive } from "../daemon/process.ts";

let home: string;
let port: string;
let stateFile: string;

beforeEach(() => {
  home = temporaryDirectory();
  port = freePort();
  stateFile = stateFileOf(port);
});
afterEach(() => daemon("stop"));

function stateFileOf(port: string): string {
  return join(home, "sandbox-agent", "daemon", `daemon-127-0-0-1-${port}.json`);
}

function freePort(): string {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  return String(port);
}

function daemon(command: string, args: string[] = [], env: Record<string, string> = {}): Promise<Ended> {
  return cli(["daemon", command, "--port", port, ...args], { env: { XDG_DATA_HOME: home, ...env } });
}

async function status(): Promise<unknown> {
  return JSON.parse((await daemon("status")).stdout);
}

function recorded() {
  return JSON.parse(readFileSync(stateFile, "utf8"));
}

function recordedPid(): number {
  return recorded().pid;
}

/** As if the daemon had written it. */
function record(changes: object): void {
  mkdirSync(dirname(stateFile), { recursive: true });
  const state = { host: "127.0.0.1", port: Number(port), version: "0.0.1", dataDir: null, token: null };
  writeFileSync(stateFile, JSON.stringify({ ...state, ...changes }));
}

const given = "a-token-that-was-given";

async function statusFor(token: string | null): Promise<number> {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${port}/v1/agents`, { headers });
  await response.text();
  return response.status;
}

describe("the background daemon", () => {
  test("starts, shows its status, and stops", async () => {
    expect(await status()).toMatchObject({ running: false, pid: null });
    expect(await daemon("start")).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("Started") });
    const pid = recordedPid();
    expect(await status()).toMatchObject({ running: true, healthy: true, pid, outdated: false });
    expect(await daemon("start")).toMatchObject({ code: 0, stdout: expect.stringContaining("Already running") });
    expect(recordedPid()).toBe(pid);
    expect(await daemon("stop")).toMatchObject({ code: 0, stdout: expect.stringContaining("Stopped") });
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(stateFile)).toBe(false);
  });

  test("gets the token without showing it, and the data directory", async () => {
    const dataDir = temporaryDirectory();
    await daemon("start", ["--token", given, "--data-dir", dataDir]);
    expect(await statusFor(null)).toBe(401);
    expect(await statusFor(given)).toBe(200);
    expect(readdirSync(dataDir)).not.toEqual([]);
    if (process.platform !== "linux") return;
    for (const place of ["cmdline", "environ"])
      expect(readFileSync(`/proc/${recordedPid()}/${place}`, "utf8")).not.toContain(given);
  });

  test("ignores the token of the environment with --no-token", async () => {
    await daemon("start", ["--no-token"], { SANDBOX_AGENT_TOKEN: given });
    expect(await statusFor(null)).toBe(200);
  });

  test("is restarted by --upgrade only when it is of another version", async () => {
    await daemon("start");
    const first = recordedPid();
    await daemon("start", ["--upgrade"]);
    expect(recordedPid()).toBe(first);

    record({ ...recorded(), version: "0.0.1" });
    expect(await status()).toMatchObject({ version: "0.0.1", outdated: true });
    expect((await daemon("start")).stdout).toContain("--upgrade");
    expect(recordedPid()).toBe(first);
    await daemon("start", ["--upgrade"]);
    expect(recordedPid()).not.toBe(first);
    expect(isAlive(first)).toBe(false);
    expect(await status()).toMatchObject({ healthy: true, outdated: false });
  });

  test("ends up as one when it is started twice at the same time", async () => {
    const starts = await Promise.all([daemon("start"), daemon("start")]);
    expect(starts.map(({ code }) => code)).toEqual([0, 0]);
    expect(starts.map(({ stdout }) => stdout.split(" ")[0]).toSorted()).toEqual(["Already", "Started"]);
    expect(await status()).toMatchObject({ healthy: true, pid: recordedPid(), outdated: false });
  });

  test("reports why it cannot start, and leaves no files", async () => {
    const other = Bun.serve({ port: Number(port), hostname: "127.0.0.1", fetch: () => new Response("other") });
    const { code, stdout, stderr } = await daemon("start");
    await other.stop(true);
    expect(stderr).toContain(port);
    expect(stdout).toBe("");
    expect(code).toBe(1);
    expect(existsSync(stateFile)).toBe(false);
  });
});

describe("stopping", () => {
  test("nothing is not an error", async () => {
    expect(await daemon("stop")).toMatchObject({ code: 0, stdout: expect.stringContaining("Not running") });
  });

  test("forgets a process that is gone", async () => {
    record({ pid: 99999999 });
    expect(await daemon("stop")).toMatchObject({ code: 0, stdout: expect.stringContaining("Not running") });
  });

  test("ends a process that does not heed the signal", async () => {
    await daemon("start");
    const pid = recordedPid();
    process.kill(pid, "SIGSTOP");
    expect(await daemon("stop")).toMatchObject({ code: 0, stdout: expect.stringContaining("Stopped") });
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(stateFile)).toBe(false);
  });

  test.runIf(process.platform === "linux")("spares a stranger that has got the same process id", async () => {
    const stranger = startProcess(["sleep", "60"]);
    record({ pid: stranger.child.pid, processStart: "1" });
    expect(await daemon("stop")).toMatchObject({ code: 0, stdout: expect.stringContaining("Not running") });
    expect(stranger.child.exitCode).toBeNull();
    stranger.child.kill();
    await stranger.ended;
  });

  test("finds a server that was started by hand", async () => {
    const server = await startServer([], { env: { XDG_DATA_HOME: home } });
    port = String(server.port);
    expect(await status()).toMatchObject({ running: true, pid: server.child.pid, outdated: false });
    expect(await daemon("stop")).toMatchObject({ code: 0 });
    expect(await server.ended).toMatchObject({ code: 0 });
    expect(existsSync(stateFileOf(port))).toBe(false);
  });

  test("spares a server of another user", async () => {
    const server = await startServer();
    port = String(server.port);
    expect(await status()).toMatchObject({ running: true, pid: null });
    const { code, stderr } = await daemon("stop");
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("not started by this user") });
    await server.stop();
  });
});
