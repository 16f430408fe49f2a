/** The real Pi, driven through a real daemon. Only the model's words are scripted. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { conversationsGoOn } from "./own-process.ts";
import { type Lab, startLab } from "./pi-lab.ts";
import { endOf, itemsOf, ofType, texts } from "./reading.ts";

describe("a conversation", () => {
  conversationsGoOn(startLab);

  test("can change model and thinking level between turns, and the user's settings stay", async () => {
    const lab = await startLab();
    const settings = join(lab.home, ".pi/agent/settings.json");
    const before = readFileSync(settings, "utf8");
    await lab.create("s", { model: "anthropic/claude-haiku-4-5", variant: "off" });
    await lab.prompt("s", "[[say one]]");
    const answer = await lab.client.patch("/v1/sessions/s", { model: "anthropic/claude-sonnet-4-5", variant: "high" });
    expect(answer.status).toBe(200);
    const second = await lab.prompt("s", "[[recall]]");
    expect(texts(second).join()).toContain("[[say one]]");
    expect(lab.modelCalls().map(({ model, thinking }) => [model, thinking?.type ?? "disabled"])).toEqual([
      ["claude-haiku-4-5", "disabled"],
      ["claude-sonnet-4-5", "enabled"],
    ]);
    expect(readFileSync(settings, "utf8")).toBe(before);
    await lab.check("s");
  });

  test("names attachments that are no images by their path", async () => {
    const lab = await startLab();
    await lab.create("s");
    const events = await lab.prompt("s", "read it", { attachments: [{ path: "notes.txt", mime: "text/plain" }] });
    expect(texts(events).join()).toContain("notes.txt");
  });

  test("takes a message while it starts", async () => {
    const lab = await startLab();
    await lab.create("s");
    await lab.client.send("s", "[[slow 20 20]]");
    await lab.client.send("s", "[[say steered]]", { delivery: "steer" });
    await lab.finish("s");
    const events = await lab.check("s");
    expect(texts(events)).toEqual([expect.stringContaining("word20"), "steered"]);
    expect(ofType(events, "turn.ended")).toHaveLength(1);
  });
});

describe("permissions", () => {
  test("are asked for in order, and one granted for always holds for a new process", async () => {
    const lab = await startLab({ idleMs: 50 });
    await lab.create("s");
    const asked = await lab.prompt("s", "[[sh touch one]] [[write two.txt 2]] [[say done]]");
    expect(ofType(asked, "permission.requested")[0]?.data).toMatchObject({
      action: "bash",
      metadata: { command: "touch one" },
    });
    await lab.allow("s", "always");
    await lab.seen("s", ({ type }) => type === "permission.requested", 2);
    await lab.allow("s", "once");
    await lab.finish("s");
    await lab.untilProcesses(0);
    const events = await lab.prompt("s", "[[sh touch three]] [[say done]]");
    expect(endOf(events)).toBe("completed");
    await lab.check("s");
    expect(existsSync(join(lab.directory, "three"))).toBe(true);
  });

  test("of mode acceptEdits are asked for commands alone", async () => {
    const lab = await startLab();
    await lab.create("s", { permissionMode: "acceptEdits" });
    const asked = await lab.prompt("s", "[[write notes.txt beta]] [[sh touch one]] [[say done]]");
    expect(existsSync(join(lab.directory, "notes.txt"))).toBe(true);
    expect(ofType(asked, "permission.requested").map(({ data }) => data.action)).toEqual(["bash"]);
    await lab.allow("s", "reject");
    await lab.finish("s");
    expect(existsSync(join(lab.directory, "one"))).toBe(false);
    await lab.check("s");
  });

  test("are not asked for reading", async () => {
    const lab = await startLab();
    await lab.create("s");
    writeFileSync(join(lab.directory, "notes.txt"), "alpha");
    const events = await lab.prompt("s", '[[tool read {"path":"notes.txt"}]] [[say done]]');
    expect(endOf(events)).toBe("completed");
    expect(toolOutputs(events)).toContain("alpha");
  });
});

describe("a plan", () => {
  test("comes before any change, and is carried out when approved, also by a new process", async () => {
    const lab = await startLab({ idleMs: 50 });
    await lab.create("s", { agentMode: "plan", permissionMode: "acceptEdits" });
    const asked = await lab.prompt(
      "s",
      '[[tool write {"path":"early.txt","content":"no"}]] [[plan 1. write]] [[say done]]',
    );
    expect(existsSync(join(lab.directory, "early.txt"))).toBe(false);
    expect(lab.modelCalls()[0]?.tools.map(({ name }) => name)).not.toContain("bash");
    expect(ofType(asked, "question.requested")[0]?.data).toMatchObject({ metadata: { plan: "1. write" } });
    await lab.answer("s", [["Approve"]]);
    await lab.finish("s");
    expect(
      lab
        .modelCalls()
        .at(-1)
        ?.tools.map(({ name }) => name),
    ).toContain("bash");
    await lab.untilProcesses(0);
    const events = await lab.prompt("s", "[[write made.txt yes]] [[say carried out]]");
    expect(texts(events)).toEqual(["carried out"]);
    expect(existsSync(join(lab.directory, "made.txt"))).toBe(true);
    await lab.check("s");
  });

  test("is reconsidered with the user's feedback", async () => {
    const lab = await startLab();
    await lab.create("s", { permissionMode: "plan" });
    await lab.prompt("s", "[[plan 1. write a file]] [[say then not]]");
    await lab.answer("s", [["make it shorter"]]);
    const events = await lab.finish("s");
    expect(toolOutputs(events)).toContain("make it shorter");
    expect(texts(events)).toEqual(["then not"]);
    await lab.check("s");
  });
});

describe("an abort", () => {
  const states: [string, string, Parameters<Lab["seen"]>[1]][] = [
    ["while it waits for an answer", "[[ask Well? | Yes | No]]", ({ type }) => type === "question.requested"],
    ["while the model says nothing", "[[hang]]", ({ type }) => type === "turn.started"],
    ["between two attempts", "[[error 500]]", isRetry],
  ];

  test.each(states)("%s ends the turn and leaves the session usable", async (_, message, reached) => {
    const lab = await startLab({ retryMs: 60_000 });
    await lab.create("s");
    await lab.client.send("s", message);
    await lab.seen("s", reached);
    // Before that, the daemon itself would end the turn, without the agent.
    await expect.poll(() => lab.modelCalls().length).toBeGreaterThan(0);
    const answer = await lab.client.post("/v1/sessions/s/abort");
    expect(answer.status, answer.text).toBeLessThan(300);
    const events = await lab.client.events("s");
    expect(endOf(events)).toBe("aborted");
    expect(events.at(-1)?.synthetic).toBe(false);
    expect(ofType(events, "error")).toEqual([]);
    expect(texts(await lab.prompt("s", "[[say alive]]"))).toEqual(["alive"]);
    await lab.check("s");
    await lab.stop();
  });
});

describe("extensions of the user", () => {
  test("ask their questions, and their commands are turns of their own", async () => {
    const lab = await startLab({ idleMs: 50 });
    mkdirSync(join(lab.home, ".pi/agent/extensions"), { recursive: true });
    writeFileSync(join(lab.home, ".pi/agent/extensions/own.js"), ownExtension);
    await lab.create("s");
    const asked = await lab.prompt("s", "/choose");
    expect(ofType(asked, "question.requested")[0]?.data).toMatchObject({ prompt: "Which one?", options: ["A", "B"] });
    await lab.answer("s", [["B"]]);
    const events = await lab.finish("s");
    const notices = itemsOf(events).flatMap(({ content }) => content.filter((part) => part.type === "status"));
    expect(notices).toEqual([{ type: "status", label: "Notice", detail: "B it is" }]);
    expect(endOf(events)).toBe("completed");
    await lab.check("s");
    // Such a turn ends without a message of Pi.
    await lab.untilProcesses(0);
  });
});

test("MCP servers of the session offer their tools, which need permission like others", async () => {
  const lab = await startLab();
  const script = join(lab.directory, "server.mjs");
  writeFileSync(script, mcpServer);
  const word = { type: "local", command: [process.execPath, script], env: { WORD: "from its environment" } };
  const missing = { type: "stdio", command: "/no/such/server" };
  await lab.create("s", { mcp: { word, missing } });
  const asked = await lab.prompt("s", "[[mcp word say {}]] [[mcp word fail {}]] [[say done]]");
  expect(ofType(asked, "permission.requested").map(({ data }) => data.action)).toEqual(["mcp__word__say"]);
  await lab.allow("s", "once");
  await lab.seen("s", ({ type }) => type === "permission.requested", 2);
  await lab.allow("s", "once");
  const events = await lab.finish("s");
  const results = itemsOf(events).filter(({ kind }) => kind === "tool_result");
  expect(results.map(({ status }) => status)).toEqual(["completed", "failed"]);
  expect(toolOutputs(events)).toBe("from its environment, key none\nno such word");
  expect(JSON.stringify(itemsOf(await lab.check("s")))).toContain("MCP server missing");
  await lab.stop();
});

test("an MCP tool that takes forever does not hold an abort", async () => {
  const lab = await startLab();
  const script = join(lab.directory, "server.mjs");
  writeFileSync(script, mcpServer);
  await lab.create("s", {
    permissionMode: "bypass",
    mcp: { word: { type: "local", command: [process.execPath, script] } },
  });
  await lab.client.send("s", "[[mcp word wait {}]] [[say done]]");
  await lab.seen("s", (event) => event.type === "item.completed" && event.data.item.kind === "tool_call");
  await lab.client.post("/v1/sessions/s/abort");
  expect(endOf(await lab.client.events("s"))).toBe("aborted");
  expect(texts(await lab.prompt("s", "[[say alive]]"))).toEqual(["alive"]);
  await lab.check("s");
  await lab.stop();
});

test("models and their thinking levels come from Pi", async () => {
  const lab = await startLab();
  const { json } = await lab.client.get("/v1/agents/pi/models");
  const sonnet = json.models.find(({ id }: { id: string }) => id === "anthropic/claude-sonnet-4-5");
  expect(sonnet.variants).toEqual(expect.arrayContaining(["off", "low", "high"]));
  expect(json.models.map(({ id }: { id: string }) => id)).toContain(json.defaultModel);
  await lab.stop();
});

const mcpServer = `
import { createInterface } from "node:readline";
const tool = (name) => ({ name, description: name, inputSchema: { type: "object", properties: {} } });
const text = (text) => ({ content: [{ type: "text", text }] });
const calls = {
  say: () => text(process.env.WORD + ", key " + (process.env.ANTHROPIC_API_KEY ?? "none")),
  fail: () => ({ ...text("no such word"), isError: true }),
  wait: () => null,
};
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "word", version: "1" } }),
  "tools/list": () => ({ tools: Object.keys(calls).map(tool) }),
  "tools/call": ({ name }) => calls[name](),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const result = id === undefined ? null : (answers[method] ?? (() => ({})))(params);
  if (result !== null) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
}
`;

const ownExtension = `export default (pi) => pi.registerCommand("choose", {
  description: "Chooses",
  handler: async (_, ctx) => ctx.ui.notify((await ctx.ui.select("Which one?", ["A", "B"])) + " it is"),
});`;

function isRetry(event: UniversalEvent): boolean {
  return event.type === "item.completed" && JSON.stringify(event.data.item.content).includes("Retrying");
}

function toolOutputs(events: readonly UniversalEvent[]): string {
  return itemsOf(events)
    .flatMap(({ content }) => content.flatMap((part) => (part.type === "tool_result" ? [part.output] : [])))
    .join("\n");
}
