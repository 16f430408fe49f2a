/** Requests of the real Codex: permissions, questions, plans, and the modes that decide about them. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UniversalEvent } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { isAlive } from "../../packages/agents/src/process/tree.ts";
import { escalated } from "../model/escalated.ts";
import {
  endOf,
  expectWellFormed,
  itemsOf,
  type Lab,
  permissionsIn,
  questionsIn,
  startLab,
  texts,
} from "./codex-lab.ts";

/** Sends a message and replies to its first permission request. Returns the events of the turn. */
async function permitted(lab: Lab, message: string, reply: string): Promise<UniversalEvent[]> {
  const from = (await lab.client.events("s")).length;
  const [permission] = permissionsIn(await lab.turn("s", message, {}, "request"));
  await answerPermission(lab, permission?.permission_id, reply);
  await lab.client.wait("s");
  return (await lab.client.events("s")).slice(from);
}

async function answerPermission(lab: Lab, id: string | undefined, reply: string): Promise<void> {
  const { status } = await lab.client.post(`/v1/sessions/s/permissions/${id}/reply`, { reply });
  expect(status).toBe(204);
}

async function answerQuestion(lab: Lab, id: string | undefined, answers: string[][]): Promise<void> {
  const { status } = await lab.client.post(`/v1/sessions/s/questions/${id}/reply`, { answers });
  expect(status).toBe(204);
}

test("a command outside of the sandbox asks; once lets it happen once", async () => {
  const lab = await startLab();
  await lab.create("s");
  const events = await permitted(lab, `${escalated("touch made.txt")}[[say done]]`, "once");
  expect(permissionsIn(events)).toMatchObject([
    { action: "command_execution", metadata: { command: expect.stringContaining("touch made.txt") } },
  ]);
  expect(existsSync(join(lab.directory, "made.txt"))).toBe(true);
  expect(texts(events)).toEqual(["done"]);
  await expectWellFormed(lab, "s");
});

test("reject keeps it from happening, and the model goes on", async () => {
  const lab = await startLab();
  await lab.create("s");
  const events = await permitted(lab, `${escalated("touch made.txt")}[[say understood]]`, "reject");
  expect(existsSync(join(lab.directory, "made.txt"))).toBe(false);
  expect(itemsOf(events, "tool_result").every(({ status }) => status === "failed")).toBe(true);
  expect(texts(events)).toEqual(["understood"]);
  expect(endOf(events)?.reason).toBe("completed");
  await expectWellFormed(lab, "s");
});

test("always is asked once", async () => {
  const lab = await startLab();
  await lab.create("s");
  await permitted(lab, `${escalated("touch one.txt")}[[say done]]`, "always");
  const events = await lab.turn("s", `${escalated("touch one.txt two.txt")}[[say again]]`);
  expect(existsSync(join(lab.directory, "two.txt"))).toBe(true);
  expect(texts(events)).toEqual(["again"]);
  await expectWellFormed(lab, "s");
});

test("a file change asks with its diff", async () => {
  const lab = await startLab();
  await lab.create("s");
  const events = await permitted(lab, "[[write new.txt fresh]][[say written]]", "once");
  expect(permissionsIn(events)).toMatchObject([
    { action: "file_change", metadata: { files: [{ action: "write", diff: expect.stringContaining("+fresh") }] } },
  ]);
  expect(readFileSync(join(lab.directory, "new.txt"), "utf8")).toBe("fresh\n");
  await expectWellFormed(lab, "s");
});

test("acceptEdits asks for nothing in the working directory", async () => {
  const lab = await startLab();
  await lab.create("s", { permissionMode: "acceptEdits" });
  const events = await lab.turn("s", "[[write new.txt fresh]][[say written]]");
  expect(permissionsIn(events)).toEqual([]);
  expect(existsSync(join(lab.directory, "new.txt"))).toBe(true);
});

test("a question is answered with one of its options", async () => {
  const lab = await startLab();
  await lab.create("s");
  const asked = await lab.turn("s", "[[ask Which colour? | red | blue]][[say noted]]", {}, "request");
  const [question] = questionsIn(asked);
  expect(question).toMatchObject({
    prompt: "Which colour?",
    options: ["red", "blue"],
    metadata: { questions: [{ question: "Which colour?", options: [{ label: "red" }, { label: "blue" }] }] },
  });
  await answerQuestion(lab, question?.question_id, [["blue"]]);
  await lab.client.wait("s");
  expect(lab.model.newestBody()).toContain("blue");
  expect(texts(await lab.client.events("s"))).toEqual(["noted"]);
  await expectWellFormed(lab, "s");
});

test("a question may be rejected", async () => {
  const lab = await startLab();
  await lab.create("s");
  const [question] = questionsIn(await lab.turn("s", "[[ask Which? | a | b]][[say fine]]", {}, "request"));
  await lab.client.post(`/v1/sessions/s/questions/${question?.question_id}/reject`);
  await lab.client.wait("s");
  expect(texts(await lab.client.events("s"))).toEqual(["fine"]);
  await expectWellFormed(lab, "s");
});

