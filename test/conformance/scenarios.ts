/** The features that every agent must have, one scenario each, in terms of the universal API. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContentPart } from "@sandbox-agent/schema";
import { expect } from "vitest";
import { descendants } from "../../packages/agents/src/process/tree.ts";
import { completedItems, endOf, errorCodes, lastTurn, type Stage, survivors, texts } from "./stage.ts";

export interface Scenario {
  name: string;
  play(stage: Stage): Promise<void>;
}

const isDelta = (event: { type: string }) => event.type === "item.delta";

const talk: Scenario[] = [
  {
    name: "text",
    async play({ create, subject: { phrases } }) {
      const events = await (await create()).prompt(phrases.say("hello there"));
      expect(texts(events)).toContain("hello there");
      expect(endOf(events)).toBe("completed");
    },
  },
  {
    name: "streaming",
    async play({ create, subject: { phrases } }) {
      const events = await (await create()).prompt(phrases.slow(5, 20));
      expect(events.filter(isDelta).length).toBeGreaterThan(2);
    },
  },
  {
    name: "several turns",
    async play({ create, subject: { phrases } }) {
      const actor = await create();
      await actor.prompt(phrases.say("one"));
      const events = await actor.prompt(phrases.say("two"));
      expect(texts(events)).toContain("two");
      expect(texts(events)).not.toContain("one");
    },
  },
  {
    name: "context over two turns",
    async play({ create, subject: { phrases } }) {
      const actor = await create();
      await actor.prompt(`Remember the word pomegranate. ${phrases.say("ok")}`);
      expect(texts(await actor.prompt(phrases.recall))).toContain("pomegranate");
    },
  },
  {
    name: "reasoning",
    async play({ create, subject: { phrases } }) {
      const events = await (await create()).prompt(phrases.think("deep thoughts"));
      expect(partsOf(completedItems(events), "reasoning")).not.toEqual([]);
    },
  },
  {
    name: "usage",
    async play({ create, subject }) {
      const message = subject.id === "mock" ? "usage" : subject.phrases.say("counted");
      const events = await (await create()).prompt(message);
      const end = events.findLast((event) => event.type === "turn.ended");
      expect(end?.data.metadata?.usage?.output_tokens).toBeGreaterThan(0);
    },
  },
  {
    name: "image",
    async play({ create, subject: { phrases } }) {
      const actor = await create();
      const path = join(actor.directory, "dot.png");
      writeFileSync(path, Buffer.from(dotPng, "base64"));
      const attachments = [{ path, mime: "image/png" }];
      expect(texts(await actor.prompt(phrases.countImages, { attachments }))).toMatch(/1 image|image\/png/);
    },
  },
];

const tools: Scenario[] = [
  {
    name: "tool call and result",
    async play({ create, subject: { phrases } }) {
      const actor = await create({ permissionMode: "bypass" });
      const events = await actor.prompt(phrases.write(join(actor.directory, "new.txt"), "fresh"));
      const kinds = completedItems(events).map(({ kind }) => kind);
      expect(kinds).toContain("tool_call");
      expect(kinds).toContain("tool_result");
    },
  },
  {
    name: "command execution",
    async play({ create, subject: { phrases } }) {
      const actor = await create({ permissionMode: "bypass" });
      const events = await actor.prompt(phrases.run("echo from-the-shell"));
      const outputs = partsOf(completedItems(events), "tool_result").map(({ output }) => output);
      expect(outputs.join("\n")).toContain("from-the-shell");
    },
  },
  {
    name: "file edit with diff",
    async play({ create, subject: { phrases, id } }) {
      const actor = await create({ permissionMode: "bypass" });
      const path = join(actor.directory, "new.txt");
      const events = await actor.prompt(phrases.write(path, "fresh"));
      const refs = partsOf(completedItems(events), "file_ref").filter(({ action }) => action !== "read");
      expect(refs.some(({ diff }) => diff?.includes("+"))).toBe(true);
      if (id !== "mock") expect(readFileSync(path, "utf8")).toContain("fresh");
    },
  },
  {
    name: "todo list",
    async play({ create, subject: { phrases } }) {
      const events = await (await create({ permissionMode: "bypass" })).prompt(phrases.todo("first", "second"));
      const statuses = completedItems(events).filter(({ kind }) => kind === "status");
      expect(partsOf(statuses, "json").some(({ json }) => JSON.stringify(json).includes("todos"))).toBe(true);
    },
  },
  {
    name: "subagent",
    async play({ create, subject: { phrases } }) {
      const actor = await create({ permissionMode: "bypass" });
      await actor.prompt(phrases.subagent("from below"));
      const items = completedItems(await actor.events());
      expect(items.some(({ parent_id }) => parent_id !== null)).toBe(true);
    },
  },
  {
    name: "MCP tool",
    async play({ create, subject: { phrases } }) {
      const mcp = { everything: { type: "local", command: [process.execPath, everythingServer, "stdio"] } };
      const actor = await create({ permissionMode: "bypass", mcp });
      const events = await actor.prompt(phrases.mcp("everything", "echo", { message: "over mcp" }));
      const outputs = partsOf(completedItems(events), "tool_result").map(({ output }) => output);
      expect(outputs.join("\n")).toContain("over mcp");
    },
  },
  {
    name: "skill",
    async play({ create, model }) {
      const actor = await create();
      const source = join(actor.directory, "skills-source");
      mkdirSync(join(source, "pomology"), { recursive: true });
      writeFileSync(
        join(source, "pomology/SKILL.md"),
        "---\nname: pomology\ndescription: Knows all about the quincunx of apples\n---\n\nApples.\n",
      );
      const other = await create({ skills: { sources: [{ type: "local", source }] } });
      const before = model.requests.length;
      await other.prompt("hello");
      expect(JSON.stringify(model.requests.slice(before))).toContain("quincunx");
    },
  },
];

const requests: Scenario[] = [
  {
    name: "permission once",
    async play({ create, subject: { phrases } }) {
      const actor = await create();
      const asked = await actor.prompt(phrases.command("touch once.txt"));
      expect(asked.some((event) => event.type === "permission.requested")).toBe(true);
      await actor.replyPermission("once");
      await letThrough(actor);
      expect(endOf(await actor.finish())).toBe("completed");
    },
  },
  {
    name: "permission always",
    async play({ create, subject: { phrases } }) {
      const actor = await create();
      await actor.prompt(phrases.command("touch always.txt"));
      await actor.replyPermission("always");
      await letThrough(actor, "always");
      await actor.finish();
      expect(endOf(await actor.prompt(phrases.command("touch always.txt")))).toBe("completed");
    },
  },
  {
    name: "permission rejected",
    async play({ create, subject: { phrases } }) {
      const actor = await create();
      await actor.prompt(phrases.command("touch rejected.txt"));
      await actor.replyPermission("reject");
      const events = await actor.finish();
      expect(events.some((event) => event.type === "permission.resolved" && event.data.status === "denied")).toBe(true);
      expect(existsSync(join(actor.directory, "rejected.txt"))).toBe(false);
    },
  },
  {
    name: "question answered",
    async play({ create, subject: { phrases } }) {
      const actor = await create();
      const asked = await actor.prompt(phrases.ask("Which colour?", "Red", "Blue"));
      const question = asked.findLast((event) => event.type === "question.requested");
      expect(question?.data.options).toEqual(["Red", "Blue"]);
      await actor.replyQuestion([["Blue"]]);
      expect(endOf(await actor.finish())).toBe("completed");
    },
  },
  {
    name: "question rejected",
    async play({ create, subject: { phrases } }) {
      const actor = await create();
      await actor.prompt(phrases.ask("Which colour?", "Red", "Blue"));
      await actor.replyQuestion(null);
      const events = await actor.finish();
      expect(events.some((event) => event.type === "question.resolved" && event.data.status === "rejected")).toBe(true);
    },
  },
  {
    name: "question, several choices",
    async play({ create, subject: { phrases }, model }) {
      const actor = await create();
      await actor.prompt(phrases.askSeveral("Which ones?", "Ant", "Bee", "Cat"));
      await actor.replyQuestion([["Ant", "Cat"]]);
      expect(endOf(await actor.finish())).toBe("completed");
      expect(model.newestBody()).toMatch(/Ant.{1,20}Cat/);
    },
  },
  {
    name: "plan approved",
    async play({ create, subject: { phrases, planMode } }) {
      const actor = await create(planMode);
      const asked = await actor.prompt(phrases.plan("First this, then that."));
      const question = asked.findLast((event) => event.type === "question.requested");
      const approve = question?.data.options.find((option) => /approve|yes|allow/i.test(option));
      expect(approve).toBeDefined();
      await actor.replyQuestion([[approve ?? ""]]);
      expect(endOf(await actor.finish())).toBe("completed");
    },
  },
  {
    name: "plan rejected",
    async play({ create, subject: { phrases, planMode } }) {
      const actor = await create(planMode);
      await actor.prompt(phrases.plan("First this, then that."));
      await actor.replyQuestion(null);
      const events = await actor.finish();
      expect(events.some((event) => event.type === "question.resolved" && event.data.status === "rejected")).toBe(true);
    },
  },
];

const control: Scenario[] = [
  {
    name: "abort while streaming",
    async play({ create, subject: { phrases } }) {
      const actor = await create();
      await actor.send(phrases.slow(500, 20));
      await actor.until(isDelta);
      await actor.abort();
      expect(endOf(await actor.finish())).toBe("aborted");
      expect(texts(await actor.prompt(phrases.say("still here")))).toContain("still here");
    },
  },
  {
    name: "abort in a tool",
    async play({ create, subject: { phrases } }) {
      const actor = await create({ permissionMode: "bypass" });
      await actor.send(phrases.run("sleep 300"));
      await actor.until((event) => event.type === "item.started" && event.data.item.kind === "tool_call");
      await actor.abort();
      expect(endOf(await actor.finish())).toBe("aborted");
      expect(texts(await actor.prompt(phrases.say("still here")))).toContain("still here");
    },
  },
  {
    name: "abort while waiting for a permission",
    async play({ create, subject: { phrases } }) {
      const actor = await create();
      await actor.prompt(phrases.command("touch never.txt"));
      await actor.abort();
      const events = await actor.finish();
      expect(endOf(events)).toBe("aborted");
      expect(events.some((event) => event.type === "permission.resolved")).toBe(true);
      expect(texts(await actor.prompt(phrases.say("still here")))).toContain("still here");
    },
  },
  {
    name: "queue",
    async play({ create, subject: { phrases } }) {
      const actor = await create();
      await actor.send(phrases.slow(20, 20));
      await actor.send(phrases.say("second"));
      await actor.send(phrases.say("third"));
      await actor.finish();
      const events = await actor.events();
      expect(events.filter((event) => event.type === "turn.ended")).toHaveLength(3);
      expect(texts(lastTurn(events))).toContain("third");
    },
  },
  {
    name: "steer",
    async play({ create, subject: { phrases } }) {
      const actor = await create();
      await actor.send(phrases.slow(150, 20));
      await actor.until(isDelta);
      await actor.send(phrases.say("steered"), { delivery: "steer" });
      await actor.finish();
      const events = await actor.events();
      expect(texts(events)).toContain("steered");
      expect(events.filter((event) => event.type === "turn.ended")).toHaveLength(1);
    },
  },
  {
    name: "model switch",
    async play({ create, subject: { phrases, otherModel }, client, model }) {
      const actor = await create();
      await actor.prompt(phrases.say("before"));
      const target = otherModel ?? (await secondModel(client, (await client.get(`/v1/sessions/${actor.id}`)).json));
      await client.call("PATCH", `/v1/sessions/${actor.id}`, { body: { model: target } });
      const before = modelsIn(model);
      await actor.prompt(phrases.say("after"));
      expect(modelsIn(model).at(-1)).not.toBe(before.at(-1));
    },
  },
];

const faults: Scenario[] = [
  {
    name: "wrong key",
    async play({ create, subject: { phrases } }) {
      const credentials = { anthropic: "bad-key", openai: "bad-key", google: "bad-key", amp: "bad-key" };
      const actor = await create({ credentials });
      const events = await actor.prompt(phrases.say("never said"));
      expect(errorCodes(events)).toContain("auth_invalid");
      expect(endOf(events)).toBe("failed");
    },
  },
  {
    name: "provider error 500",
    play: ({ create, subject: { phrases } }) => failsWith(create, phrases.fail(500)),
  },
  {
    name: "provider error 529",
    play: ({ create, subject: { phrases } }) => failsWith(create, phrases.fail(529)),
  },
  {
    name: "dropped connection",
    async play({ create, subject: { phrases } }) {
      const events = await (await create()).prompt(phrases.drop);
      expect(texts(events)).toContain("recovered");
    },
  },
  {
    name: "agent killed",
    async play({ create, subject: { phrases }, daemonPid }) {
      const actor = await create();
      const other = await create();
      await actor.prompt(`Remember the word persimmon. ${phrases.say("ok")}`);
      const { length } = await actor.events();
      await actor.send(phrases.slow(2000, 20));
      await actor.until((event) => isDelta(event) && event.sequence > length);
      for (const pid of descendants(daemonPid)) killIfThere(pid);
      const events = await actor.finish();
      expect(errorCodes(events)).toEqual(["process_exit"]);
      expect(endOf(events)).toBe("failed");
      expect(texts(await actor.prompt(phrases.recall))).toContain("persimmon");
      expect(texts(await other.prompt(phrases.say("others go on")))).toContain("others go on");
    },
  },
  {
    name: "twenty sessions at once",
    async play({ create, subject: { phrases } }) {
      const actors = await Promise.all(Array.from({ length: 20 }, () => create()));
      const answers = await Promise.all(
        actors.map(async (actor) => texts(await actor.prompt(phrases.say(`I am ${actor.id} here`)))),
      );
      for (const [index, { id }] of actors.entries()) expect(answers[index]).toContain(`I am ${id} here`);
    },
  },
  {
    name: "kill -9 of the daemon in a turn",
    async play(stage) {
      const { create, subject } = stage;
      const actor = await create();
      await actor.send(subject.phrases.slow(2000, 20));
      await actor.until(isDelta);
      const agents = descendants(stage.daemonPid);
      await stage.killAndRestart();
      expect(await survivors(agents)).toEqual([]);
      const events = await actor.events();
      expect(endOf(events)).toBe("interrupted");
      expect(texts(await actor.prompt(subject.phrases.say("back again")))).toContain("back again");
    },
  },
  {
    name: "context after kill -9 of the daemon",
    async play(stage) {
      const { create, subject } = stage;
      const actor = await create();
      await actor.prompt(`Remember the word persimmon. ${subject.phrases.say("ok")}`);
      await stage.killAndRestart();
      expect(texts(await actor.prompt(subject.phrases.recall))).toContain("persimmon");
    },
  },
];

export const scenarios: Scenario[] = [...talk, ...tools, ...requests, ...control, ...faults];

/** Killing one process may already have ended another one. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Some agents request permission more than once for one command, which does not matter for the reply. */
async function letThrough(
  actor: Awaited<ReturnType<Stage["create"]>>,
  reply: "once" | "always" = "once",
): Promise<void> {
  for (;;) {
    const event = await actor.until(
      (next) =>
        next.type === "turn.ended" || (next.type === "permission.requested" && next.data.status === "requested"),
    );
    const events = await actor.events();
    const open = events.filter(({ type }) => type === "permission.requested").length;
    const resolved = events.filter(({ type }) => type === "permission.resolved").length;
    if (event.type === "turn.ended" || events.some(({ type }) => type === "turn.ended")) return;
    if (open > resolved) await actor.replyPermission(reply);
    else await Bun.sleep(20);
  }
}

