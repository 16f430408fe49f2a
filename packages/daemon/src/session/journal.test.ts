import { onTaskFailure, type TaskFailure } from "@sandbox-agent/agents";
import { initialState, ProblemError, textOf, type UniversalEvent, type UniversalItem } from "@sandbox-agent/schema";
import { describe, expect, onTestFinished, test } from "vitest";
import { KnownSecrets } from "../secrets/known-secrets.ts";
import { openDatabase } from "../store/database.ts";
import { EventLog } from "../store/event-log.ts";
import { History } from "../store/history.ts";
import { SessionTable } from "../store/session-table.ts";
import { Journal } from "./journal.ts";
import type { EventBody } from "./normalize.ts";

function openJournal(observe: (body: EventBody) => void = () => {}) {
  const database = openDatabase(":memory:");
  const log = new EventLog(database);
  onTestFinished(() => log.close());
  const history = new History(database, log.recent);
  const table = new SessionTable(database);
  table.insert({ number: 1, id: "s", spec: { agent: "mock" }, createdAt: 1 });
  const secrets = new KnownSecrets();
  const context = { log, history, secrets };
  const journal = new Journal({ id: "s", number: 1, state: initialState, storedOpen: false, context, observe });
  const events = () => [...history.records(1, 0)].map(({ text }): UniversalEvent => JSON.parse(text));
  const types = () => events().map(({ type }) => type);
  const revive = () =>
    new Journal({ id: "s", number: 1, state: journal.state, storedOpen: true, context, observe: () => {} });
  return { database, log, table, secrets, journal, events, types, revive };
}

const started: EventBody = { type: "session.started", data: { metadata: { agent: "mock" } }, synthetic: true };
const note: EventBody = { type: "error", data: { message: "a note", code: "note" }, synthetic: true };

test.each([true, false])(
  "an error thrown by an observer reaches neither the log nor the caller (durable: %s)",
  (durable) => {
    const failures: TaskFailure[] = [];
    onTestFinished(onTaskFailure((failure) => failures.push(failure)));
    const error = new Error("ENOSPC: no space left on device");
    const { journal, log, types } = openJournal(() => {
      throw error;
    });
    journal.record([started, note], { durable });
    log.flush();
    expect(types()).toEqual(["session.started", "error"]);
    expect(failures).toEqual([
      { task: "react to session.started", sessionId: "s", error },
      { task: "react to error", sessionId: "s", error },
    ]);
  },
);

test("observers get events of clients and of agents after they are folded", () => {
  const seen: string[] = [];
  const { journal } = openJournal(({ type }) => seen.push(`${type} ${journal.state.sequence}`));
  journal.record([started], { durable: true });
  journal.record([note, note]);
  expect(seen).toEqual(["session.started 1", "error 3", "error 3"]);
});

test("a durable event that cannot be stored changes nothing and is not observed", () => {
  const restore = onTaskFailure(() => {});
  onTestFinished(restore);
  const seen: string[] = [];
  const { journal, types } = openJournal(({ type }) => seen.push(type));
  const refuse = () => {
    throw new ProblemError("storage_unavailable", "no");
  };
  expect(() => journal.record([started], { durable: true, inSameTransaction: refuse })).toThrow("no");
  expect([journal.state.sequence, types(), seen]).toEqual([0, [], []]);
});

test("nothing is recorded for a session that was deleted", () => {
  const { journal, log, types } = openJournal();
  journal.erase();
  journal.record([started]);
  log.flush();
  expect(types()).toEqual([]);
  expect(() => journal.record([started], { durable: true })).toThrow("deleted");
});

const turnStarted: EventBody = { type: "turn.started", data: { phase: "started", turn_id: "turn_1" }, synthetic: true };
const turnEnded: EventBody = { type: "turn.ended", data: { phase: "ended", turn_id: "turn_1" }, synthetic: false };

