import type { Database } from "bun:sqlite";
import { ProblemError, type SessionState } from "@sandbox-agent/schema";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "./database.ts";
import { EventLog } from "./event-log.ts";
import { eventId, maxSessionNumber } from "./event-rows.ts";
import { History } from "./history.ts";
import { hasUnfinished, SessionTable } from "./session-table.ts";

let database: Database;
let log: EventLog;
let table: SessionTable;
let history: History;

beforeEach(() => {
  database = openDatabase(":memory:");
  log = new EventLog(database);
  table = new SessionTable(database);
  history = new History(database, log.recent);
  onTestFinished(() => log.close());
});

interface Stored {
  events?: number;
  open?: boolean;
  updatedAt?: number;
}

/** A session as the daemon stores it: its row, events and state in one commit. Returns its number. */
function store(id: string, { events = 1, open = false, updatedAt = 1000 }: Stored = {}): number {
  const number = table.nextNumber();
  const state: Pick<SessionState, "sequence"> = { sequence: events };
  const writer = {
    number,
    snapshot: () => ({ state: JSON.stringify(state), updatedAt, open }),
    snapshotStored: () => {},
    hasNewState: false,
  };
  const records = Array.from({ length: events }, (_, index) => ({ sequence: index + 1, text: "{}", raw: null }));
  log.commit(writer, records, () => table.insert({ number, id, spec: { agent: "mock", title: id }, createdAt: 500 }));
  return number;
}

function remaining(number: number): number {
  return [...history.records(number, 0)].length;
}

describe("a session", () => {
  test("has its id under its number", () => {
    const number = store("s");
    store("other");
    expect([table.idOf(number), table.idOf(99)]).toEqual(["s", null]);
  });

  test("is found by its id, as it was stored", () => {
    const number = store("s", { events: 3, updatedAt: 2000 });
    expect(table.find("s")).toEqual({
      number,
      id: "s",
      open: false,
      spec: { agent: "mock", title: "s" },
      state: { sequence: 3 },
      firstSequence: 1,
      createdAt: 500,
      updatedAt: 2000,
    });
  });

  test("that does not exist is not found", () => {
    expect(table.find("s")).toBeNull();
  });

  test("is listed, newest first", () => {
    for (const id of ["a", "b", "c"]) store(id);
    const { ids, next } = table.listBefore(Number.MAX_SAFE_INTEGER, {});
    expect([ids.map(({ id }) => id), next]).toEqual([["c", "b", "a"], null]);
  });

  test("is listed in parts, whatever was deleted between them", () => {
    for (let index = 1; index <= 520; index++) store(`s${index}`);
    for (const number of [1, 270, 271, 272, 520]) table.delete(number);
    const sizes: number[] = [];
    const seen: number[] = [];
    for (let next: number | null = Number.MAX_SAFE_INTEGER; next !== null; ) {
      const part = table.listBefore(next, {});
      sizes.push(part.ids.length);
      seen.push(...part.ids.map(({ number }) => number));
      next = part.next;
    }
    expect(sizes).toEqual([250, 250, 15]);
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    expect(new Set(seen).size).toBe(515);
  });

  test("is skipped if the filter does not match, and the next part begins after it", () => {
    for (let index = 1; index <= 300; index++) store(`s${index}`);
    expect(table.listBefore(1000, { agent: "other" })).toEqual({ ids: [], next: 51 });
    expect(table.listBefore(51, { agent: "other" })).toEqual({ ids: [], next: null });
    expect(table.listBefore(51, { agent: "mock" }).ids).toHaveLength(50);
  });

  test("is listed by its directory", () => {
    for (const [number, directory] of [undefined, "/a", "/b"].entries())
      table.insert({ number: number + 1, id: `in ${directory}`, spec: { agent: "mock", directory }, createdAt: 1 });
    expect(table.listBefore(9, { directory: "/a" }).ids).toEqual([{ number: 2, id: "in /a" }]);
  });

  test("has a unique id", () => {
    store("s");
    expect(() => store("s")).toThrow(ProblemError);
  });

  test("has a number that is never reused", () => {
    const number = store("s");
    table.delete(number);
    expect(new SessionTable(database).nextNumber()).toBeGreaterThan(number);
  });

  test("cannot get a number beyond the range of event ids", () => {
    const insert = database.query("INSERT INTO sessions VALUES (?, ?, '{}', '{}', 1, 0, 0, 0)");
    insert.run(maxSessionNumber - 1, "last but one");
    const full = new SessionTable(database);
    expect(full.nextNumber()).toBe(maxSessionNumber);
    expect(() => full.nextNumber()).toThrow(`limit of ${maxSessionNumber} sessions`);
    expect(Number.isSafeInteger(eventId(maxSessionNumber + 1, 0) - 1)).toBe(true);
  });

  test("stores where its history begins", () => {
    const number = store("s", { events: 5 });
    table.setFirstSequence(number, 4);
    expect(table.find("s")?.firstSequence).toBe(4);
  });

  test("is unfinished while something is open in it", () => {
    store("rests");
    expect(hasUnfinished(database)).toBe(false);
    store("runs", { open: true });
    expect(hasUnfinished(database)).toBe(true);
    expect(table.unfinished([]).map(({ id, open }) => [id, open])).toEqual([["runs", true]]);
  });

  test("is unfinished if its number is given", () => {
    const numbers = ["rests", "runs", "other"].map((id) => store(id, { open: id === "runs" }));
    expect(table.unfinished(numbers.slice(0, 2)).map(({ id }) => id)).toEqual(["rests", "runs"]);
  });
});

