import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SandboxAgent } from "sandbox-agent";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { readState } from "../../packages/cli/src/daemon/state.ts";
import { temporaryDirectory } from "../harness/daemon.ts";
import { createStage, realNode, type Stage } from "./stage.ts";

const launcher = join(import.meta.dirname, "../../packages/cli/bin/sandbox-agent");

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.remove());

describe("an embedded daemon", () => {
  test("serves its client, rejects others, and ends with it", async () => {
    const client = await SandboxAgent.start({ spawn: { timeoutMs: 50_000 } });
    const session = await client.createSession({ agent: "mock" });
    const types: string[] = [];
    for await (const { type } of session.prompt("hello")) types.push(type);
    expect(types.at(-1)).toBe("turn.ended");

    expect((await fetch(`${client.baseUrl}/v1/sessions`)).status).toBe(401);
    const pid = listenerOf(client.baseUrl);
    for (const place of ["cmdline", "environ"])
      expect(readFileSync(`/proc/${pid}/${place}`, "utf8")).not.toContain(client.token);

    await client.dispose();
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    await client.dispose();
  });

  test("is disposed by `await using`", async () => {
    let pid: number;
    {
      await using client = await SandboxAgent.start({ spawn: { timeoutMs: 50_000 } });
      pid = listenerOf(client.baseUrl);
      expect(existsSync(`/proc/${pid}`)).toBe(true);
    }
    expect(existsSync(`/proc/${pid}`)).toBe(false);
  });

  test("stores sessions in a data directory", async () => {
    const spawn = { dataDir: temporaryDirectory(), timeoutMs: 50_000 };
    const first = await SandboxAgent.start({ spawn });
    await first.createSession("kept", { agent: "mock" });
    await first.dispose();
    const second = await SandboxAgent.start({ spawn });
    onTestFinished(() => second.dispose());
    expect((await second.getSession("kept")).sessionId).toBe("kept");
  });

  test("starts 50 times at once, each on its own port", { timeout: 240_000 }, async () => {
    const started = await Promise.all(
      Array.from({ length: 50 }, () => SandboxAgent.start({ spawn: { timeoutMs: 200_000 } })),
    );
    onTestFinished(async () => void (await Promise.all(started.map((client) => client.dispose()))));
    expect(new Set(started.map(({ baseUrl }) => baseUrl)).size).toBe(50);
    const sessions = await Promise.all(
      started.map(async (client, index) => {
        await client.createSession(`own-${index}`, { agent: "mock" });
        return (await client.listSessions()).sessions.map(({ sessionId }) => sessionId);
      }),
    );
    expect(sessions).toEqual(started.map((_, index) => [`own-${index}`]));
  });

  test.each(["node", "bun"])("does not outlive a %s process that is killed", async (runtime) => {
    const { child, url } = await startedBy(runtime, "stay");
    expect((await fetch(`${url}/v1/health`)).status).toBe(200);
    child.kill("SIGKILL");
    await gone(url);
  });

  test.each(["node", "bun"])("does not keep a %s process alive", async (runtime) => {
    const { url, exited } = await startedBy(runtime, "leave");
    expect(await exited).toBe(0);
    await gone(url);
  });

  test("is killed if it does not stop in time", async () => {
    const file = join(temporaryDirectory(), "pid");
    const stubborn = script(`exec 3<&0; trap '' TERM; echo $$ > ${file}; ${launcher} "$@" <&3 & wait`);
    const client = await SandboxAgent.start({ spawn: { binaryPath: stubborn, timeoutMs: 50_000 } });
    const daemon = listenerOf(client.baseUrl);
    onTestFinished(() => endProcess(daemon));
    await client.dispose();
    expect(existsSync(`/proc/${readFileSync(file, "utf8").trim()}`)).toBe(false);
  });
});

describe("the executable", () => {
  test("is binaryPath, else that of the environment", async () => {
    const named = script('echo "named" >&2; exit 3');
    const ofEnvironment = script('echo "of the environment" >&2; exit 4');
    vi.stubEnv("SANDBOX_AGENT_BIN", ofEnvironment);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(SandboxAgent.start({ spawn: { binaryPath: named } })).rejects.toThrow(/exited with 3 .*: named/);
    await expect(SandboxAgent.start()).rejects.toThrow(/exited with 4 .*: of the environment/);
  });

  test.each([
    ["does not exist", { binaryPath: "/nowhere/sandbox-agent" }, /binaryPath is \/nowhere\/sandbox-agent/],
    ["never prints its URL", { timeoutMs: 300 }, /did not start within 300 ms/],
  ])("is reported when it %s", async (_, spawn, failure) => {
    const binaryPath = script("exec sleep 60");
    await expect(SandboxAgent.start({ spawn: { binaryPath, ...spawn } })).rejects.toThrow(failure);
  });

  test("is not started with spawn: false", async () => {
    await expect(SandboxAgent.start({ spawn: false })).rejects.toThrow(/SandboxAgent.connect/);
  });

  test("is stopped when the signal is aborted", async () => {
    const controller = new AbortController();
    const starting = SandboxAgent.start({ spawn: { binaryPath: script("exec sleep 60") }, signal: controller.signal });
    controller.abort(new Error("never mind"));
    await expect(starting).rejects.toThrow("never mind");
  });
});

interface Started {
  child: ChildProcess;
  url: string;
  exited: Promise<number | null>;
}

/** Runs a program that starts a daemon. */
async function startedBy(runtime: string, then: "stay" | "leave"): Promise<Started> {
  const program = await stage.compiled("embedded");
  const executable = runtime === "node" ? realNode() : process.execPath;
  const child = spawn(executable, [program, then], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const line = new Promise<string>((resolve) => child.stdout.once("data", (text) => resolve(String(text))));
  const printed = await Promise.race([line, exited.then(() => line)]);
  return { child, exited, url: JSON.parse(printed).url };
}

/** Resolves when the URL no longer responds. */
async function gone(url: string): Promise<void> {
  await vi.waitFor(() => expect(fetch(`${url}/v1/health`)).rejects.toThrow(), { timeout: 60_000 });
}

function listenerOf(url: string): number {
  const state = readState({ host: "127.0.0.1", port: Number(new URL(url).port) });
  if (!state) throw new Error(`nobody listens on ${url}`);
  return state.pid;
}

function script(text: string): string {
  const file = join(temporaryDirectory(), "sandbox-agent");
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

function endProcess(pid: number): void {
  if (existsSync(`/proc/${pid}`)) process.kill(pid, "SIGKILL");
}
