/** Session ids are chosen by clients and arrive percent-encoded: whatever text they are, they come back unchanged. */
import { describe, expect, test } from "vitest";
import { startTestClient } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

const ids = {
  "a slash": "a/b",
  "several slashes": "/a//b/",
  "an emoji": "👩‍💻 deploy 🚀",
  "500 characters": "x".repeat(500),
  "the longest id": "x".repeat(1024),
  "a percent sign": "100%",
  "an encoded slash as text": "a%2Fb",
  "query characters": "a?b=c&d#e",
  "a plus and a space": "a+b c",
  quotes: `it's "quoted"`,
  "the name of a route": "events",
};

describe.each(Object.entries(ids))("an id with %s", (_, id) => {
  const path = `/v1/sessions/${encodeURIComponent(id)}`;

  test("is listed as it was given", async () => {
    const client = await startTestClient();
    await client.create(id);
    const { json } = await client.get("/v1/sessions");
    expect(json.sessions[0].sessionId).toBe(id);
  });

  test("finds its session", async () => {
    const client = await startTestClient();
    await client.create(id);
    const { json } = await client.get(path);
    expect(json.nativeSessionId).toBe(`mock-${id}`);
  });

  test("is in every event", async () => {
    const client = await startTestClient();
    await client.create(id);
    await client.stream(id, "hello");
    const events = await client.events(id);
    expect(new Set(events.map(({ session_id }) => session_id))).toEqual(new Set([id]));
  });
});

test("ids that differ in encoding only are different ids", async () => {
  const client = await startTestClient();
  await client.post("/v1/sessions/a%2Fb", { agent: "mock" });
  const answer = await client.post("/v1/sessions/a%252Fb", { agent: "mock" });
  expect(answer.status).toBe(200);
});

describe("an id in a problem", () => {
  test("is given decoded as sessionId", async () => {
    const client = await startTestClient();
    expectProblem(await client.get("/v1/sessions/a%2Fb"), "session_not_found", {
      sessionId: "a/b",
      instance: "/v1/sessions/a%2Fb",
    });
  });
});

const refused = {
  "a zero byte": "%00",
  "a line break": "a%0Ab",
  "a delete character": "%7F",
  "a cut-off character": "%E0%A4%A",
  "a byte that is no character": "%FF",
  "half a surrogate pair": "%ED%A0%80",
  "a lone percent sign": "%",
  "digits that are none": "%zz",
  "nothing but a space": "%20",
  "1025 characters": "x".repeat(1025),
};

describe.each(Object.entries(refused))("an id with %s", (_, id) => {
  test("is rejected", async () => {
    const client = await startTestClient();
    const answer = await client.post(`/v1/sessions/${id}`, { agent: "mock" });
    expectProblem(answer, "invalid_request", {
      detail:
        "invalid request: session_id must have 1 to 1024 characters and no control characters or broken percent-encoding",
    });
  });

  test("creates nothing", async () => {
    const client = await startTestClient();
    await client.post(`/v1/sessions/${id}`, { agent: "mock" });
    const { json } = await client.get("/v1/sessions");
    expect(json.sessions).toEqual([]);
  });
});

describe("an id that cannot be requested again is rejected", () => {
  test.each([
    ["a zero byte", "\0"],
    ["half a surrogate pair", "\ud800"],
    ["nothing but a space", " "],
    ["1025 characters", "x".repeat(1025)],
    ["a step up", ".."],
  ])("for a fork: %s", async (_, id) => {
    const client = await startTestClient();
    await client.create("a");
    const answer = await client.post("/v1/sessions/a/fork", { sessionId: id });
    expectProblem(answer, "invalid_request", {
      detail: expect.stringMatching(/^invalid request: a session id must have 1 to 1024 characters/),
    });
    const { json } = await client.get("/v1/sessions");
    expect(json.sessions).toMatchObject([{ sessionId: "a" }]);
  });

  test("when OpenCode's clients choose it", async () => {
    const client = await startTestClient();
    await client.post("/session/a%00b/init", {});
    const { json } = await client.get("/v1/sessions");
    expect(json.sessions).toEqual([]);
  });
});

test("an empty id is not a session", async () => {
  const client = await startTestClient();
  expectProblem(await client.post("/v1/sessions/", { agent: "mock" }), "not_found");
});
