import { onTaskFailure, type TaskFailure } from "@sandbox-agent/agents";
import { initialState, ProblemError } from "@sandbox-agent/schema";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../store/database.ts";
import { EventLog } from "../store/event-log.ts";
import { History } from "../store/history.ts";
import { SessionTable } from "../store/session-table.ts";
import { Journal, type JournalOptions } from "./journal.ts";
import type { EventBody } from "./normalize.ts";

function openJournal(observe: (body: EventBody) => void = () => {}) {
  const database = openDatabase(":memory:");
  const log = new EventLog(database);
  onTestFinished(() => log.close());
  const history = new History(database, log.recent);
  new SessionTable(database).insert({ number: 1, id: "s", spec: { agent: "mock" }, createdAt: 1 });
  // A journal uses no more of its context than these two.
  const context = { log, history } as JournalOptions["context"];
  const journal = new Journal({ id: "s", number: 1, state: initialState, storedOpen: false, context, observe });
  const types = () => [...history.records(1, 0)].map(({ text }) => JSON.parse(text).type);
  return { database, log, journal, types };
}

const started: EventBody = { type: "session.started", data: { metadata: { agent: "mock" } }, synthetic: true };
const note: EventBody = { type: "error", data: { message: "a note", code: "note" }, synthetic: true };

test.each([true, false])("what an observer throws reaches neither the log nor the caller (durable: %s)", (durable) => {
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
});

test("observers get commands of clients as well as events of agents, once they are folded", () => {
  const seen: string[] = [];
  const { journal } = openJournal(({ type }) => seen.push(`${type} ${journal.state.sequence}`));
  journal.record([started], { durable: true });
  journal.record([note, note]);
  expect(seen).toEqual(["session.started 1", "error 3", "error 3"]);
});

test("a durable event that cannot be stored changes nothing, and nobody observes it", () => {
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
