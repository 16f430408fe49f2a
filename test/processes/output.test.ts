/** What processes write and read: logs, following them, input, runs, and the stream of starts and ends. */
import { readdirSync, statSync } from "node:fs";
import { ProcessEvent, RunProcessEnd } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem, faults } from "../harness/problem.ts";
import { readFrames } from "../harness/sse.ts";
import { follow, type LogFrame, outputOf, start, startScript, written } from "./lab.ts";

describe("the log", () => {
  test("has every stream in order, and one of them on request", async () => {
    const client = await startTestClient();
    const id = await startScript(client, "echo one; sleep 0.2; echo two >&2; sleep 0.2; echo three");
    expect(await outputOf(client, id)).toBe("one\ntwo\nthree\n");
    const { json } = await client.get(`/v1/processes/${id}/logs`);
    expect(json).toMatchObject({ processId: id, stream: "combined" });
    expect(json.entries.map(({ sequence, stream }: LogFrame & { sequence: number }) => [sequence, stream])).toEqual([
      [1, "stdout"],
      [2, "stderr"],
      [3, "stdout"],
    ]);
    expect(await outputOf(client, id, "&stream=stderr")).toBe("two\n");
    const tail = await client.get(`/v1/processes/${id}/logs?tail=1`);
    expect(tail.json.entries).toEqual(json.entries.slice(2));
    const since = await client.get(`/v1/processes/${id}/logs?since=1&stream=stdout`);
    expect(since.json.entries).toEqual(json.entries.slice(2));
    expect((await client.get(`/v1/processes/${id}/logs?tail=0`)).json.entries).toEqual([]);
  });

  test("is followed from the beginning, from a sequence, or from the tail", async () => {
    const client = await startTestClient();
    const id = await startScript(client, "echo one; sleep 0.2; echo two; sleep 0.2; echo three");
    await outputOf(client, id);
    expect(await outputOf(client, id, "&since=1")).toBe("two\nthree\n");
    expect(await outputOf(client, id, "&tail=1")).toBe("three\n");
    const response = await client.fetch("GET", `/v1/processes/${id}/logs?follow=true`, {
      headers: { "last-event-id": "2" },
    });
    const frames = await Array.fromAsync(readFrames(response));
    expect(frames.map((frame) => frame.id)).toEqual(["3"]);
  });

  test("is followed live", async () => {
    const client = await startTestClient();
    const id = await start(client, { command: "cat", interactive: true });
    const frames = follow(client, id);
    for (const word of ["first", "second"]) {
      await client.post(`/v1/processes/${id}/input`, { data: word, encoding: "utf8" });
      expect((await frames.next()).value).toMatchObject({ text: word });
    }
    await client.post(`/v1/processes/${id}/kill`);
    expect((await frames.next()).done).toBe(true);
  });

  test.each(["stream=other", "tail=-1", "since=x", "follow=maybe"])("refuses %s", async (query) => {
    const client = await startTestClient();
    const id = await start(client, { command: "true" });
    expectProblem(await client.get(`/v1/processes/${id}/logs?${query}`), "invalid_request", {
      details: faults("query", query.replace(/=.*/, "")),
    });
  });

  test("takes a limited amount of disk, and keeps the newest", async () => {
    const dataDir = temporaryDirectory();
    const client = await startTestClient({ dataDir });
    await client.post("/v1/processes/config", { maxLogBytesPerProcess: 256 * 1024 });
    const id = await startScript(client, "yes 0123456789 | head -c 8000000; echo the end");
    await outputOf(client, id, "&tail=1");
    const directory = `${dataDir}/processes/${id}`;
    const bytes = readdirSync(directory).reduce((sum, name) => sum + statSync(`${directory}/${name}`).size, 0);
    expect(bytes).toBeLessThanOrEqual(256 * 1024);
    expect(await outputOf(client, id, "&tail=1")).toMatch(/the end\n$/);
  });

  test("keeps bytes as they are", async () => {
    const client = await startTestClient();
    const id = await startScript(client, "printf '\\377\\000\\001'");
    await outputOf(client, id);
    const { json } = await client.get(`/v1/processes/${id}/logs`);
    expect(json.entries[0].data).toBe(Buffer.from([255, 0, 1]).toString("base64"));
  });
});

