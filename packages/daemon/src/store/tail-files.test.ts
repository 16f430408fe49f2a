import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "./database.ts";
import { EventLog } from "./event-log.ts";
import { History } from "./history.ts";
import { SessionTable } from "./session-table.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "sandbox-agent-tail-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
});

function open() {
  const database = openDatabase(join(directory, "events.db"));
  const log = new EventLog(database);
  onTestFinished(() => log.close());
  return { database, log, history: new History(database, log.recent) };
}

function textsOf(history: History, session: number): string {
  return [...history.records(session, 0)].map(({ text, raw }) => text + (raw ?? "")).join("\n");
}

function idsOf(history: History): string[] {
  const ids: string[] = [];
  for (let cursor = { position: 0, sequence: 0 }; ; ) {
    const { records, next } = history.globalPage(cursor);
    if (records.length === 0) return ids;
    ids.push(...records.map(({ position, sequence }) => `${position}.${sequence}`));
    cursor = next;
  }
}

describe("a data directory of version 0.1.0 whose daemon was killed with SIGKILL", () => {
  beforeEach(() => {
    const archive = new URL("../../../../test/fixtures/store/tail-files-after-kill.tar.gz", import.meta.url).pathname;
    expect(Bun.spawnSync(["tar", "xzf", archive, "-C", directory]).exitCode).toBe(0);
  });

  // The events that 0.1.0 itself read from a copy of this directory.
  test("keeps every event, in the same order across sessions", () => {
    const { log, history } = open();
    const sessions = [1, 2, 3].map((session) => Bun.hash.crc32(textsOf(history, session)));
    expect(sessions).toEqual([3930918069, 779160034, 3638169873]);
    expect([log.position, Bun.hash.crc32(idsOf(history).join())]).toEqual([716, 2851674867]);
    expect(log.recent.sessionNumbers).toEqual([2, 3]);
    expect([2, 3].map((session) => [...history.records(session, 0)].at(-1)?.sequence)).toEqual([358, 357]);
  });

  test("has its files removed, and can be opened again", () => {
    open().log.close();
    expect(["events.tail-a", "events.tail-b"].filter((name) => existsSync(join(directory, name)))).toEqual([]);
    const { history } = open();
    expect(Bun.hash.crc32(textsOf(history, 2))).toBe(779160034);
  });
});

describe("tail files", () => {
  function frame(position: number, session: number, first: number, text = "x"): string {
    const lines = `{"sequence":${first},"text":"${text}"}\n\n`;
    return `${position} ${session} ${first} 1 ${Bun.hash.crc32(lines)}\n${lines}`;
  }

  function openWith(files: { a?: string; b?: string }, stored: Record<number, number> = { 1: 0, 2: 0 }) {
    const database = openDatabase(join(directory, "events.db"));
    const table = new SessionTable(database);
    for (const [number, sequence] of Object.entries(stored)) {
      table.insert({ number: Number(number), id: `s${number}`, spec: { agent: "mock" }, createdAt: 1 });
      database.run("UPDATE sessions SET state = ? WHERE number = ?", [`{"sequence":${sequence}}`, Number(number)]);
    }
    database.close();
    for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, `events.tail-${name}`), content);
    return open();
  }

  const sequences = (history: History, session: number) =>
    [...history.records(session, 0)].map(({ sequence }) => sequence);

  test("are read in the order of positions, whichever file has the earlier ones", () => {
    const { history } = openWith({ a: frame(3, 1, 3) + frame(4, 1, 4), b: frame(1, 1, 1) + frame(2, 1, 2) });
    expect([sequences(history, 1), idsOf(history)]).toEqual([
      [1, 2, 3, 4],
      ["1.1", "2.2", "3.3", "4.4"],
    ]);
  });

  test("contain native messages", () => {
    const content = '{"n":1}\n{"raw":1}\n{"n":2}\n\n{"n":3}\n{"raw":3}\n';
    const { history } = openWith({ a: `1 1 1 3 ${Bun.hash.crc32(content)}\n${content}${frame(2, 1, 4)}` });
    expect(history.page(1, 0)).toMatchObject([
      { sequence: 1, text: '{"n":1}', raw: '{"raw":1}' },
      { sequence: 2, text: '{"n":2}', raw: null },
      { sequence: 3, text: '{"n":3}', raw: '{"raw":3}' },
      { sequence: 4 },
    ]);
  });

  test("add nothing that the database already has", () => {
    const { history } = openWith({ a: frame(1, 1, 1) + frame(2, 1, 2) }, { 1: 1 });
    expect(sequences(history, 1)).toEqual([2]);
  });

  test("add nothing to sessions that are deleted, or whose earlier events are lost", () => {
    const { history } = openWith({ a: frame(1, 3, 1) + frame(2, 2, 5) + frame(3, 1, 1) });
    expect(idsOf(history)).toEqual(["3.1"]);
  });

  test("end where a frame is incomplete, corrupt, or not newer than the one before", () => {
    expect(sequences(openWith({ a: frame(1, 1, 1) + frame(2, 1, 2).slice(0, -3) }).history, 1)).toEqual([1]);
    rmSync(join(directory, "events.db"));
    const changed = frame(2, 1, 2).replace('"x"', '"y"');
    expect(sequences(openWith({ a: frame(1, 1, 1) + changed + frame(3, 1, 3) }).history, 1)).toEqual([1]);
    rmSync(join(directory, "events.db"));
    expect(sequences(openWith({ a: frame(5, 1, 1) + frame(4, 1, 2) }).history, 1)).toEqual([1]);
    rmSync(join(directory, "events.db"));
    const repeated = frame(5, 1, 1) + frame(5, 1, 2) + frame(6, 1, 2);
    expect(sequences(openWith({ a: repeated }).history, 1)).toEqual([1]);
  });

  test("with other content are ignored", () => {
    expect(idsOf(openWith({ a: "1 2 3\nnonsense\n" }).history)).toEqual([]);
  });
});
