import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContentPart, UniversalItem } from "@sandbox-agent/schema";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AgentTerminals } from "./agent-terminals.ts";
import { Terminals } from "./terminals.ts";

let directory: string;
let terminals: Terminals;
let agents: AgentTerminals;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "sandbox-agent-terminals-"));
  terminals = new Terminals({ directory, env: {}, maxLogBytes: 1 << 20, onLogFailure: () => {} });
  agents = new AgentTerminals(terminals);
});
afterEach(() => {
  terminals.stop();
  rmSync(directory, { recursive: true, force: true });
});

function item(item_id: string, kind: UniversalItem["kind"], part: ContentPart): UniversalItem {
  return { item_id, native_item_id: null, parent_id: null, kind, role: "tool", status: "in_progress", content: [part] };
}

function call(call_id: string, args: unknown): UniversalItem {
  return item(`call ${call_id}`, "tool_call", {
    type: "tool_call",
    name: "anything",
    arguments: JSON.stringify(args),
    call_id,
  });
}

function result(call_id: string, output: string): UniversalItem {
  return item(`result ${call_id}`, "tool_result", { type: "tool_result", call_id, output });
}

function run(call_id: string, command: string | string[]): void {
  agents.item("s", call(call_id, { command }), true);
}

async function screens(): Promise<string[]> {
  return Promise.all(terminals.list().map(async ({ screen }) => (await screen.snapshot()).text));
}

test("a command is a terminal while it runs and afterwards", async () => {
  run("1", "make test");
  agents.item("s", result("1", ""), false);
  agents.output("result 1", "first\n");
  expect(terminals.list().map((terminal) => terminal.info())).toMatchObject([
    { kind: "agent", title: "make test", status: "running", sessionId: "s", itemId: "result 1" },
  ]);
  agents.output("result 1", "second\n");
  agents.item("s", result("1", "first\nsecond\n"), true);
  expect(terminals.list()[0]?.info().status).toBe("exited");
  expect(await screens()).toEqual(["$ make test\nfirst\nsecond"]);
});

test("output that comes in one piece is shown, too", async () => {
  run("1", ["ls", "-l"]);
  agents.item("s", result("1", "total 0"), true);
  expect(await screens()).toEqual(["$ ls -l\ntotal 0"]);
});

test("tools that run no command are none", () => {
  agents.item("s", call("1", { query: 'the "command"' }), true);
  agents.item("s", result("1", "found"), true);
  agents.item("s", result("2", "of an unknown call"), true);
  expect(terminals.list()).toEqual([]);
});

test("it can only be watched", () => {
  run("1", "cat");
  agents.item("s", result("1", ""), false);
  expect(() => terminals.list()[0]?.write(Buffer.from("typed"))).toThrow("can only be watched");
});

test("old ones are forgotten", () => {
  for (let index = 0; index < 40; index++) {
    run(String(index), `command ${index}`);
    agents.item("s", result(String(index), ""), true);
  }
  const titles = terminals.list().map((terminal) => terminal.info().title);
  expect(titles).toHaveLength(16);
  expect(titles.at(-1)).toBe("command 39");
});
