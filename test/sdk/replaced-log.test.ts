/** A session object and a prompt whose log is replaced: requests, dropped events, and new events. */
import type { UniversalEvent } from "@sandbox-agent/schema";
import type { Reset, Session } from "sandbox-agent";
import { describe, expect, test } from "vitest";
import { type EventBody, eventsFrom, growingLog, type Sent, scriptedClient, streamOf } from "./scripted-daemon.ts";

const sessionStarted = { type: "session.started", data: {} } as const;
const started = { type: "turn.started", data: { phase: "started", turn_id: "t" } } as const;
const ended = { type: "turn.ended", data: { phase: "ended", turn_id: "t" } } as const;
const permission = (id: string, status: "requested" | "approved"): EventBody => ({
  type: status === "requested" ? "permission.requested" : "permission.resolved",
  data: { permission_id: id, action: "run", status },
});

const isMessage = ({ path }: Sent) => path.endsWith("/messages/stream");
const isStream = ({ path }: Sent) => path.endsWith("/events/sse");
const isPage = ({ path }: Sent) => path.endsWith("/events");

/** A daemon whose log can be replaced. Its streams break when that happens. */
function replaceable(events: UniversalEvent[]) {
  let [id, current, log] = ["log_1", events, growingLog(events)];
  const broken: (() => void)[] = [];
  const { client, sent } = scriptedClient(async (request, signal) => {
    const cursor = Number(request.headers.get("last-event-id") ?? request.query.get("offset") ?? 0);
    const known = request.query.get("log");
    const isOther = cursor > 0 && known !== null && known !== id;
    const reset = isOther ? "other_log" : cursor > current.length ? "beyond_end" : null;
    request.query.set("offset", String(reset ? 0 : cursor));
    let response = await log.answer(request, signal);
    if (isStream(request)) response = breakable(response, reset);
    else if (reset && isPage(request)) response = Response.json({ events: [], hasMore: false, reset: true });
    response.headers.set("sandbox-agent-log", id);
    return response;
  });

  function breakable(response: Response, reason: Reset["reason"] | null): Response {
    const { readable, writable } = new TransformStream();
    const breaking = new AbortController();
    broken.push(() => breaking.abort(new TypeError("the connection was reset")));
    const frame = reason ? `id: 0\nevent: reset\ndata: ${JSON.stringify({ reason, log: id })}\n\n` : ": connected\n\n";
    const writer = writable.getWriter();
    void writer.write(new TextEncoder().encode(frame)).then(
      () => {
        writer.releaseLock();
        return response.body?.pipeTo(writable, { signal: breaking.signal }).catch(() => {});
      },
      () => {},
    );
    return new Response(readable);
  }

  return {
    session: client.session("s"),
    sent,
    replace(nextId: string, next: UniversalEvent[]) {
      [id, current, log] = [nextId, next, growingLog(next)];
      for (const breakOff of broken.splice(0)) breakOff();
    },
  };
}

function recordSignals(session: Session) {
  const resets: Reset[] = [];
  const permissions: string[] = [];
  session.on("reset", (reset) => resets.push(reset));
  session.on("permission", ({ permission_id }) => permissions.push(permission_id));
  return { resets, permissions };
}

const replacements: [Reset["reason"], string][] = [
  ["other_log", "log_2"],
  ["beyond_end", "log_1"],
];

describe.each(replacements)("a log that was replaced (%s)", (reason, log) => {
  const before = eventsFrom(
    1,
    sessionStarted,
    started,
    permission("p", "requested"),
    permission("p", "approved"),
    ended,
  );
  const after = eventsFrom(1, sessionStarted, permission("done", "requested"), permission("done", "approved"));

  test("replaces the events of a session object, and its id is in the next request", async () => {
    const { session, sent, replace } = replaceable([...before]);
    await session.refresh();
    replace(log, [...after]);
    const { lastSequence, turns } = await session.refresh();
    expect([lastSequence, turns]).toEqual([3, []]);
    await session.refresh();
    const pages = sent.filter(isPage);
    expect(pages[0]?.query.get("log")).toBeNull();
    expect(pages[1]?.query.get("log")).toBe("log_1");
    expect(pages.at(-1)?.query.get("log")).toBe(log);
  });

  test("is reported to listeners once, with its reason", async () => {
    const { session, replace } = replaceable([...before]);
    const { resets } = recordSignals(session);
    await expect.poll(() => session.transcript().lastSequence).toBe(5);
    expect(resets).toEqual([]);
    replace(log, [...after]);
    await expect.poll(() => session.transcript().lastSequence).toBe(3);
    await session.refresh();
    expect(resets).toEqual([{ reason, log }]);
  });

  test("announces its open requests, also with the id of an earlier one, and not its answered ones", async () => {
    const { session, replace } = replaceable(eventsFrom(1, ...before.slice(0, 3), sessionStarted, sessionStarted));
    const { permissions } = recordSignals(session);
    await expect.poll(() => permissions).toEqual(["p"]);
    replace(log, eventsFrom(1, ...after, permission("p", "requested")));
    await expect.poll(() => permissions).toEqual(["p", "p"]);
  });

  test("is also detected by a page of history", async () => {
    const { session, replace } = replaceable([...before]);
    await session.refresh();
    const resets: Reset[] = [];
    replace(log, [...after]);
    session.on("reset", (reset) => resets.push(reset));
    await session.refresh();
    expect(resets).toEqual([{ reason, log }]);
  });
});