async function failsWith(create: Stage["create"], message: string): Promise<void> {
  const events = await (await create()).prompt(message);
  expect(errorCodes(events)).not.toEqual([]);
  expect(endOf(events)).toBe("failed");
}

async function secondModel(client: Stage["client"], session: { agent: string; model: string }): Promise<string> {
  const { json } = await client.get(`/v1/agents/${session.agent}/models`);
  const provider = session.model.split("/")[0];
  const ids: string[] = json.models.map(({ id }: { id: string }) => id);
  const other = ids.find((id) => id !== session.model && id.startsWith(`${provider}/`));
  if (!other) throw new Error(`${session.agent} has no second model of ${provider}`);
  return other;
}

/** The requested models, in order, without side jobs of the agent. */
function modelsIn({ requests: recorded }: Stage["model"]): string[] {
  return recorded.flatMap(({ path, body }) => {
    if (typeof body !== "object" || body === null || !("tools" in body || "input" in body)) return [];
    return "model" in body ? [String(body.model)] : (/\/models\/([^/:]+):/.exec(path)?.[1] ?? []);
  });
}

function partsOf<Type extends ContentPart["type"]>(
  items: { content: ContentPart[] }[],
  type: Type,
): Extract<ContentPart, { type: Type }>[] {
  const isWanted = (part: ContentPart): part is Extract<ContentPart, { type: Type }> => part.type === type;
  return items.flatMap(({ content }) => content.filter(isWanted));
}

/** The official MCP server for tests. */
const everythingServer = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));

const dotPng = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
