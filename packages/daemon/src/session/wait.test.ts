import { initialState } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../store/database.ts";
import { EventLog } from "../store/event-log.ts";
import { CommittedBatch } from "../store/feed.ts";
import { sessionInfo } from "./session-info.ts";
import { untilFound } from "./wait.ts";

function started() {
  const log = new EventLog(openDatabase(":memory:"));
  let found: string | null = null;
  let checks = 0;
  const check = () => {
    checks += 1;
    return found;
  };
  const commit = (sessionNumber = 1) =>
    log.feed.publish(new CommittedBatch(sessionNumber, 1, [{ sequence: 1, text: "{}", raw: null }]));
  return {
    log,
    check,
    commit,
    checks: () => checks,
    find: (value: string) => {
      found = value;
    },
  };
}

describe("waiting until something is found", () => {
  test("ends at once when there is a result, also with an aborted signal", async () => {
    const { log, check, find } = started();
    find("now");
    expect(await untilFound(log, 1, check)).toBe("now");
    expect(await untilFound(log, 1, check, AbortSignal.abort())).toBe("now");
  });

  test("ends with the commit that leads to a result, and then stops checking", async () => {
    const { log, check, commit, checks, find } = started();
    const waiting = untilFound(log, 1, check, new AbortController().signal);
    commit();
    expect(checks()).toBe(2);
    find("later");
    commit(2);
    expect(checks()).toBe(2);
    commit();
    expect(await waiting).toBe("later");
    commit();
    expect(checks()).toBe(3);
  });

  test("ends with null when the signal is aborted before or during the wait", async () => {
    const { log, check, commit, checks } = started();
    expect(await untilFound(log, 1, check, AbortSignal.abort())).toBeNull();
    const controller = new AbortController();
    const waiting = untilFound(log, 1, check, controller.signal);
    controller.abort();
    expect(await waiting).toBeNull();
    const before = checks();
    commit();
    expect(checks()).toBe(before);
  });

  test("ends with null when the session is deleted", async () => {
    const { log, check } = started();
    const waiting = untilFound(log, 1, check);
    const origin = { id: "s", spec: { agent: "mock" }, state: initialState, firstSequence: 1, createdAt: 0 };
    log.feed.end(1, sessionInfo(origin));
    expect(await waiting).toBeNull();
  });

  test("removes its listener from the signal", async () => {
    const { log, check, commit, find } = started();
    const { signal } = new AbortController();
    const listening = new Set<unknown>();
    signal.addEventListener = (_: string, listener: unknown) => void listening.add(listener);
    signal.removeEventListener = (_: string, listener: unknown) => void listening.delete(listener);
    const waiting = untilFound(log, 1, check, signal);
    expect(listening.size).toBe(1);
    find("x");
    commit();
    await waiting;
    expect(listening.size).toBe(0);
  });
});
