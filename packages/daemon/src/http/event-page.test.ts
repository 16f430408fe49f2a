import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../store/database.ts";
import { EventLog } from "../store/event-log.ts";
import { History } from "../store/history.ts";
import { eventPage } from "./event-page.ts";

const stored = 20_000;

let history: History;

beforeEach(() => {
  const database = openDatabase(":memory:");
  const log = new EventLog(database);
  onTestFinished(() => log.close());
  history = new History(database, log.recent);
  const records = Array.from({ length: stored }, (_, index) => ({
    sequence: index + 1,
    text: `{"sequence":${index + 1}}`,
    raw: null,
  }));
  log.commit({ number: 1, snapshot: () => null, snapshotStored: () => {}, hasNewState: false }, records);
});

/** Reads a page, calling back before each piece of it that is read from the log. */
function read(after: number, last: number, onPiece: () => void = () => {}, signal = new AbortController().signal) {
  const watched: Pick<History, "page"> = {
    page(...args) {
      onPiece();
      return history.page(...args);
    },
  };
  const span = { sessionNumber: 1, after, last, hasMore: last < stored };
  return new Response(eventPage(watched, span, false, signal));
}

describe("a page of events", () => {
  test.each([
    [0, stored],
    [0, 1],
    [stored - 1, stored],
    [700, 1900],
  ])("has everything after %i up to %i", async (after, last) => {
    const events = Array.from({ length: last - after }, (_, index) => ({ sequence: after + index + 1 }));
    expect(await read(after, last).json()).toEqual({ events, hasMore: last < stored });
  });

  test.each([
    [0, 0, true],
    [stored, stored, false],
  ])("is empty after %i up to %i", async (after, last, hasMore) => {
    expect(await read(after, last).json()).toEqual({ events: [], hasMore });
  });

  test("does not block other requests while it is read", async () => {
    const happened: string[] = [];
    const response = read(0, stored, () => {
      if (happened.length === 0) setImmediate(() => happened.push("another"));
      happened.push("piece");
    });
    await response.text();
    expect(happened.slice(0, 2)).toEqual(["piece", "another"]);
    expect(happened.at(-1)).toBe("piece");
  });

  test("stops reading when the client disconnects", async () => {
    const client = new AbortController();
    let pieces = 0;
    const response = read(0, stored, () => ++pieces === 2 && client.abort(), client.signal);
    await response.text();
    expect(pieces).toBe(2);
  });
});
