import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../test/cli-process.ts";
import { readState, removeStaleStates, removeState, runningDaemons, stateFiles, writeState } from "./state.ts";

const address = { host: "127.0.0.1", port: 2 };
const noProcess = 99_999_999;

beforeEach(() => {
  process.env.XDG_DATA_HOME = temporaryDirectory();
});

function write(port: number, state: unknown): string {
  const file = stateFiles({ host: "127.0.0.1", port }).state;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(state));
  return file;
}

describe("the state file of a daemon", () => {
  test("is valid while its process runs", () => {
    writeState({ ...address, version: "1", dataDir: null, token: "T" });
    expect(readState(address)).toMatchObject({ ...address, pid: process.pid, token: "T" });
    expect(runningDaemons()).toHaveLength(1);
    removeState(address, process.pid + 1);
    expect(readState(address)).not.toBeNull();
    removeState(address, process.pid);
    expect(readState(address)).toBeNull();
  });

  test.each<[string, unknown]>([
    [
      "of a process that has ended",
      { ...address, pid: noProcess, machine: hostname(), version: "1", dataDir: null, token: null },
    ],
    [
      "of another machine",
      { ...address, pid: process.pid, machine: "another", version: "1", dataDir: null, token: null },
    ],
    ["with invalid content", "text"],
    ["with missing fields", { pid: process.pid, host: "127.0.0.1" }],
  ])("is ignored if it is one %s", (_, state) => {
    write(address.port, state);
    expect(readState(address)).toBeNull();
    expect(runningDaemons()).toEqual([]);
  });

  test("is removed if it is stale, unless it was written by another machine", () => {
    const stale = { ...address, pid: noProcess, version: "1", dataDir: null, token: null };
    const own = write(3, { ...stale, machine: hostname() });
    const foreign = write(4, { ...stale, machine: "another" });
    writeState({ ...address, version: "1", dataDir: null, token: null });
    removeStaleStates();
    expect([own, foreign, stateFiles(address).state].map((file) => existsSync(file))).toEqual([false, true, true]);
  });
});