function item(id: string, text: string): { item: UniversalItem } {
  const content = [{ type: "text" as const, text }];
  return {
    item: {
      item_id: id,
      native_item_id: null,
      parent_id: null,
      kind: "message",
      role: "assistant",
      content,
      status: "completed",
    },
  };
}
const itemStarted = (id: string): EventBody => ({ type: "item.started", data: item(id, ""), synthetic: false });
const itemCompleted = (id: string, text: string): EventBody => ({
  type: "item.completed",
  data: item(id, text),
  synthetic: false,
});
const delta = (id: string, text: string): EventBody => ({
  type: "item.delta",
  data: { item_id: id, delta: text },
  synthetic: false,
});

test("events have a sequence, their session id, the native session id and their source", () => {
  const { journal, events } = openJournal();
  journal.record([started], { durable: true });
  journal.nativeSessionId = "native";
  journal.record([turnEnded], { durable: true });
  expect(events()).toMatchObject([
    { event_id: "evt_1_1", sequence: 1, session_id: "s", native_session_id: null, source: "daemon", synthetic: true },
    {
      event_id: "evt_1_2",
      sequence: 2,
      session_id: "s",
      native_session_id: "native",
      source: "agent",
      synthetic: false,
    },
  ]);
});

test("the state is stored with commands, and with the next compaction after events of the agent", () => {
  const { journal, log, table } = openJournal();
  journal.record([started], { durable: true });
  expect([table.find("s")?.state.sequence, journal.hasNewState]).toEqual([1, false]);
  journal.record([note]);
  expect(journal.hasNewState).toBe(true);
  log.tryFlushAll();
  expect([table.find("s")?.state.sequence, journal.hasNewState]).toEqual([2, false]);
});

test("items inside a turn need no new state, the turn itself does", () => {
  const { journal, log, table } = openJournal();
  journal.record([started, turnStarted], { durable: true });
  expect(table.find("s")).toMatchObject({ open: true, state: { sequence: 2 } });
  journal.record([itemStarted("itm_1"), delta("itm_1", "x"), itemCompleted("itm_1", "x")]);
  expect(journal.hasNewState).toBe(false);
  journal.record([turnEnded]);
  expect(journal.hasNewState).toBe(true);
  log.tryFlushAll();
  expect(table.find("s")).toMatchObject({ open: false, state: { sequence: 6 } });
});

test("a state that is stored as open is stored again only with a compaction", () => {
  const { journal, log, table } = openJournal();
  journal.record([started, turnStarted], { durable: true });
  journal.record([note], { durable: true });
  expect(table.find("s")?.state.sequence).toBe(2);
  log.tryFlushAll();
  expect(table.find("s")?.state.sequence).toBe(3);
});

test("a turn that a crash interrupted is ended as interrupted, its items keep their text, and the state is stored", () => {
  const { journal, log, table, events, revive } = openJournal();
  journal.record([started, turnStarted], { durable: true });
  journal.record([itemStarted("itm_1"), itemStarted("itm_2"), delta("itm_1", "he"), delta("itm_2", "no")]);
  log.flush();
  const revived = revive();
  // Part of the text is not stored yet.
  revived.record([delta("itm_1", "llo")]);
  revived.recover();
  log.tryFlushAll();
  const completed = events().flatMap(({ type, data }) => (type === "item.completed" ? [data.item] : []));
  expect(completed.map(({ item_id, content }) => [item_id, content])).toEqual([
    ["itm_1", [{ type: "text", text: "hello" }]],
    ["itm_2", [{ type: "text", text: "no" }]],
  ]);
  expect(events().at(-1)).toMatchObject({ type: "turn.ended", data: { metadata: { reason: "interrupted" } } });
  expect(table.find("s")).toMatchObject({ open: false, state: { sequence: revived.state.sequence } });
});

test("errors have the kind of their problem, the given code, or internal_error", () => {
  const { journal, log, events } = openJournal();
  journal.record([started], { durable: true });
  journal.recordError(new ProblemError("conflict", "no"));
  journal.recordError(new Error("a bug"));
  journal.recordError("a text", "reply_failed");
  journal.record([{ type: "session.ended", data: { reason: "terminated", terminated_by: "daemon" }, synthetic: true }]);
  journal.recordError(new Error("too late"));
  log.flush();
  expect(events().flatMap(({ type, data }) => (type === "error" ? [data] : []))).toEqual([
    { message: "no", code: "conflict" },
    { message: "a bug", code: "internal_error" },
    { message: "a text", code: "reply_failed" },
  ]);
});