describe("sessions idle since a time", () => {
  test("are those not changed since then", () => {
    const old = store("old", { updatedAt: 999 });
    store("new", { updatedAt: 1000 });
    expect(table.idleSince(1000)).toEqual([{ number: old, id: "old" }]);
  });

  test("are not those with something open", () => {
    store("runs", { updatedAt: 1, open: true });
    expect(table.idleSince(1000)).toEqual([]);
  });
});

describe("sessions longer than a number of events", () => {
  test("are those with more, with the first event they keep", () => {
    const number = store("long", { events: 10 });
    store("short", { events: 3 });
    expect(table.longerThan(3)).toEqual([{ number, id: "long", firstKept: 8 }]);
  });

  test("are not those that are already shortened", () => {
    const number = store("long", { events: 10 });
    table.setFirstSequence(number, 8);
    expect(table.longerThan(3)).toEqual([]);
  });

  test("are not those with something open", () => {
    store("runs", { events: 10, open: true });
    expect(table.longerThan(3)).toEqual([]);
  });
});

describe("deleting a session", () => {
  test("removes it and its keys at once", () => {
    const number = store("s");
    table.insertMessage(number, { key: "k", fingerprint: "f", messageId: "m", afterSequence: 1, steered: false });
    table.delete(number);
    expect([table.find("s"), table.findMessage(number, "k")]).toEqual([null, null]);
  });

  test("removes its events in steps", () => {
    const events = 100_000;
    const number = store("s", { events });
    expect(table.deleteEventsBefore(number, 2 ** 32)).toBe(true);
    expect(remaining(number)).toBe(events - 250 * 250);
    expect(table.deleteEventsBefore(number, 2 ** 32)).toBe(false);
    expect(remaining(number)).toBe(0);
  });

  test("keeps the events of other sessions", () => {
    const [before, number, after] = [store("a"), store("b"), store("c")];
    table.deleteEventsBefore(number, 2 ** 32);
    expect([before, number, after].map(remaining)).toEqual([1, 0, 1]);
  });

  test("keeps the events from a given sequence on", () => {
    const number = store("s", { events: 10 });
    const more = table.deleteEventsBefore(number, 8);
    expect([more, [...history.records(number, 0)].map(({ sequence }) => sequence)]).toEqual([false, [8, 9, 10]]);
  });

  test("removes its checkpoints and keys, and keeps those of others", () => {
    const [gone, kept] = [store("s"), store("other")];
    for (const number of [gone, kept]) {
      table.insertMessage(number, { key: "k", fingerprint: "f", messageId: "m", afterSequence: 0, steered: false });
      database
        .query(
          "INSERT INTO checkpoints (session, directory, reason, tree, created_at) VALUES (?, '/', 'turn_started', 't', 0)",
        )
        .run(number);
    }
    table.delete(gone);
    expect(database.query("SELECT session FROM checkpoints").values()).toEqual([[kept]]);
    expect(database.query("SELECT session FROM messages").values()).toEqual([[kept]]);
  });

  test("that was interrupted is found again", () => {
    const number = store("s");
    store("other");
    table.delete(number);
    expect(table.orphanedEvents()).toEqual([number]);
  });

  test("is not found any more when it is complete", () => {
    const number = store("s");
    store("other");
    table.delete(number);
    table.deleteEventsBefore(number, 2 ** 32);
    table.deleteCommitsBefore(number, 2 ** 32);
    expect(table.orphanedEvents()).toEqual([]);
  });

  test("does not reset the positions of commits", () => {
    const number = store("s");
    table.delete(number);
    table.deleteCommitsBefore(number, 2 ** 32);
    expect(new EventLog(database).position).toBe(log.position);
  });
});

describe("the key of a message", () => {
  const message = { key: "k", fingerprint: "f", messageId: "msg_1", afterSequence: 7, steered: false };

  test("finds the message", () => {
    table.insertMessage(1, message);
    expect(table.findMessage(1, "k")).toEqual(message);
  });

  test("has whether the message was sent to a running turn", () => {
    table.insertMessage(1, { ...message, steered: true });
    expect(table.findMessage(1, "k")?.steered).toBe(true);
  });

  test("that is new finds nothing", () => {
    expect(table.findMessage(1, "k")).toBeNull();
  });

  test("belongs to its session", () => {
    table.insertMessage(1, message);
    expect(table.findMessage(2, "k")).toBeNull();
  });

  test("can be inserted once", () => {
    table.insertMessage(1, message);
    expect(() => table.insertMessage(1, { ...message, messageId: "msg_2" })).toThrow();
  });

  test("is deleted after its lifetime", () => {
    table.insertMessage(1, message);
    table.deleteMessagesBefore(Date.now() + 1);
    expect(table.findMessage(1, "k")).toBeNull();
  });

  test("is kept until then", () => {
    table.insertMessage(1, message);
    table.deleteMessagesBefore(Date.now() - 60_000);
    expect(table.findMessage(1, "k")).toEqual(message);
  });
});
