/** A client for the sessions of one agent, used by the labs of all agents. */
import { checkEvents, type UniversalEvent } from "@sandbox-agent/schema";
import { expect } from "vitest";
import type { Answer, TestClient } from "../harness/client.ts";
import { lastTurn } from "./reading.ts";

type Body = Record<string, unknown>;

/** `defaults`: the request fields of every session. */
export function sessionClient(client: () => TestClient, defaults: Body) {
  const path = (id: string, rest: string) => `/v1/sessions/${id}/${rest}`;

  async function expectDone(answer: Promise<Answer>): Promise<void> {
    const { status, text } = await answer;
    expect(status, text).toBeLessThan(300);
  }

  const sessions = {
    tryCreate: (id: string, body: Body = {}) => client().create(id, { ...defaults, ...body }),
    create: (id: string, body: Body = {}) => expectDone(sessions.tryCreate(id, body)),
    send: (id: string, message: string, extra: Body = {}) => expectDone(client().send(id, message, extra)),
    /** Sends a message and returns the events of its turn, up to the end or the first open request. */
    async prompt(id: string, message: string, extra: Body = {}): Promise<UniversalEvent[]> {
      await sessions.send(id, message, extra);
      await sessions.wait(id, "idle,request,ended");
      return lastTurn(await client().events(id));
    },
    /** Waits for the end of the turn and returns the events of the last turn. */
    async finish(id: string): Promise<UniversalEvent[]> {
      await sessions.wait(id, "idle,ended");
      return lastTurn(await client().events(id));
    },
    /** Sends a message and returns all events from there to the end of its turn. */
    async turn(id: string, message: string, extra: Body = {}): Promise<UniversalEvent[]> {
      const from = (await client().events(id)).length;
      await sessions.send(id, message, extra);
      await sessions.wait(id, "idle");
      return (await client().events(id)).slice(from);
    },
    /** Waits as long as the test may take: the machine may be busy. */
    async wait(id: string, until: string): Promise<void> {
      for (;;) {
        const { json } = await client().get(path(id, `wait?until=${until}&timeout_ms=10000`));
        if (json.reached !== null) return;
      }
    },
    /** Waits until this many events match, from the beginning of the session on. Returns all up to there. */
    async seen(id: string, matches: (event: UniversalEvent) => boolean, count = 1): Promise<UniversalEvent[]> {
      const reader = await client().open(path(id, "events/sse?offset=0"));
      let left = count;
      const frames = await reader.until((event) => matches(event) && --left === 0);
      await reader.close();
      return frames.map(({ event }) => event);
    },
    /** Waits for open requests. */
    async pending(id: string) {
      await sessions.wait(id, "request");
      return (await client().get(path(id, "requests"))).json;
    },
    /** Answers the open permission. */
    async allow(id: string, reply: "once" | "always" | "reject"): Promise<void> {
      const [{ permission_id }] = (await sessions.pending(id)).permissions;
      await expectDone(client().post(path(id, `permissions/${permission_id}/reply`), { reply }));
    },
    /** Answers the open question; null rejects it. */
    async answer(id: string, answers: string[][] | null): Promise<void> {
      const [{ question_id }] = (await sessions.pending(id)).questions;
      const question = path(id, `questions/${question_id}`);
      await expectDone(answers ? client().post(`${question}/reply`, { answers }) : client().post(`${question}/reject`));
    },
    abort: (id: string) => expectDone(client().post(path(id, "abort"))),
    /** Checks the whole history. */
    async check(id: string, options: { allowUnparsed?: boolean } = {}): Promise<UniversalEvent[]> {
      const events = await client().events(id);
      expect(checkEvents(events, { finished: true, ...options })).toEqual([]);
      return events;
    },
  };
  return sessions;
}