test("earlier items are those before the running turn, or all of them", async () => {
  const { journal } = openJournal();
  const ids = async () => (await journal.earlierItems()).map(({ item_id }) => item_id);
  journal.record([started, turnStarted, itemStarted("itm_1"), itemCompleted("itm_1", "x"), turnEnded]);
  expect(await ids()).toEqual(["itm_1"]);
  journal.record([turnStarted, itemStarted("itm_2"), itemCompleted("itm_2", "y")]);
  expect(await ids()).toEqual(["itm_1"]);
  journal.record([turnEnded]);
  expect(await ids()).toEqual(["itm_1", "itm_2"]);
});

test("a failed commit leaves the state and its snapshot flag unchanged", () => {
  onTestFinished(onTaskFailure(() => {}));
  const { journal, table } = openJournal();
  journal.record([started], { durable: true });
  const refuse = () => {
    throw new ProblemError("storage_unavailable", "no");
  };
  expect(() => journal.record([turnStarted], { durable: true, inSameTransaction: refuse })).toThrow("no");
  expect([journal.state.sequence, journal.state.turn, journal.hasNewState]).toEqual([1, null, false]);
  journal.record([turnStarted], { durable: true });
  expect(table.find("s")?.state.sequence).toBe(2);
});

describe("a secret that is split over deltas", () => {
  const secret = "sk-ant-0123456789abcdef";
  const item: UniversalItem = {
    item_id: "itm_1",
    native_item_id: "n",
    parent_id: null,
    kind: "message",
    role: "assistant",
    status: "in_progress",
    content: [],
  };
  const turn: EventBody = { type: "turn.started", data: { phase: "started", turn_id: "turn_1" }, synthetic: false };
  const delta = (text: string): EventBody => ({
    type: "item.delta",
    data: { item_id: "itm_1", native_item_id: "n", delta: text },
    synthetic: false,
    raw: { text },
  });

  function openTurn() {
    const opened = openJournal();
    opened.secrets.add([secret]);
    opened.journal.record([started, turn, { type: "item.started", data: { item }, synthetic: false }]);
    /** The deltas, and the text of the item that was completed. */
    const texts = () => {
      opened.log.flush();
      return opened.events().flatMap(({ type, data }) => {
        if (type === "item.delta") return [data.delta];
        return type === "item.completed" ? [textOf(data.item.content)] : [];
      });
    };
    return { ...opened, texts };
  }

  test("is neither in the log nor in the raw agent output", () => {
    const { journal, log, database, texts } = openTurn();
    for (const piece of ["key sk-ant-01", "2345", "6789abcdef."]) journal.record([delta(piece)]);
    journal.recordEnd("completed");
    expect(texts()).toEqual(["key ", "", "[redacted].", "key [redacted]."]);
    log.flush();
    const stored = JSON.stringify(database.query("SELECT * FROM events").all());
    expect(stored).not.toMatch(/sk-ant|2345/);
  });

  test("that turns out to be ordinary text is in the log at the end of its item", () => {
    const { journal, texts } = openTurn();
    journal.record([delta("it begins with sk-ant-")]);
    journal.recordEnd("aborted");
    expect(texts()).toEqual(["it begins with ", "sk-ant-", "it begins with sk-ant-"]);
  });

  test("is still held back after a failed commit", () => {
    const { journal, texts } = openTurn();
    journal.record([delta("key sk-ant-01")]);
    const refuse = () => {
      throw new ProblemError("storage_unavailable", "no");
    };
    const end: EventBody = { type: "item.completed", data: { item: { ...item, status: "failed" } }, synthetic: true };
    expect(() => journal.record([end], { durable: true, inSameTransaction: refuse })).toThrow("no");
    journal.record([delta("23456789abcdef.")]);
    journal.recordEnd("completed");
    expect(texts()).toEqual(["key ", "[redacted].", "key [redacted]."]);
  });
});
