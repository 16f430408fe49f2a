/** Cursors that belong to another log: of another data directory, or of an earlier session under the same id. */
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";
import { readFrames } from "../harness/sse.ts";

/** The first frames of a stream. */
async function framesOf(client: TestClient, path: string, count: number, headers: Record<string, string> = {}) {
  const response = await client.fetch("GET", path, { headers });
  const frames: { id: string; data: { type?: string; reason?: string; log?: string; sequence?: number } }[] = [];
  for await (const { id, data } of readFrames(response)) {
    frames.push({ id: id ?? "", data: JSON.parse(data) });
    if (frames.length === count) break;
  }
  return { frames, log: response.headers.get("sandbox-agent-log") ?? "" };
}

/** A session with 14 events or more. */
async function talked(): Promise<TestClient> {
  const client = await startTestClient();
  await client.create("s");
  await client.send("s", "echo one");
  await client.wait("s");
  return client;
}

const session = "/v1/sessions/s/events/sse";
const all = "/v1/events/sse";

describe("a stream", () => {
  test.each([
    [session, "5000", "1"],
    [all, "5000", "1.1"],
    [all, "5000.12", "1.1"],
  ])("%s after %s, beyond the end, begins with a reset and then the first event", async (path, cursor, first) => {
    const client = await talked();
    for (const [query, headers] of [
      [`?offset=${cursor}`, {}],
      ["", { "last-event-id": cursor }],
    ] as const) {
      const { frames, log } = await framesOf(client, path + query, 3, headers);
      expect(log).not.toBe("");
      expect(frames.map(({ id }) => id).slice(0, 2)).toEqual(["0", first]);
      expect(frames[0]?.data).toEqual({ reason: "beyond_end", log });
      expect(frames[1]?.data).toMatchObject({ type: "session.started", sequence: 1 });
    }
  });

  test.each([
    [session, "3"],
    [all, "2"],
  ])("%s of another log begins with a reset, although it is longer", async (path, cursor) => {
    const client = await talked();
    const { frames, log } = await framesOf(client, `${path}?offset=${cursor}&log=another`, 2);
    expect(frames[0]?.data).toEqual({ reason: "other_log", log });
    expect(frames[1]?.data).toMatchObject({ sequence: 1 });
    // Nothing was seen of the other one, so there is nothing to begin again.
    const fresh = await framesOf(client, `${path}?offset=0&log=another`, 1);
    expect(fresh.frames[0]?.data).toMatchObject({ sequence: 1 });
  });

  test.each([session, all])("%s of the same log resumes after its cursor, at its end too", async (path) => {
    const client = await talked();
    const { frames, log } = await framesOf(client, `${path}?offset=0`, 4);
    const next = await framesOf(client, `${path}?offset=${frames[2]?.id}&log=${log}`, 1);
    expect([next.frames[0], next.log]).toEqual([frames[3], log]);

    const { lastSequence } = (await client.get("/v1/sessions/s")).json;
    const end = path === all ? (await client.fetch("GET", all)).headers.get("last-event-id") : lastSequence;
    const live = framesOf(client, `${path}?offset=${end}&log=${log}`, 1);
    await client.send("s", "echo two");
    expect((await live).frames[0]?.data).toMatchObject({ sequence: lastSequence + 1 });
  });
});

test("a page beyond the end, or of another log, is empty and marked as such", async () => {
  const client = await talked();
  const { lastSequence } = (await client.get("/v1/sessions/s")).json;
  const page = async (query: string) => {
    const { json, headers } = await client.get(`/v1/sessions/s/events?limit=1&${query}`);
    return { json, log: headers.get("sandbox-agent-log") };
  };
  const { log } = await page("");
  const reset = { events: [], hasMore: false, reset: true };
  expect(await page("offset=5000")).toEqual({ json: reset, log });
  expect(await page("offset=1&log=another")).toEqual({ json: reset, log });
  expect(await page(`offset=${lastSequence}&log=${log}`)).toEqual({ json: { events: [], hasMore: false }, log });
  expect((await page(`offset=1&log=${log}`)).json).toMatchObject({ events: [{ sequence: 2 }], hasMore: true });
});

test("another session under the same id has another log", async () => {
  const client = await talked();
  const { log } = await framesOf(client, session, 1);
  await client.delete("/v1/sessions/s");
  await client.create("s");
  await client.send("s", "echo other");
  await client.wait("s");
  const again = await framesOf(client, `${session}?offset=2&log=${log}`, 2);
  expect(again.log).not.toBe(log);
  expect(again.frames.map(({ data }) => data.reason ?? data.sequence)).toEqual(["other_log", 1]);
});
