/** Waiting for a session, for clients that cannot stream. */
import { describe, expect, test } from "vitest";
import { startTestClient } from "../harness/daemon.ts";
import { expectProblem, faults } from "../harness/problem.ts";

const path = "/v1/sessions/a/wait";

async function session(...messages: string[]) {
  const client = await startTestClient();
  await client.create("a");
  for (const message of messages) await client.send("a", message);
  return client;
}

describe("waiting until idle", () => {
  test("ends immediately in an idle session", async () => {
    const client = await session();
    const { json } = await client.get(`${path}?until=idle`);
    expect(json.reached).toBe("idle");
  });

  test("is the default", async () => {
    const client = await session("hello");
    const { json } = await client.get(path);
    expect(json.reached).toBe("idle");
  });

  test("is over after the last queued turn", async () => {
    const client = await session("slow 3 10", "second", "third");
    const { json } = await client.get(`${path}?until=idle`);
    expect(json.session).toMatchObject({ status: "idle", queue: [], lastSequence: 1 + 9 + 7 + 7 + 2 });
  });

  test("is over when the session has ended", async () => {
    const client = await session("end");
    const { json } = await client.get(`${path}?until=idle`);
    expect([json.reached, json.session.status]).toEqual(["idle", "ended"]);
  });

  test("answers with the session as it describes itself", async () => {
    const client = await session("hello");
    const waited = await client.get(path);
    const { json } = await client.get("/v1/sessions/a");
    expect(waited.json.session).toEqual(json);
  });
});

describe("waiting for a request", () => {
  test.each(["permission1", "question1"])("is over when the agent asks: %s", async (command) => {
    const client = await session(command);
    const { json } = await client.get(`${path}?until=request`);
    expect([json.reached, json.session.status]).toEqual(["request", "waiting"]);
  });
});

describe("waiting for the end", () => {
  test("is over when the agent ends the session", async () => {
    const client = await session("end");
    const { json } = await client.get(`${path}?until=ended`);
    expect([json.reached, json.session.ended]).toEqual(["ended", true]);
  });

  test("is over when a client terminates the session", async () => {
    const client = await session("hang");
    const waiting = client.get(`${path}?until=ended`);
    await client.post("/v1/sessions/a/terminate");
    const { json } = await waiting;
    expect(json.reached).toBe("ended");
  });
});

describe("waiting for several conditions", () => {
  test.each([
    ["hello", "idle"],
    ["permission1", "request"],
  ])("names the one that holds: %s", async (command, reached) => {
    const client = await session(command);
    const { json } = await client.get(`${path}?until=idle,request`);
    expect(json.reached).toBe(reached);
  });

  test("prefers the one named first", async () => {
    const client = await session("end");
    const { json } = await client.get(`${path}?until=ended,idle`);
    expect(json.reached).toBe("ended");
  });
});

describe("a wait whose time is up", () => {
  test("has reached nothing", async () => {
    const client = await session("hang");
    const { json } = await client.get(`${path}?until=idle&timeout_ms=20`);
    expect([json.reached, json.session.status]).toEqual([null, "running"]);
  });

  test("takes no time at all with a timeout of zero", async () => {
    const client = await session("hang");
    const { json } = await client.get(`${path}?until=ended&timeout_ms=0`);
    expect(json.reached).toBeNull();
  });

  test("knows its parameter in camel case too", async () => {
    const client = await session("hang");
    const { json } = await client.get(`${path}?timeoutMs=0`);
    expect(json.reached).toBeNull();
  });
});

describe("a wait for nonsense", () => {
  test.each([
    ["an unknown condition", "until=lunch", "until.0"],
    ["an unknown condition in a list", "until=idle,lunch", "until.1"],
    ["no condition", "until=", "until.0"],
    ["a negative time", "timeout_ms=-1", "timeout_ms"],
    ["a time in words", "timeout_ms=soon", "timeout_ms"],
  ])("is rejected: %s", async (_, query, at) => {
    const client = await session();
    expectProblem(await client.get(`${path}?${query}`), "invalid_request", { details: faults("query", at) });
  });
});