describe("input", () => {
  test("is base64 by default, and can be closed", async () => {
    const client = await startTestClient();
    const id = await start(client, { command: "cat", interactive: true });
    const path = `/v1/processes/${id}/input`;
    const hello = Buffer.from("héllo ").toString("base64");
    expect((await client.post(path, { data: hello })).json).toEqual({ bytesWritten: 7 });
    expect((await client.post(path, { data: "wörld", encoding: "text", close: true })).json).toEqual({
      bytesWritten: 6,
    });
    expect(await outputOf(client, id)).toBe("héllo wörld");
    expectProblem(await client.post(path, { data: "" }), "conflict");
  });

  test("is rejected without an open input, when it is invalid and when it is too large", async () => {
    const client = await startTestClient();
    const deaf = await start(client, { command: "sleep", args: ["1000"] });
    expectProblem(await client.post(`/v1/processes/${deaf}/input`, { data: "" }), "conflict");
    const path = `/v1/processes/${await start(client, { command: "cat", interactive: true })}/input`;
    expectProblem(await client.post(path, { data: "***" }), "invalid_request");
    expectProblem(await client.post(path, { data: "x", encoding: "hex" }), "invalid_request", {
      details: faults("body", "encoding"),
    });
    const limit = 65_536;
    const much = { data: "x".repeat(limit + 1), encoding: "utf8" };
    expectProblem(await client.post(path, much), "payload_too_large", { details: { limit } });
  });

  test("does not pile up before a process that does not read", async () => {
    const client = await startTestClient();
    const id = await start(client, { command: "sleep", args: ["1000"], interactive: true });
    const data = "x".repeat(65_536);
    const statuses: number[] = [];
    for (let count = 0; count < 40; count++)
      statuses.push((await client.post(`/v1/processes/${id}/input`, { data, encoding: "utf8" })).status);
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(409);
  });
});

describe("a run", () => {
  test("answers with output and exit code", async () => {
    const client = await startTestClient();
    const body = { command: "sh", args: ["-c", "echo out; echo err >&2; exit 3"] };
    expect((await client.post("/v1/processes/run", body)).json).toEqual({
      exitCode: 3,
      timedOut: false,
      stdout: "out\n",
      stderr: "err\n",
      stdoutTruncated: false,
      stderrTruncated: false,
      durationMs: expect.any(Number),
    });
    expect((await client.get("/v1/processes")).json).toEqual({ processes: [] });
  });

  test("is killed with all it has started when its time is over", async () => {
    const client = await startTestClient();
    const body = { command: "sh", args: ["-c", "echo out; sleep 1000; true"], timeoutMs: 500 };
    expect((await client.post("/v1/processes/run", body)).json).toMatchObject({
      exitCode: null,
      timedOut: true,
      stdout: "out\n",
    });
  });

  test("keeps no more output than asked for", async () => {
    const client = await startTestClient();
    const body = { command: "sh", args: ["-c", "printf 123456; printf ab >&2"], maxOutputBytes: 4 };
    expect((await client.post("/v1/processes/run", body)).json).toMatchObject({
      stdout: "1234",
      stdoutTruncated: true,
      stderr: "ab",
      stderrTruncated: false,
    });
  });

  test.each([
    ["an empty command", { command: "" }],
    ["no time at all", { command: "true", timeoutMs: 0 }],
    ["more time than there is", { command: "true", timeoutMs: 300_001 }],
    ["more output than there may be", { command: "true", maxOutputBytes: 2_000_000 }],
  ])("is rejected with %s", async (_, body) => {
    const client = await startTestClient();
    const answer = await client.post("/v1/processes/run", body);
    expect([answer.status, answer.json.type]).toEqual([400, "urn:sandbox-agent:error:invalid_request"]);
  });

  test.each(["/v1/processes/run", "/v1/processes/run/stream"])("%s of a missing program is a problem", async (path) => {
    const client = await startTestClient();
    expectProblem(await client.post(path, { command: "no-such-program" }), "process_not_started", {
      details: { command: "no-such-program" },
    });
  });

  test("can be streamed: output as it comes, then the end", async () => {
    const client = await startTestClient();
    const response = await client.fetch("POST", "/v1/processes/run/stream", {
      body: { command: "sh", args: ["-c", "echo one; sleep 0.2; echo two >&2; exit 4"] },
    });
    const frames = (await Array.fromAsync(readFrames(response))).map(({ data }) => JSON.parse(data));
    const end = RunProcessEnd().parse(frames.pop());
    expect(end).toMatchObject({ exitCode: 4, timedOut: false });
    expect(frames.map(({ sequence, stream }) => [sequence, stream])).toEqual([
      [1, "stdout"],
      [2, "stderr"],
    ]);
  });

  test("that is streamed loses nothing to a slow reader", async () => {
    const client = await startTestClient();
    const response = await client.fetch("POST", "/v1/processes/run/stream", {
      body: { command: "sh", args: ["-c", "head -c 20000000 /dev/zero"] },
    });
    let bytes = 0;
    for await (const { data } of readFrames(response)) {
      const frame = JSON.parse(data);
      if (frame.data) bytes += Buffer.from(frame.data, "base64").length;
    }
    expect(bytes).toBe(20_000_000);
  });

  test("ends when its client leaves", async () => {
    const client = await startTestClient();
    const mark = `${temporaryDirectory()}/alive`;
    const body = { command: "sh", args: ["-c", `trap "" TERM HUP; echo $$ > ${mark}; echo up; sleep 1000; true`] };
    const leaving = new AbortController();
    const response = await client.fetch("POST", "/v1/processes/run/stream", { body, signal: leaving.signal });
    const frames = readFrames(response);
    await frames.next();
    const pid = (await Bun.file(mark).text()).trim();
    leaving.abort();
    await frames.next().catch(() => {});
    while (
      /^State:\s+[^Z]/m.test(
        await Bun.file(`/proc/${pid}/status`)
          .text()
          .catch(() => ""),
      )
    )
      await Bun.sleep(20);
  });
});