test("a listener sends the id of the log that was read before", async () => {
  const { session, sent } = replaceable(eventsFrom(1, sessionStarted, started));
  await session.refresh();
  session.on("event", () => {});
  await expect.poll(() => sent.filter(isStream).length).toBe(1);
  expect(sent.find(isStream)?.query.get("log")).toBe("log_1");
});

test("no reset is reported if nothing was read before", async () => {
  const { session, replace } = replaceable([]);
  const { resets } = recordSignals(session);
  await session.refresh();
  replace("log_2", eventsFrom(1, sessionStarted));
  await session.refresh();
  expect(session.transcript().lastSequence).toBe(1);
  expect(resets).toEqual([]);
});

test("a response without a log id belongs to the same log", async () => {
  let answers = 0;
  const log = growingLog(eventsFrom(1, sessionStarted, started));
  const { client, sent } = scriptedClient(async (request, signal) => {
    const response = await log.answer(request, signal);
    if (isPage(request) && ++answers === 1) response.headers.set("sandbox-agent-log", "log_1");
    return response;
  });
  const session = client.session("s");
  for (let count = 0; count < 3; count++) await session.refresh();
  expect(session.transcript().lastSequence).toBe(2);
  expect(sent.filter(isPage).map(({ query }) => query.get("log"))).toEqual([null, "log_1", "log_1"]);
});

describe("a prompt", () => {
  const header = { "sandbox-agent-log": "log_1" };
  const reset = `event: reset\nid: 0\ndata: {"reason":"other_log","log":"log_2"}\n\n`;
  const [theirs] = eventsFrom(1, ended);
  const replaced = () =>
    new Response(`${reset}id: 1\ndata: ${JSON.stringify(theirs)}\n\n`, { headers: { "sandbox-agent-log": "log_2" } });

  test("sends its log id when it resumes, and fails without further events if the log was replaced", async () => {
    const { client, sent } = scriptedClient((request) =>
      isMessage(request) ? streamOf(eventsFrom(5, started), "breaks", header) : replaced(),
    );
    const read: number[] = [];
    const reading = (async () => {
      for await (const { sequence } of client.streamTurn("s", { message: "hello" })) read.push(sequence);
    })();
    await expect(reading).rejects.toThrow("event log was replaced");
    expect(read).toEqual([5]);
    expect(sent.find(isStream)?.query.get("log")).toBe("log_1");
  });

  test.each(replacements)("of a session object drops the events of that object (%s)", async (reason, log) => {
    const frame = `event: reset\nid: 0\ndata: ${JSON.stringify({ reason, log })}\n\n`;
    const { client } = scriptedClient((request) =>
      isMessage(request)
        ? streamOf(eventsFrom(1, started), "breaks", header)
        : new Response(frame, { headers: { "sandbox-agent-log": log } }),
    );
    const session = client.session("s");
    const reading = (async () => {
      for await (const _ of session.prompt("hello"));
    })();
    await expect(reading).rejects.toThrow("event log was replaced");
    expect(session.transcript()).toMatchObject({ lastSequence: 0, turns: [] });
  });

  test("sends no log id if the daemon has sent none", async () => {
    const { client, sent } = scriptedClient((request) =>
      streamOf(isMessage(request) ? eventsFrom(1, started) : eventsFrom(2, ended)),
    );
    for await (const _ of client.streamTurn("s", { message: "hello" }));
    expect(sent.find(isStream)?.query.has("log")).toBe(false);
  });
});
