/** Pages of a session's history. */
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";
import { expectProblem, faults } from "../harness/problem.ts";

/** A session with eight events. */
async function eightEvents(): Promise<TestClient> {
  const client = await startTestClient();
  await client.create("a");
  await client.stream("a", "hello");
  return client;
}

async function page(client: TestClient, query: string): Promise<{ sequences: number[]; hasMore: boolean }> {
  const { json } = await client.get(`/v1/sessions/a/events${query}`);
  return {
    sequences: json.events.map(({ sequence }: { sequence: number }) => sequence),
    hasMore: json.hasMore,
  };
}

describe("a page of events", () => {
  const all = [1, 2, 3, 4, 5, 6, 7, 8];
  test.each([
    ["everything by default", "", all, false],
    ["everything from offset 0", "?offset=0", all, false],
    ["what follows an offset", "?offset=5", [6, 7, 8], false],
    ["nothing behind the last event", "?offset=8", [], false],
    ["nothing far behind the last event", "?offset=999999999999999", [], false],
    ["as many as the limit", "?limit=3", [1, 2, 3], true],
    ["as many as the limit behind an offset", "?offset=2&limit=3", [3, 4, 5], true],
    ["up to the end when the limit is reached exactly", "?offset=5&limit=3", [6, 7, 8], false],
    ["up to the end when the limit is larger", "?limit=999999999999999", all, false],
    ["nothing with a limit of 0, but there is more", "?limit=0", [], true],
    ["nothing with a limit of 0 behind the last event", "?offset=8&limit=0", [], false],
  ])("has %s", async (_, query, sequences, hasMore) => {
    const client = await eightEvents();
    expect(await page(client, query)).toEqual({ sequences, hasMore });
  });

  test("after page makes the whole history", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.stream("a", "burst 2500");
    const collected: number[] = [];
    for (let more = true; more; ) {
      const { sequences, hasMore } = await page(client, `?offset=${collected.length}&limit=700`);
      collected.push(...sequences);
      more = hasMore;
    }
    expect(collected).toEqual(Array.from({ length: 2507 }, (_, index) => index + 1));
  });

  test("holds a history of any length", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.stream("a", "burst 5000");
    const { sequences } = await page(client, "");
    expect(sequences).toHaveLength(5007);
  });
});

describe("an event", () => {
  test("has an id of its own", async () => {
    const client = await eightEvents();
    const events = await client.events("a");
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(8);
  });

  test("has times in RFC 3339, UTC, that never go backwards", async () => {
    const client = await eightEvents();
    const times = (await client.events("a")).map(({ time }) => time);
    expect(times).toEqual(times.map((time) => new Date(time).toISOString()).toSorted());
  });

  test("carries the agent's own session id", async () => {
    const client = await eightEvents();
    const events = await client.events("a");
    expect(new Set(events.map(({ native_session_id }) => native_session_id))).toEqual(new Set(["mock-a"]));
  });
});

describe("the agent's own messages", () => {
  async function unparsed(query: string) {
    const client = await startTestClient();
    await client.create("a");
    await client.stream("a", "unparsed");
    const events = await client.events("a", query);
    return events.filter(({ type }) => type === "agent.unparsed" || type === "turn.started");
  }

  test.each(["include_raw=true", "include_raw=1", "includeRaw=true"])("are there with %s", async (query) => {
    const events = await unparsed(`?${query}`);
    expect(events.map(({ raw }) => raw)).toEqual([null, { mock: "unparsed" }]);
  });

  test.each(["", "?include_raw=false", "?include_raw=0", "?includeRaw=false"])(
    "are not there with %j",
    async (query) => {
      const events = await unparsed(query);
      expect(events.filter((event) => "raw" in event)).toEqual([]);
    },
  );
});

describe("a page asked for with nonsense", () => {
  test.each([
    ["offset=abc", "offset"],
    ["offset=-1", "offset"],
    ["offset=1.5", "offset"],
    ["offset=1e3", "offset"],
    ["offset=", "offset"],
    ["offset=9999999999999999", "offset"],
    ["limit=many", "limit"],
    ["limit=-1", "limit"],
    ["include_raw=maybe", "include_raw"],
    ["includeRaw=maybe", "include_raw"],
  ])("is rejected: %s", async (query, at) => {
    const client = await startTestClient();
    await client.create("a");
    expectProblem(await client.get(`/v1/sessions/a/events?${query}`), "invalid_request", {
      details: faults("query", at),
    });
  });

  test("names every value at fault", async () => {
    const client = await startTestClient();
    await client.create("a");
    expectProblem(await client.get("/v1/sessions/a/events?offset=x&limit=y"), "invalid_request", {
      detail: "invalid request: offset: must be a whole number; limit: must be a whole number",
      details: faults("query", "offset", "limit"),
    });
  });

  test("is answered when only an unknown parameter is strange", async () => {
    const client = await startTestClient();
    await client.create("a");
    const answer = await client.get("/v1/sessions/a/events?colour=blue");
    expect(answer.status).toBe(200);
  });
});
