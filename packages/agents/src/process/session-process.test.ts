/** The driver with real processes: a shell that answers each line, and exits on demand. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Turn } from "../agent.ts";
import type { AgentExit, Draft } from "../draft.ts";
import { onTaskFailure, type TaskFailure } from "../tasks/background.ts";
import { type AgentProcess, startAgentProcess } from "./agent-process.ts";
import { createSessionProcess, type LiveProcess, MessageRejected } from "./session-process.ts";

/** Each start and each message is a line of the journal. `die` kills it before it has reacted, `work` makes it react only. */
const script = `
echo start >> journal
while read -r line; do
  echo "$line" >> journal
  case "$line" in
    die) exit 7;;
    once) if [ ! -e died ]; then touch died; exit 7; fi; echo begun; echo over;;
    work) echo begun;;
    crash) echo begun; echo last words >&2; exit 9;;
    *) echo begun; echo over;;
  esac
done`;

interface Live extends LiveProcess {
  process: AgentProcess;
}

let directory: string;
let failures: TaskFailure[];
let restoreHandler: () => void;
const opened: { close(): Promise<void> }[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "sandbox-agent-driver-"));
  failures = [];
  restoreHandler = onTaskFailure((failure) => failures.push(failure));
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((driver) => driver.close()));
  restoreHandler();
  rmSync(directory, { recursive: true, force: true });
  expect(failures).toEqual([]);
});

interface Options {
  idleMs?: number;
  isBusy?: boolean;
  crashesWhileStarting?: boolean;
  /** What happens while a message is prepared. */
  whilePreparing?(live: Live): Promise<void> | void;
}

function open({ idleMs = 0, isBusy = false, crashesWhileStarting = false, whilePreparing }: Options = {}) {
  const drafts: Draft[] = [];
  const state = { open: false, isBusy, isRefusing: false, scans: 0 };
  const interrupted: string[] = [];
  const driver = createSessionProcess<Live>(
    {
      id: "shell",
      turn: {
        get open() {
          return state.open;
        },
        close() {
          state.open = false;
        },
      },
      async start(onExit) {
        if (state.isRefusing) throw new MessageRejected({ message: "no key", code: "auth_required" });
        const env = { PATH: process.env.PATH ?? "" };
        const exited = Promise.withResolvers<void>();
        const onGone = (exit: AgentExit) => {
          onExit(exit);
          exited.resolve();
        };
        const options = { command: ["sh", "-c", script], cwd: directory, env, onLines: read, onExit: onGone };
        const child = startAgentProcess("shell", options);
        if (crashesWhileStarting) {
          child.writeLine("crash");
          await exited.promise;
        }
        return { process: child, close: () => child.close() };
      },
      async prepare({ text }, live) {
        await whilePreparing?.(live);
        if (text === "unreadable") throw new Error("the attachment cannot be read");
        return () => {
          state.open = true;
          live.process.writeLine(text);
        };
      },
      interrupt: () => void interrupted.push("interrupt"),
      isBusy() {
        state.scans += 1;
        return state.isBusy;
      },
    },
    {
      spec: { sessionId: "s" },
      sink: { emit: (some) => void drafts.push(...some) },
      environment: { idleMs, log() {} },
    },
  );

  function read(lines: string[]): void {
    driver.acknowledge();
    if (!lines.includes("over")) return;
    state.open = false;
    void driver.emit([{ type: "turn.ended" }]);
  }

  opened.push(driver);
  return { driver, drafts, state, interrupted };
}

const turn = (text: string): Turn => ({ number: 1, text, attachments: [] });
const journal = () =>
  existsSync(join(directory, "journal")) ? readFileSync(join(directory, "journal"), "utf8").trim().split("\n") : [];
const until = (drafts: readonly Draft[], count: number) => vi.waitFor(() => expect(drafts).toHaveLength(count), 30_000);
/** Kills it and returns at once: the driver does not know it yet. */
const kill = (live: Live | null) => live?.process.signal("SIGKILL");