test("an approved plan is carried out in the same turn", async () => {
  const lab = await startLab();
  await lab.create("s", { agentMode: "plan" });
  const planned = await lab.turn("s", "[[plan 1. look 2. leap]]", {}, "request");
  const [question] = questionsIn(planned);
  expect(itemsOf(planned, "status")[0]?.content).toContainEqual({
    type: "json",
    json: { plan: expect.stringContaining("2. leap") },
  });
  expect(question).toMatchObject({ options: ["Approve", "Approve and accept edits", "Reject"] });
  await answerQuestion(lab, question?.question_id, [["Approve and accept edits"]]);
  await lab.client.wait("s");
  const events = await lab.client.events("s");
  expect(events.filter(({ type }) => type === "turn.ended")).toHaveLength(1);
  expect(texts(events).join()).toContain("Implement the plan");
  const after = await lab.turn("s", "[[write done.txt yes]][[say built]]");
  expect(permissionsIn(after)).toEqual([]);
  expect(existsSync(join(lab.directory, "done.txt"))).toBe(true);
  await expectWellFormed(lab, "s");
});

test("a rejected plan ends the turn and stays in plan mode", async () => {
  const lab = await startLab();
  await lab.create("s", { permissionMode: "plan" });
  const [question] = questionsIn(await lab.turn("s", "[[plan 1. leap]]", {}, "request"));
  await answerQuestion(lab, question?.question_id, [["Reject"]]);
  await lab.client.wait("s");
  const [again] = questionsIn(await lab.turn("s", "[[plan 1. look first]]", {}, "request"));
  expect(again).toBeDefined();
  await lab.client.post("/v1/sessions/s/abort");
  await expectWellFormed(lab, "s");
});

test("a tool of an MCP server asks, runs, and has a result", async () => {
  const lab = await startLab();
  const server = join(lab.home, "server.mjs");
  writeFileSync(server, mcpServer);
  const mcp = {
    lab: { type: "local", command: [process.execPath, server], env: { GREETING: "hello" }, timeoutMs: 5000 },
  };
  await lab.create("s", { mcp });
  const events = await permitted(lab, '[[mcp lab greet {"name":"you"}]][[say done]]', "once");
  expect(permissionsIn(events)[0]?.action).toBe("mcp__lab__greet");
  expect(itemsOf(events, "tool_call").at(-1)?.content).toMatchObject([
    { name: "mcp__lab__greet", arguments: '{"name":"you"}' },
  ]);
  expect(itemsOf(events, "tool_result").at(-1)?.content).toMatchObject([{ output: "hello you" }]);
  await expectWellFormed(lab, "s");
});

test("an MCP server ends with its session, while the Codex server goes on", async () => {
  const lab = await startLab();
  const server = join(lab.home, "server.mjs");
  const pidFile = join(lab.home, "pid");
  writeFileSync(
    server,
    `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(pidFile)}, String(process.pid));\n${mcpServer}`,
  );
  await lab.create("s", { mcp: { lab: { type: "stdio", command: process.execPath, args: [server] } } });
  await lab.create("other");
  await lab.turn("s", "hello");
  const pid = Number(readFileSync(pidFile, "utf8"));
  expect(isAlive(pid)).toBe(true);
  await lab.client.post("/v1/sessions/s/terminate");
  while (isAlive(pid)) await Bun.sleep(20);
  expect(texts(await lab.turn("other", "[[say still here]]"))).toEqual(["still here"]);
});

/** As in most containers: namespaces cannot be made. Where that is so already, nothing needs to be done. */
const noSandbox = `unshare -Ur true || exec "$@"
exec unshare -Ur sh -c 'echo 0 > /proc/sys/user/max_mnt_namespaces; exec "$@"' codex "$@"`;

test("without a sandbox every command asks", async () => {
  const lab = await startLab({ script: noSandbox });
  await lab.create("s");
  const events = await permitted(lab, "[[sh cat /etc/hostname]][[say done]]", "once");
  expect(permissionsIn(events)).toHaveLength(1);
  expect(itemsOf(events, "tool_result")).toMatchObject([{ status: "completed" }]);
});

test.each([
  { permissionMode: "acceptEdits", written: true },
  { permissionMode: "plan", written: false },
])("without a sandbox edits are decided by the mode $permissionMode", async ({ permissionMode, written }) => {
  const lab = await startLab({ script: noSandbox });
  await lab.create("s", { permissionMode });
  const events = await lab.turn("s", "[[write new.txt fresh]][[say done]]");
  expect(permissionsIn(events)).toEqual([]);
  expect(existsSync(join(lab.directory, "new.txt"))).toBe(written);
  await expectWellFormed(lab, "s");
});

const mcpServer = `
import { createInterface } from "node:readline";
const tool = { name: "greet", description: "Greets", inputSchema: { type: "object", properties: { name: { type: "string" } } } };
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "lab", version: "1" } }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": ({ arguments: { name } }) => ({ content: [{ type: "text", text: process.env.GREETING + " " + name }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method]?.(params) ?? {};
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});
`;
