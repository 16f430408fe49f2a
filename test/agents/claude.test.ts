/** The real Claude Code, driven through a real daemon. Only the model's words are scripted. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { startLab } from "./claude-lab.ts";
import { conversationsGoOn } from "./own-process.ts";
import { endOf, itemsOf, ofType, texts } from "./reading.ts";

describe("a conversation", () => {
  test("is streamed, remembered, and leaves nothing behind", async () => {
    const lab = await startLab();
    await lab.create("s");
    const first = await lab.prompt("s", "[[think let me see]] [[say hello world]]");
    expect(texts(first)).toEqual(["hello world"]);
    expect(itemsOf(first).flatMap(({ content }) => content)).toContainEqual({
      type: "reasoning",
      text: "let me see",
      visibility: "public",
    });
    expect(ofType(first, "item.delta").length).toBeGreaterThan(2);
    expect(endOf(first)).toBe("completed");
    expect(ofType(first, "turn.ended")[0]?.data.metadata?.usage).toMatchObject({
      input_tokens: expect.any(Number),
      cost_usd: expect.any(Number),
      context_window: expect.any(Number),
    });

    const second = await lab.prompt("s", "[[recall]]");
    expect(texts(second).join()).toContain("let me see");
    await lab.check("s");
    await lab.stop();
  });

  conversationsGoOn(startLab);

  test("can change its model between turns", async () => {
    const lab = await startLab();
    await lab.create("s", { model: "sonnet", variant: "low" });
    await lab.prompt("s", "[[say one]]");
    const answer = await lab.client.patch("/v1/sessions/s", { model: "haiku", variant: null });
    expect(answer.status).toBe(200);
    await lab.prompt("s", "[[say two]]");
    const models = lab.modelCalls().map(({ model, output_config }) => [model, output_config?.effort]);
    expect(models).toEqual([
      [expect.stringContaining("sonnet"), "low"],
      [expect.stringContaining("haiku"), undefined],
    ]);
    await lab.check("s");
  });

  test("shows the model an image", async () => {
    const lab = await startLab();
    await lab.create("s");
    const path = join(lab.directory, "dot.png");
    writeFileSync(path, Buffer.from(onePixel, "base64"));
    const events = await lab.prompt("s", "[[image]]", { attachments: [{ path, mime: "image/png" }] });
    expect(texts(events).join()).toContain("image/png");
    await lab.check("s");
  });

  test("names other attachments by their path", async () => {
    const lab = await startLab();
    await lab.create("s");
    const events = await lab.prompt("s", "read it", { attachments: [{ path: "notes.txt", mime: "text/plain" }] });
    expect(texts(events).join()).toContain("notes.txt");
  });

  test("takes a message while it works", async () => {
    const lab = await startLab();
    await lab.create("s", { permissionMode: "bypass" });
    await lab.client.send("s", "[[sh sleep 1.5; echo first]] [[say done]]");
    await lab.seen("s", (event) => event.type === "item.completed" && event.data.item.kind === "tool_call");
    await lab.client.send("s", "[[say steered]]", { delivery: "steer" });
    await lab.finish("s");
    const events = await lab.check("s");
    expect(texts(events)).toContain("steered");
    expect(ofType(events, "turn.ended")).toHaveLength(1);
  });
});

describe("a permission", () => {
  test("granted once is asked for again", async () => {
    const lab = await startLab();
    await lab.create("s");
    const asked = await lab.prompt("s", "[[sh touch one]] [[sh touch two]] [[say done]]");
    expect(ofType(asked, "permission.requested")[0]?.data).toMatchObject({
      action: "Bash",
      metadata: { command: "touch one" },
    });
    await lab.allow("s", "once");
    await lab.seen("s", ({ type }) => type === "permission.requested", 2);
    await lab.allow("s", "once");
    const events = await lab.finish("s");
    expect(texts(events)).toEqual(["done"]);
    expect(existsSync(join(lab.directory, "two"))).toBe(true);
    await lab.check("s");
  });

  test("granted for always is not asked for again, nor by a new process", async () => {
    const lab = await startLab({ idleMs: 50 });
    await lab.create("s");
    await lab.prompt("s", "[[write one.txt 1]] [[write two.txt 2]] [[say done]]");
    await lab.allow("s", "always");
    await lab.finish("s");
    await lab.untilProcesses(0);
    await lab.prompt("s", "[[write three.txt 3]] [[say done]]");
    const events = await lab.check("s");
    expect(ofType(events, "permission.requested")).toHaveLength(1);
    expect(existsSync(join(lab.directory, "three.txt"))).toBe(true);
  });

  test("rejected fails the call, and the model continues", async () => {
    const lab = await startLab();
    await lab.create("s");
    await lab.prompt("s", "[[sh touch one]] [[say so be it]]");
    await lab.allow("s", "reject");
    const events = await lab.finish("s");
    expect(itemsOf(events).find(({ kind }) => kind === "tool_result")?.status).toBe("failed");
    expect(texts(events)).toEqual(["so be it"]);
    expect(existsSync(join(lab.directory, "one"))).toBe(false);
    await lab.check("s");
  });

  test.each(["bypass", "acceptEdits"])("is not asked for an edit in mode %s", async (permissionMode) => {
    const lab = await startLab();
    await lab.create("s", { permissionMode });
    writeFileSync(join(lab.directory, "notes.txt"), "alpha\nbeta\n");
    const events = await lab.prompt("s", "[[edit notes.txt beta => gamma]] [[say done]]");
    const result = itemsOf(events).find(({ content }) => content.some(({ type }) => type === "file_ref"));
    const changes = itemsOf(events).flatMap(({ content }) => content.filter((part) => part.type === "file_ref"));
    expect(result?.kind).toBe("tool_result");
    expect(changes.at(-1)).toMatchObject({
      action: "patch",
      path: expect.stringContaining("notes.txt"),
      diff: expect.stringContaining("-beta\n+gamma"),
    });
    expect(readFileSync(join(lab.directory, "notes.txt"), "utf8")).toBe("alpha\ngamma\n");
    await lab.check("s");
  });
});

describe("a question", () => {
  test("is answered with an option", async () => {
    const lab = await startLab();
    await lab.create("s");
    const asked = await lab.prompt("s", "[[ask Which colour? | Red | Blue]] [[say noted]]");
    expect(ofType(asked, "question.requested")[0]?.data).toMatchObject({ options: ["Red", "Blue"] });
    await lab.answer("s", [["Blue"]]);
    const events = await lab.finish("s");
    expect(toolOutputs(events)).toContain("Blue");
    expect(texts(events)).toEqual(["noted"]);
    await lab.check("s");
  });

  test("may have several answers", async () => {
    const lab = await startLab();
    await lab.create("s");
    const asked = await lab.prompt("s", "[[askmulti Which ones? | A | B | C]] [[say noted]]");
    expect(ofType(asked, "question.requested")[0]?.data.metadata).toMatchObject({ questions: [{ multiSelect: true }] });
    await lab.answer("s", [["A", "C"]]);
    expect(toolOutputs(await lab.finish("s"))).toContain("A, C");
    await lab.check("s");
  });

  test("may be rejected", async () => {
    const lab = await startLab();
    await lab.create("s");
    await lab.prompt("s", "[[ask Which colour? | Red | Blue]] [[say noted]]");
    await lab.answer("s", null);
    expect(texts(await lab.finish("s"))).toEqual(["noted"]);
    await lab.check("s");
  });
});

describe("a plan", () => {
  test("is carried out when approved", async () => {
    const lab = await startLab();
    await lab.create("s", { agentMode: "plan", permissionMode: "acceptEdits" });
    const asked = await lab.prompt("s", "[[plan 1. write a file]] [[write made.txt yes]] [[say done]]");
    expect(ofType(asked, "question.requested")[0]?.data.options).toContain("Approve");
    await lab.answer("s", [["Approve"]]);
    const events = await lab.finish("s");
    expect(texts(events)).toEqual(["done"]);
    expect(ofType(events, "permission.requested")).toEqual([]);
    expect(existsSync(join(lab.directory, "made.txt"))).toBe(true);
    await lab.check("s");
  });

  test("is reconsidered when rejected", async () => {
    const lab = await startLab();
    await lab.create("s", { agentMode: "plan" });
    await lab.prompt("s", "[[plan 1. write a file]] [[say then not]]");
    await lab.answer("s", [["make it shorter"]]);
    const events = await lab.finish("s");
    expect(toolOutputs(events)).toContain("make it shorter");
    expect(texts(events)).toEqual(["then not"]);
    await lab.check("s");
  });
});

describe("an abort", () => {
  const states: [string, string, Parameters<Awaited<ReturnType<typeof startLab>>["seen"]>[1]][] = [
    ["while it streams", "[[slow 500 20]]", ({ type }) => type === "item.delta"],
    ["while a tool runs", '[[tool Bash {"command":"sleep 60"}]]', isToolCall],
    ["while it waits for a permission", "[[sh touch one]]", ({ type }) => type === "permission.requested"],
    ["while it waits for an answer", "[[ask Well? | Yes | No]]", ({ type }) => type === "question.requested"],
    ["while the model says nothing", "[[hang]]", ({ type }) => type === "turn.started"],
  ];

  test.each(states)("%s ends the turn and leaves the session usable", async (_, message, reached) => {
    const lab = await startLab();
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
    expect(texts(await lab.prompt("s", "[[say alive]]"))).toEqual(["alive"]);
    await lab.check("s");
    await lab.stop();
  });
});

describe("work beside the conversation", () => {
  test("a subagent's messages belong to the call that started it", async () => {
    const lab = await startLab();
    await lab.create("s", { permissionMode: "bypass" });
    const events = await lab.prompt("s", "[[task look around {{say I looked}}]] [[say all done]]");
    const items = itemsOf(events);
    const call = items.find(({ kind }) => kind === "tool_call");
    const words = items.find(({ content }) => content.some((part) => part.type === "text" && part.text === "I looked"));
    expect(words?.parent_id).toBe(call?.item_id);
    await lab.check("s");
  });

  test("the whole todo list is emitted after each change", async () => {
    const lab = await startLab();
    await lab.create("s");
    const events = await lab.prompt("s", "[[todo first; second]] [[say done]]");
    const lists = itemsOf(events).flatMap(({ content }) => content.filter((part) => part.type === "json"));
    expect(lists.at(-1)?.json).toMatchObject({ todos: [{ content: "first" }, { content: "second" }] });
    await lab.check("s");
  });

  test("a finished background command starts a turn of the agent's own", async () => {
    const lab = await startLab();
    await lab.create("s", { permissionMode: "bypass" });
    await lab.prompt("s", '[[tool Bash {"command":"sleep 1","run_in_background":true}]] [[say started it]]');
    await lab.seen("s", ({ type }) => type === "turn.ended", 2);
    const events = await lab.check("s");
    expect(ofType(events, "turn.started")[1]?.data.metadata).toMatchObject({ origin: "agent" });
  });
});

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function isToolCall(event: UniversalEvent): boolean {
  return event.type === "item.completed" && event.data.item.kind === "tool_call";
}

function toolOutputs(events: readonly UniversalEvent[]): string {
  return itemsOf(events)
    .flatMap(({ content }) => content.map((part) => (part.type === "tool_result" ? part.output : "")))
    .join("\n");
}