describe("a process", () => {
  test("is started by the first message that needs one, and used for the next", async () => {
    const { driver, drafts } = open();
    await driver.send(turn("one"));
    await until(drafts, 1);
    await driver.send(turn("two"));
    await until(drafts, 2);
    expect(journal()).toEqual(["start", "one", "two"]);
  });

  test("that is idle is stopped, and started again by the next message", async () => {
    const { driver, drafts } = open({ idleMs: 1 });
    await driver.send(turn("one"));
    await until(drafts, 1);
    await vi.waitFor(() => expect(driver.live).toBeNull(), 30_000);
    await driver.send(turn("two"));
    await until(drafts, 2);
    expect(journal()).toEqual(["start", "one", "start", "two"]);
  });

  test("that is busy is not stopped, however long no turn is open", async () => {
    const { driver, drafts, state } = open({ idleMs: 1, isBusy: true });
    await driver.send(turn("one"));
    await until(drafts, 1);
    const { live } = driver;
    const before = state.scans;
    await vi.waitFor(() => expect(state.scans).toBeGreaterThan(before + 3), 30_000);
    expect(driver.live).toBe(live);
    state.isBusy = false;
    await vi.waitFor(() => expect(driver.live).toBeNull(), 30_000);
  });

  test("is not started before the one before it has ended", async () => {
    const { driver, drafts } = open();
    const { process: first } = await driver.ensure();
    let hasEnded = false;
    const ended = first.ended.then(() => {
      hasEnded = true;
    });
    const stopped = driver.stop();
    await driver.send(turn("one"));
    expect(hasEnded).toBe(true);
    await Promise.all([ended, stopped, until(drafts, 1)]);
  });

  test("of a closed session is never started, and nothing is emitted", async () => {
    const { driver, drafts } = open();
    await driver.send(turn("work"));
    await driver.close();
    await expect(driver.send(turn("one"))).rejects.toThrow("closed");
    expect(drafts).toEqual([]);
    expect(journal()).toEqual(["start", "work"]);
  });
});

describe("an exit", () => {
  test("while idle emits nothing: the next message starts another process", async () => {
    const { driver, drafts } = open();
    await driver.send(turn("one"));
    await until(drafts, 1);
    kill(driver.live);
    await vi.waitFor(() => expect(driver.live).toBeNull(), 30_000);
    await driver.send(turn("two"));
    await until(drafts, 2);
    expect(drafts.map(({ type }) => type)).toEqual(["turn.ended", "turn.ended"]);
  });

  test("while idle that is not known yet when a message arrives: another process gets the message", async () => {
    const { driver, drafts } = open();
    await driver.send(turn("one"));
    await until(drafts, 1);
    kill(driver.live);
    await driver.send(turn("two"));
    await until(drafts, 2);
    expect(drafts.map(({ type }) => type)).toEqual(["turn.ended", "turn.ended"]);
    expect(journal()).toEqual(["start", "one", "start", "two"]);
  });

  test("right after the message was written: it is written once more, to another process", async () => {
    const { driver, drafts } = open();
    await driver.ensure();
    await driver.send(turn("once"));
    await until(drafts, 1);
    expect(drafts).toEqual([{ type: "turn.ended" }]);
    expect(journal()).toEqual(["start", "once", "start", "once"]);
  });

  test("that repeats itself ends the turn", async () => {
    const { driver, drafts } = open();
    await driver.ensure();
    await driver.send(turn("die"));
    await until(drafts, 1);
    expect(drafts).toMatchObject([{ type: "agent.exited", exit: { code: 7 } }]);
    expect(journal()).toEqual(["start", "die", "start", "die"]);
  });

  test("in the middle of a turn ends it, once, with the tail of stderr; the next message starts another process", async () => {
    const { driver, drafts } = open();
    await driver.ensure();
    await driver.send(turn("crash"));
    await until(drafts, 1);
    expect(drafts).toMatchObject([{ type: "agent.exited", exit: { code: 9, stderr: { head: "last words" } } }]);
    await driver.send(turn("two"));
    await until(drafts, 2);
    expect(drafts[1]).toEqual({ type: "turn.ended" });
    expect(journal()).toEqual(["start", "crash", "start", "two"]);
  });

  test("while a message is prepared: another process gets it, up to a limit", async () => {
    const dying = async (live: Live) => {
      kill(live);
      await vi.waitFor(() => expect(driver.live).toBeNull(), 30_000);
    };
    let deaths = 1;
    const { driver, drafts } = open({ whilePreparing: (live) => (deaths-- > 0 ? dying(live) : undefined) });
    await driver.send(turn("one"));
    await until(drafts, 1);
    expect(drafts).toEqual([{ type: "turn.ended" }]);
    deaths = 2;
    await expect(driver.send(turn("two"))).rejects.toThrow("shell did not start");
    expect(journal().filter((line) => line !== "start")).toEqual(["one"]);
  });
});

describe("an exit of the process that replaces another", () => {
  test("while the message is prepared again is not the end of the turn", async () => {
    let prepared = 0;
    const { driver, drafts } = open({
      async whilePreparing(live) {
        prepared += 1;
        if (prepared !== 3) return;
        kill(live);
        await vi.waitFor(() => expect(driver.live).toBeNull(), 30_000);
      },
    });
    await driver.send(turn("one"));
    await until(drafts, 1);
    kill(driver.live);
    await driver.send(turn("two"));
    await until(drafts, 2);
    expect(drafts).toEqual([{ type: "turn.ended" }, { type: "turn.ended" }]);
    expect(prepared).toBe(4);
  });
});