describe("starts and ends", () => {
  test("are on a stream of their own, which can be taken up again, and on that of everything", async () => {
    const client = await startTestClient();
    const all = readFrames(await client.fetch("GET", "/v1/events/sse"));
    const own = readFrames(await client.fetch("GET", "/v1/processes/events/sse"));
    const id = await start(client, { command: "true" });
    const next = async (frames: typeof own) => {
      const { value } = await frames.next();
      const { type, data } = ProcessEvent().parse(JSON.parse(value?.data ?? ""));
      return [value?.id, type, data.id, data.status];
    };
    expect(await next(own)).toEqual(["1", "process.started", id, "running"]);
    expect(await next(own)).toEqual(["2", "process.exited", id, "exited"]);
    await client.delete(`/v1/processes/${id}`);
    expect(await next(own)).toEqual(["3", "process.deleted", id, "exited"]);
    expect(await next(all)).toEqual(["", "process.started", id, "running"]);
    const again = await client.fetch("GET", "/v1/processes/events/sse", { headers: { "last-event-id": "1" } });
    expect(await next(readFrames(again))).toEqual(["2", "process.exited", id, "exited"]);
  });

  test("reject an invalid position", async () => {
    const client = await startTestClient();
    const headers = { "last-event-id": "abc" };
    expectProblem(await client.get("/v1/processes/events/sse", { headers }), "invalid_request");
  });
});

test("a log with a wide gap continues after the gap", async () => {
  const client = await startTestClient();
  await client.post("/v1/processes/config", { maxLogBytesPerProcess: 64 * 1024 });
  const id = await startScript(client, "echo ready; cat; yes | head -c 2000000; echo the end", { interactive: true });
  await written(client, id, "ready");
  await client.post(`/v1/processes/${id}/input`, { data: "", close: true });
  await outputOf(client, id);
  const sequences: number[] = [];
  for await (const { id: sequence } of follow(client, id, "&since=1")) sequences.push(sequence);
  expect(sequences[0]).toBeGreaterThan(2);
  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
});
