import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { DeviceTerminal } from "./device-terminal.ts";
import { Terminals } from "./terminals.ts";

function createTerminals(): Terminals {
  const directory = mkdtempSync(join(tmpdir(), "terminals-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const onLogFailure = (id: string, error: unknown) => expect.unreachable(`${id}: ${error}`);
  const commands = { list: async () => [], find: async () => null, forget: () => {} };
  return new Terminals({ directory, env: {}, maxLogBytes: 1_000_000, onLogFailure, commands });
}

function openPane(terminals: Terminals, typed: string[] = []): DeviceTerminal {
  const device = { pendingInput: 0, write: (bytes: Uint8Array) => void typed.push(Buffer.from(bytes).toString()) };
  const size = { cols: 20, rows: 5 };
  return terminals.open({
    id: "term_1",
    kind: "tmux",
    title: "npm test",
    size,
    log: terminals.createLog("term_1"),
    device,
  });
}

test("a terminal is shown, typed into, resized and ended", async () => {
  const terminals = createTerminals();
  const typed: string[] = [];
  const terminal = openPane(terminals, typed);
  terminal.feed(Buffer.from("running\r\n"));
  expect(await terminal.screen.snapshot()).toMatchObject({ text: "running", cols: 20, rows: 5 });
  terminal.resized({ cols: 30, rows: 6 });
  terminal.write(Buffer.from("q"));
  terminal.feed(Buffer.from("\x1b[?25ldone"));
  const shown = await terminal.screen.snapshot();
  expect(shown).toMatchObject({ text: "running\ndone", cols: 30, rows: 6 });
  expect(shown.ansi.endsWith("\x1b[?25l")).toBe(true);
  expect(typed).toEqual(["q"]);
  terminal.end(0);
  expect((await terminals.get("term_1")).info()).toMatchObject({ kind: "tmux", status: "exited", exitCode: 0 });
  expect((await terminal.screen.snapshot()).text).toBe("running\ndone");
  await terminals.close("term_1");
  expect(await terminals.list()).toEqual([]);
});

test("a viewer cannot change its size", async () => {
  const terminal = openPane(createTerminals());
  await terminal.screen.snapshot();
  expect(() => terminal.resize({ cols: 1, rows: 1 })).toThrow("resize it where it was opened");
});
