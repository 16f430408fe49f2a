/** Listeners of a session object get every event once, and requests only while they are open. */
import type { PermissionRequest, QuestionRequest } from "sandbox-agent";
import { expect, test } from "vitest";
import { type EventBody, eventsFrom, growingLog, scriptedClient, streamOf } from "./scripted-daemon.ts";

const sessionStarted = { type: "session.started", data: {} } as const;
const started = { type: "turn.started", data: { phase: "started", turn_id: "t" } } as const;
const ended = { type: "turn.ended", data: { phase: "ended", turn_id: "t" } } as const;
const permission = (id: string, kind: "requested" | "resolved"): EventBody => {
  const status = kind === "requested" ? "requested" : "approved";
  return { type: `permission.${kind}`, data: { permission_id: id, action: "run", status } };
};
const question = (id: string, kind: "requested" | "resolved"): EventBody => {
  const status = kind === "requested" ? "requested" : "answered";
  return { type: `question.${kind}`, data: { question_id: id, prompt: "which?", options: [], status, response: null } };
};

test("a listener gets history and live events once, also by event type", async () => {
  const { log, session } = following(eventsFrom(1, sessionStarted, started));
  const [all, turns]: number[][] = [[], []];
  session.on("event", ({ sequence }) => all?.push(sequence));
  session.on("turn.started", ({ sequence }) => turns?.push(sequence));
  await waitForEvent(session, "turn.started");
  log.append(...eventsFrom(3, ended, started));
  await expect.poll(() => all).toEqual([1, 2, 3, 4]);
  expect(turns).toEqual([2, 4]);
});

test("listeners share one stream", async () => {
  const { session, streams } = following(eventsFrom(1, sessionStarted));
  session.on("turn.started", () => {});
  session.on("turn.ended", () => {});
  await waitForEvent(session, "session.started");
  expect(streams()).toBe(1);
});

test("a request that was open before listening began is announced once; one that was answered is not", async () => {
  const { log, session } = following(
    eventsFrom(
      1,
      sessionStarted,
      permission("old", "requested"),
      permission("old", "resolved"),
      permission("open", "requested"),
    ),
  );
  const announced = announcements(session);
  await expect.poll(() => announced).toEqual(["open"]);
  log.append(...eventsFrom(5, question("next", "requested")));
  await expect.poll(() => announced).toEqual(["open", "next"]);
  // Neither a new listener nor a later event announces them again.
  session.on("event", () => {});
  log.append(...eventsFrom(6, permission("last", "requested")));
  await expect.poll(() => announced).toEqual(["open", "next", "last"]);
});

test("no request is announced before the history has been read", async () => {
  const history = eventsFrom(1, sessionStarted, permission("old", "requested"), permission("old", "resolved"), ended);
  const log = growingLog(history.slice(0, 2));
  const { client } = scriptedClient((request, signal) =>
    request.path === "/v1/sessions/s" ? Response.json({ lastSequence: 4 }) : log.answer(request, signal),
  );
  const session = client.session("s");
  const announced = announcements(session);
  const requested = Promise.withResolvers<unknown>();
  session.on("permission.requested", requested.resolve);
  await requested.promise;
  const later = Promise.withResolvers<unknown>();
  session.on("turn.ended", later.resolve);
  await new Promise((resolve) => setTimeout(resolve, 0));
  log.append(...history.slice(2));
  await later.promise;
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(announced).toEqual([]);
});

test("a request that is answered in the same batch is not announced", async () => {
  const { log, session } = following(eventsFrom(1, sessionStarted));
  const announced = announcements(session);
  await waitForEvent(session, "session.started");
  log.append(...eventsFrom(2, permission("a", "requested"), permission("a", "resolved"), question("b", "requested")));
  await expect.poll(() => announced).toEqual(["b"]);
});

test("a request is announced to the first listener of its kind, even if others listened before", async () => {
  const { session } = following(
    eventsFrom(1, sessionStarted, permission("p", "requested"), question("q", "requested")),
  );
  const questions: string[] = [];
  session.on("question", ({ question_id }) => questions.push(question_id));
  await expect.poll(() => questions).toEqual(["q"]);
  const late = Promise.withResolvers<PermissionRequest>();
  session.on("permission", late.resolve);
  expect((await late.promise).permission_id).toBe("p");
  expect(questions).toEqual(["q"]);
});

test("a request that is asked again under the same id is announced again", async () => {
  const { log, session } = following(eventsFrom(1, sessionStarted, question("q", "requested")));
  const announced = announcements(session);
  await expect.poll(() => announced).toEqual(["q"]);
  log.append(...eventsFrom(3, question("q", "resolved"), question("other", "requested")));
  await expect.poll(() => announced).toEqual(["q", "other"]);
  log.append(...eventsFrom(5, question("q", "requested")));
  await expect.poll(() => announced).toEqual(["q", "other", "q"]);
});

