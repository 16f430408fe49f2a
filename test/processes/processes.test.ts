/** Processes as a resource: starting, listing, ending, forgetting, limits. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem, faults } from "../harness/problem.ts";
import { outputOf, start, startScript, written } from "./lab.ts";

const unknown = { details: { resource: "process", id: "nope" } };

describe("a process", () => {
  test("is described when it is started, while it runs and when it has ended", async () => {
    const client = await startTestClient();
    const cwd = temporaryDirectory();
    const { json } = await client.post("/v1/processes", { command: "cat", cwd, interactive: true, tags: ["web", "x"] });
    const described = {
      id: expect.stringMatching(/^proc_\w+$/),
      command: "cat",
      args: [],
      cwd,
      tty: false,
      interactive: true,
      owner: "user",
      tags: ["web", "x"],
      createdAtMs: expect.any(Number),
    };
    expect(json).toEqual({ ...described, status: "running", pid: expect.any(Number) });
    expect((await client.get(`/v1/processes/${json.id}`)).json).toEqual(json);
    const ended = await client.post(`/v1/processes/${json.id}/kill?wait_ms=20000`);
    expect(ended.json).toEqual({ ...described, status: "exited", signal: "SIGKILL", exitedAtMs: expect.any(Number) });
  });

  test("runs in its directory, with its arguments and environment", async () => {
    const client = await startTestClient();
    const cwd = temporaryDirectory();
    const id = await startScript(client, 'pwd; echo "$WORD"', { cwd, env: { WORD: "wörd" } });
    expect(await outputOf(client, id)).toBe(`${cwd}\nwörd\n`);
  });

  test("does not learn the daemon's token", async () => {
    process.env.SANDBOX_AGENT_TOKEN = "secret";
    const client = await startTestClient({ token: "secret" });
    const id = await startScript(client, "env");
    const output = await outputOf(client, id);
    delete process.env.SANDBOX_AGENT_TOKEN;
    expect(output).toContain("PATH=");
    expect(output).not.toContain("SANDBOX_AGENT_TOKEN");
  });

  test("reports its exit code", async () => {
    const client = await startTestClient();
    const id = await startScript(client, "exit 7");
    await outputOf(client, id);
    expect((await client.get(`/v1/processes/${id}`)).json).toMatchObject({ status: "exited", exitCode: 7 });
  });
});

describe("what cannot be started", () => {
  test.each([
    ["no command", {}, "command"],
    ["an empty command", { command: " " }, "command"],
    ["arguments that are no list", { command: "true", args: "x" }, "args"],
    ["a tag with a comma", { command: "true", tags: ["a,b"] }, "tags.0"],
    ["a terminal without columns", { command: "true", tty: true, cols: 0 }, "cols"],
    ["a variable without a name", { command: "true", env: { "": "x" } }, "env."],
  ])("is rejected: %s", async (_, body, path) => {
    const client = await startTestClient();
    expectProblem(await client.post("/v1/processes", body), "invalid_request", { details: faults("body", path) });
  });

  test("a missing directory is rejected", async () => {
    const client = await startTestClient();
    expectProblem(await client.post("/v1/processes", { command: "true", cwd: "/nowhere" }), "invalid_request");
  });

  test.each([false, true])("a missing program has its own problem kind, with tty %s", async (tty) => {
    const client = await startTestClient();
    expectProblem(await client.post("/v1/processes", { command: "no-such-program", tty }), "process_not_started", {
      details: { command: "no-such-program" },
    });
    expect((await client.get("/v1/processes")).json).toEqual({ processes: [] });
    expect((await client.get("/v1/terminals")).json).toEqual({ terminals: [] });
  });

  test("more than the limit is a conflict", async () => {
    const client = await startTestClient();
    await client.post("/v1/processes/config", { maxConcurrentProcesses: 1 });
    const id = await start(client, { command: "cat", interactive: true });
    expectProblem(await client.post("/v1/processes", { command: "true" }), "conflict", { details: { limit: 1 } });
    expectProblem(await client.post("/v1/processes/run", { command: "true" }), "conflict", { details: { limit: 1 } });
    await client.post(`/v1/processes/${id}/kill?wait_ms=20000`);
    expect((await client.post("/v1/processes/run", { command: "true" })).json.exitCode).toBe(0);
  });
});

describe("the list", () => {
  test("is narrowed by tags, all of which must be there", async () => {
    const client = await startTestClient();
    const both = await start(client, { command: "true", tags: ["a", "b"] });
    const one = await start(client, { command: "true", tags: ["a"] });
    await start(client, { command: "true" });
    const ids = async (query: string) =>
      (await client.get(`/v1/processes${query}`)).json.processes.map(({ id }: { id: string }) => id);
    expect(await ids("?tag=a")).toEqual([both, one]);
    expect(await ids("?tag=a,b")).toEqual([both]);
    expect(await ids("?tag=c")).toEqual([]);
    expect(await ids("")).toHaveLength(3);
  });

  test("is narrowed by owner", async () => {
    const client = await startTestClient();
    await start(client, { command: "true" });
    expect((await client.get("/v1/processes?owner=user")).json.processes).toHaveLength(1);
    expect((await client.get("/v1/processes?owner=desktop")).json.processes).toEqual([]);
    expectProblem(await client.get("/v1/processes?owner=me"), "invalid_request", { details: faults("query", "owner") });
  });
});

describe("ending a process", () => {
  test("stop lets it end in order", async () => {
    const client = await startTestClient();
    const id = await startScript(client, 'trap "echo bye; exit 3" TERM; echo ready; while :; do sleep 0.1; done');
    await written(client, id, "ready");
    const { json } = await client.post(`/v1/processes/${id}/stop?waitMs=20000`);
    expect(json).toMatchObject({ status: "exited", exitCode: 3 });
    expect(await outputOf(client, id)).toContain("bye");
  });

  test("stop without waiting responds immediately", async () => {
    const client = await startTestClient();
    const id = await startScript(client, 'trap "" TERM; echo ready; while :; do sleep 0.1; done');
    await written(client, id, "ready");
    expect((await client.post(`/v1/processes/${id}/stop`)).json.status).toBe("running");
  });

  test("kill ends what it has started too, also what has left it", async () => {
    const client = await startTestClient();
    const id = await startScript(client, "setsid sleep 1000 & echo $!; sleep 0.2; cat", { interactive: true });
    await written(client, id, "\n");
    const pid = Number((await client.get(`/v1/processes/${id}/logs`)).json.entries.map(textOf).join("").trim());
    await client.post(`/v1/processes/${id}/kill?wait_ms=20000`);
    await gone(pid);
  });

  test("stop ends a shell at a terminal, which ignores SIGTERM", async () => {
    const client = await startTestClient();
    const id = await start(client, { command: "bash", args: ["--norc"], tty: true });
    await written(client, id, "bash");
    expect((await client.post(`/v1/processes/${id}/stop?wait_ms=20000`)).json.status).toBe("exited");
  });

  test("a signal reaches the process", async () => {
    const client = await startTestClient();
    const id = await startScript(client, 'trap "echo usr1; exit 0" USR1; echo ready; while :; do sleep 0.1; done');
    await written(client, id, "ready");
    expect((await client.post(`/v1/processes/${id}/signal`, { signal: "SIGUSR1" })).json.id).toBe(id);
    expect(await outputOf(client, id)).toContain("usr1");
    expectProblem(await client.post(`/v1/processes/${id}/signal`, { signal: "SIGUSR1" }), "conflict");
    expectProblem(await client.post(`/v1/processes/${id}/signal`, { signal: "SIGFOO" }), "invalid_request", {
      details: faults("body", "signal"),
    });
  });

  test("ended ones can be killed and stopped without harm", async () => {
    const client = await startTestClient();
    const id = await start(client, { command: "true" });
    await outputOf(client, id);
    expect((await client.post(`/v1/processes/${id}/kill`)).json).toMatchObject({ status: "exited", exitCode: 0 });
    expect((await client.post(`/v1/processes/${id}/stop`)).json).toMatchObject({ status: "exited", exitCode: 0 });
  });

  test("one that hands its output to others has ended all the same", async () => {
    const client = await startTestClient();
    const id = await startScript(client, "sleep 1000 & echo started");
    expect(await outputOf(client, id)).toBe("started\n");
  });
});

describe("forgetting a process", () => {
  test("is possible when it has ended", async () => {
    const dataDir = temporaryDirectory();
    const client = await startTestClient({ dataDir });
    const id = await start(client, { command: "cat", interactive: true });
    expectProblem(await client.delete(`/v1/processes/${id}`), "conflict", { details: { id } });
    await client.post(`/v1/processes/${id}/kill?wait_ms=20000`);
    expect(existsSync(`${dataDir}/processes/${id}`)).toBe(true);
    expect((await client.delete(`/v1/processes/${id}`)).status).toBe(204);
    expect(existsSync(`${dataDir}/processes/${id}`)).toBe(false);
    expectProblem(await client.get(`/v1/processes/${id}`), "not_found", { details: { resource: "process", id } });
  });

  test("happens to the oldest when there are too many", async () => {
    const client = await startTestClient();
    await client.post("/v1/processes/config", { maxExitedProcesses: 2 });
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) {
      const id = await start(client, { command: "true" });
      await outputOf(client, id);
      ids.push(id);
    }
    const { json } = await client.get("/v1/processes");
    expect(json.processes.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1));
  });
});

describe("a process that does not exist", () => {
  test.each([
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/stop"],
    ["POST", "/kill"],
    ["POST", "/signal", { signal: "SIGTERM" }],
    ["POST", "/input", { data: "" }],
    ["GET", "/logs"],
    ["GET", "/logs?follow=true"],
    ["POST", "/terminal/resize", { cols: 80, rows: 24 }],
    ["GET", "/terminal/ws"],
  ])("is not found: %s %s", async (method, path, body?: unknown) => {
    const client = await startTestClient();
    expectProblem(await client.call(method, `/v1/processes/nope${path}`, { body }), "not_found", unknown);
  });
});

describe("the limits", () => {
  test("have their documented defaults until changed, one by one", async () => {
    const client = await startTestClient();
    const usual = {
      maxConcurrentProcesses: 64,
      maxExitedProcesses: 256,
      defaultRunTimeoutMs: 30_000,
      maxRunTimeoutMs: 300_000,
      maxOutputBytes: 1_048_576,
      maxLogBytesPerProcess: 10_485_760,
      maxInputBytesPerRequest: 65_536,
    };
    expect((await client.get("/v1/processes/config")).json).toEqual(usual);
    const changed = { ...usual, maxOutputBytes: 10 };
    expect((await client.post("/v1/processes/config", { maxOutputBytes: 10 })).json).toEqual(changed);
    expect((await client.get("/v1/processes/config")).json).toEqual(changed);
  });

  test("cannot be zero", async () => {
    const client = await startTestClient();
    expectProblem(await client.post("/v1/processes/config", { maxOutputBytes: 0 }), "invalid_request", {
      details: faults("body", "maxOutputBytes"),
    });
  });
});

function textOf({ data }: { data: string }): string {
  return Buffer.from(data, "base64").toString();
}

async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    // A killed orphan may wait for somebody to collect it; it does nothing any more.
    const state = await Bun.file(`/proc/${pid}/stat`)
      .text()
      .catch(() => "");
    if (/\) Z /.test(state)) return;
    await Bun.sleep(20);
  }
}
