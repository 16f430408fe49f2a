/** Behaviour of sessions that clients see only indirectly: reading events that are not stored yet, and retention. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Agent,
  type Draft,
  type LiveAgentRegistry,
  mockAgent,
  onTaskFailure,
  type Sink,
} from "@sandbox-agent/agents";
import { ProblemError, textOf } from "@sandbox-agent/schema";
import { expect, onTestFinished, test, vi } from "vitest";
import { CheckpointTable } from "../changes/checkpoint-table.ts";
import { Workspaces } from "../changes/workspaces.ts";
import { DirectoryConfig } from "../config/directory-config.ts";
import { KnownSecrets } from "../secrets/known-secrets.ts";
import { openDatabase } from "../store/database.ts";
import { EventLog } from "../store/event-log.ts";
import { History } from "../store/history.ts";
import { SessionTable } from "../store/session-table.ts";
import type { SessionContext } from "./context.ts";
import { readTranscript } from "./read-transcript.ts";
import { sweep } from "./retention.ts";
import { Sessions } from "./sessions.ts";

const dayMs = 86_400_000;

/** Sessions of an agent whose drafts the test emits, with a database in memory. */
function openSessions() {
  const sinks = new Map<string, Sink>();
  const agent: Agent = {
    ...mockAgent,
    open(spec, sink) {
      sinks.set(spec.sessionId, sink);
      return mockAgent.open(spec, sink);
    },
  };
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const database = openDatabase(":memory:");
  const log = new EventLog(database);
  onTestFinished(() => log.close());
  const history = new History(database, log.recent);
  const table = new SessionTable(database);
  const context: SessionContext = {
    log,
    history,
    table,
    turnStallMs: 0,
    skillStore: { directory: join(directory, "skills"), allowPlain: false },
    workspaces: new Workspaces(new CheckpointTable(database), { shadows: join(directory, "checkpoints"), idleMs: 0 }),
    config: new DirectoryConfig(database),
    attachmentsDir: join(directory, "attachments"),
    secrets: new KnownSecrets(),
  };
  const agents: LiveAgentRegistry = {
    get: () => agent,
    ids: () => [agent.id],
    origin: () => ({ source: "builtin" }),
    define() {},
    remove() {},
    async close() {},
  };
  const sessions = new Sessions(agents, context);
  const emit = (id: string, ...drafts: Draft[]) => void sinks.get(id)?.emit(drafts);
  const count = (what: string) => database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${what}`).get()?.n;
  const sequencesOf = (number: number) => [...history.records(number, 0)].map(({ sequence }) => sequence);
  return { database, log, table, context, sessions, emit, count, sequencesOf };
}

const note: Draft = { type: "error", error: { message: "a note" } };

test("getting a session flushes its pending events, and so does reading its transcript", async () => {
  const { sessions, context, emit, sequencesOf } = openSessions();
  const { number } = await sessions.create("a", { agent: "mock" });
  emit("a", note);
  const session = sessions.get("a");
  expect(sequencesOf(number)).toEqual([1, 2]);
  // Between reading the first page and the next one.
  setImmediate(() => emit("a", { type: "item.delta", native_item_id: "w", delta: "word" }));
  const texts = await readTranscript(context, session, ({ items }) => items.map(({ content }) => textOf(content)));
  expect(texts).toEqual(["word"]);
});

test("a sweep keeps the newest events of a session and updates its event count", async () => {
  const { sessions, context, emit, count, sequencesOf } = openSessions();
  const session = await sessions.create("a", { agent: "mock" });
  for (let index = 0; index < 10; index++) {
    emit("a", note);
    sessions.get("a");
  }
  await sweep(sessions, context, { days: null, events: 3 });
  expect(sequencesOf(session.number)).toEqual([9, 10, 11]);
  expect(session.info()).toMatchObject({ eventCount: 3, lastSequence: 11 });
  expect(count("commits WHERE last < 9")).toBe(0);
});

test("a sweep deletes old sessions, but none with a recent event", async () => {
  const { sessions, context, database, emit } = openSessions();
  for (const id of ["resting", "awake"]) await sessions.create(id, { agent: "mock" });
  database.run("UPDATE sessions SET updated_at = ?", [Date.now() - 2 * dayMs]);
  emit("awake", note);
  await sweep(sessions, context, { days: 1, events: null });
  expect([sessions.peek("resting"), sessions.peek("awake")?.sessionId]).toEqual([null, "awake"]);
});

test("a sweep deletes idempotency keys after a day", async () => {
  const { sessions, context, database, table } = openSessions();
  const { number } = await sessions.create("a", { agent: "mock" });
  const message = { fingerprint: "f", messageId: "m", afterSequence: 1, steered: false };
  table.insertMessage(number, { ...message, key: "old" });
  database.run("UPDATE messages SET created_at = ?", [Date.now() - dayMs - 1]);
  table.insertMessage(number, { ...message, key: "new" });
  await sweep(sessions, context, { days: null, events: null });
  expect([table.findMessage(number, "old"), table.findMessage(number, "new")?.key]).toEqual([null, "new"]);
});

test("a sweep erases the events of deleted sessions that could not be erased at once", async () => {
  const failures: unknown[] = [];
  onTestFinished(onTaskFailure(({ error }) => failures.push(error)));
  const { sessions, context, table, emit, count } = openSessions();
  const refusal = new ProblemError("storage_unavailable", "the disk is full");
  const erase = vi.spyOn(table, "deleteEventsBefore").mockImplementation(() => {
    throw refusal;
  });
  for (const id of ["a", "b"]) {
    await sessions.create(id, { agent: "mock" });
    emit(id, note);
    await sessions.delete(id);
  }
  expect([failures, count("events")]).toEqual([[refusal, refusal], 4]);
  erase.mockRestore();
  await sweep(sessions, context, { days: null, events: null });
  expect(count("events")).toBe(0);
  expect(count("commits")).toBe(1);
});

test("an error that is no storage problem is thrown", async () => {
  const { sessions, table } = openSessions();
  await sessions.create("a", { agent: "mock" });
  vi.spyOn(table, "deleteEventsBefore").mockImplementation(() => {
    throw new Error("a mistake");
  });
  await expect(sessions.delete("a")).rejects.toThrow("a mistake");
});