test("history that was read already is not read again", async () => {
  const { session, log, requests } = following(eventsFrom(1, sessionStarted, started));
  await session.refresh();
  const all: number[] = [];
  session.on("event", ({ sequence }) => all.push(sequence));
  log.append(...eventsFrom(3, ended));
  await expect.poll(() => all).toEqual([3]);
  expect(
    requests()
      .find(({ path }) => path.endsWith("/sse"))
      ?.query.get("offset"),
  ).toBe("2");
});

test("history of several pages is read to its end, also if it is shorter than expected", async () => {
  const long = eventsFrom(1, sessionStarted, ...Array.from({ length: 2100 }, () => started));
  const { session, requests } = following(long);
  expect((await session.refresh()).lastSequence).toBe(2101);
  expect(requests().filter(({ path }) => path.endsWith("/events"))).toHaveLength(3);

  const { client } = scriptedClient(({ path }) =>
    path.endsWith("/events") ? Response.json({ events: [], hasMore: false }) : Response.json({ lastSequence: 7 }),
  );
  expect((await client.session("s").refresh()).lastSequence).toBe(0);
});

test("close is emitted with the reason when the daemon refuses, and listening can start again", async () => {
  let gone = true;
  const log = growingLog(eventsFrom(1, sessionStarted));
  const { client } = scriptedClient((request, signal) =>
    gone ? Response.json({ title: "gone" }, { status: 404 }) : log.answer(request, signal),
  );
  const session = client.session("s");
  const closed = Promise.withResolvers<unknown>();
  session.on("close", closed.resolve);
  expect(await closed.promise).toMatchObject({ status: 404 });
  gone = false;
  await waitForEvent(session, "session.started");
});

test("close is not emitted when the session object or the client was closed", async () => {
  for (const how of ["session", "client"] as const) {
    const { client, session, streams } = following(eventsFrom(1, sessionStarted));
    const closes: unknown[] = [];
    session.on("close", (reason) => closes.push(reason));
    await waitForEvent(session, "session.started");
    if (how === "session") session.close();
    else await client.dispose();
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(closes).toEqual([]);
    expect(streams()).toBe(1);
  }
});

test("a closed session object gets no events until a new listener is added", async () => {
  const { log, session, streams } = following(eventsFrom(1, sessionStarted));
  const all: number[] = [];
  session.on("event", ({ sequence }) => all.push(sequence));
  await waitForEvent(session, "session.started");
  session.close();
  log.append(...eventsFrom(2, started));
  const next = Promise.withResolvers<unknown>();
  session.on("turn.started", next.resolve);
  await next.promise;
  expect(streams()).toBe(2);
  expect(all).toEqual([1, 2]);
});

test("a prompt emits its events to listeners, and announces its request once", async () => {
  const asked = eventsFrom(2, started, question("q", "requested"), question("q", "resolved"), ended);
  const log = growingLog(eventsFrom(1, sessionStarted));
  const { client } = scriptedClient((request, signal) => {
    if (!request.path.endsWith("/messages/stream")) return log.answer(request, signal);
    log.append(...asked);
    return streamOf(asked.slice(0, 2));
  });
  const session = client.session("s");
  const questions: QuestionRequest[] = [];
  const all: number[] = [];
  session.on("question", (request) => questions.push(request));
  session.on("event", ({ sequence }) => all.push(sequence));
  await waitForEvent(session, "session.started");
  for await (const _ of session.prompt("hello"));
  expect(all).toEqual([1, 2, 3, 4, 5]);
  expect(questions.length).toBeLessThanOrEqual(1);
});

function following(events: Parameters<typeof growingLog>[0]) {
  const log = growingLog(events);
  const { client, sent } = scriptedClient(log.answer);
  const session = client.session("s");
  const streams = () => sent.filter(({ path }) => path.endsWith("/sse")).length;
  return { client, log, session, streams, requests: () => sent };
}

type Session = ReturnType<typeof following>["session"];

function announcements(session: Session): string[] {
  const ids: string[] = [];
  session.on("permission", ({ permission_id }) => ids.push(permission_id));
  session.on("question", ({ question_id }) => ids.push(question_id));
  return ids;
}

/** Resolves when the session object has received an event of this type. */
async function waitForEvent(session: Session, type: "session.started" | "turn.started"): Promise<void> {
  if (session.transcript().lastSequence > 0) return;
  const event = Promise.withResolvers<unknown>();
  const stop = session.on(type, event.resolve);
  await event.promise;
  stop();
}