describe("a start that fails", () => {
  test("because the process exits is reported with its stderr", async () => {
    const { driver } = open({ crashesWhileStarting: true });
    await expect(driver.ensure()).rejects.toThrow(/shell did not start: sh exited with code 9: last words/);
  });

  const missing = /working directory .* does not exist; create it/;

  test("rejects the message, and the next one tries again", async () => {
    const { driver, drafts } = open();
    rmSync(directory, { recursive: true });
    await expect(driver.send(turn("one"))).rejects.toThrow(missing);
    mkdirSync(directory);
    await driver.send(turn("two"));
    await until(drafts, 1);
    expect(drafts).toEqual([{ type: "turn.ended" }]);
  });

  test("after an unknown exit while idle ends the turn at once, with the reason", async () => {
    const { driver, drafts } = open();
    await driver.send(turn("one"));
    await until(drafts, 1);
    rmSync(directory, { recursive: true });
    kill(driver.live);
    await driver.send(turn("two"));
    await until(drafts, 3);
    expect(drafts.slice(1)).toMatchObject([
      { type: "error", error: { message: expect.stringMatching(missing), code: "invalid_request" } },
      { type: "turn.ended", reason: "failed" },
    ]);
  });

  test("because of a missing credential fails the turn, and the session continues", async () => {
    const { driver, drafts, state } = open();
    state.isRefusing = true;
    await driver.send(turn("one"));
    expect(drafts).toMatchObject([
      { type: "error", error: { code: "auth_required" } },
      { type: "turn.ended", reason: "failed" },
    ]);
    state.isRefusing = false;
    await driver.send(turn("two"));
    await until(drafts, 3);
  });
});

test("what is meant for a running turn waits until its message is written", async () => {
  const { driver } = open();
  const sent = driver.send(turn("one"));
  const { process: child } = await driver.recipient();
  child.writeLine("two");
  await sent;
  await vi.waitFor(() => expect(journal()).toEqual(["start", "one", "two"]), 30_000);
});

test("an abort that is over does not reach the next turn", async () => {
  const { driver, state } = open();
  await driver.send(turn("work"));
  await driver.abort();
  state.open = false;
  await driver.emit([{ type: "turn.ended", reason: "aborted" }]);
  expect(driver.isAborting).toBe(false);
});

test("nothing is emitted once the session is closed", async () => {
  const { driver, drafts } = open();
  await driver.close();
  await driver.emit([{ type: "turn.ended" }]);
  expect(drafts).toEqual([]);
});

test("a message that cannot be prepared fails its turn and leaves the process alone", async () => {
  const { driver, drafts } = open();
  const live = await driver.ensure();
  await driver.send(turn("unreadable"));
  expect(drafts).toMatchObject([
    { type: "error", error: { message: "the attachment cannot be read" } },
    { type: "turn.ended", reason: "failed" },
  ]);
  expect(driver.live).toBe(live);
});

describe("an abort", () => {
  test("before the message is written ends the turn, and nothing is written", async () => {
    const { driver, drafts, interrupted } = open();
    const sent = driver.send(turn("one"));
    await driver.abort();
    await sent;
    expect(drafts).toEqual([{ type: "turn.ended", reason: "aborted", synthetic: true }]);
    expect(interrupted).toEqual([]);
    await driver.send(turn("two"));
    await until(drafts, 2);
    expect(journal()).toEqual(["start", "two"]);
  });

  test("while the start fails is an abort, not a failure", async () => {
    const { driver, drafts } = open();
    rmSync(directory, { recursive: true });
    const sent = driver.send(turn("one"));
    await driver.abort();
    await sent;
    expect(drafts).toEqual([{ type: "turn.ended", reason: "aborted", synthetic: true }]);
  });

  test("of a running turn interrupts it; while idle it does nothing", async () => {
    const { driver, drafts, interrupted } = open();
    await driver.abort();
    await driver.send(turn("work"));
    await driver.abort();
    expect(interrupted).toEqual(["interrupt"]);
    expect(driver.isAborting).toBe(true);
    expect(drafts).toEqual([]);
  });

  test("of a message that is written a second time ends the turn", async () => {
    const { driver, drafts } = open();
    await driver.send(turn("one"));
    await until(drafts, 1);
    kill(driver.live);
    await driver.send(turn("two"));
    writeFileSync(join(directory, "journal"), "");
    await driver.abort();
    await until(drafts, 2);
    expect(drafts[1]).toMatchObject({ type: "agent.exited" });
    expect(journal()).toEqual([""]);
  });
});
