/** The real Codex behind a real daemon: conversations, tools, files. Only the model's words are scripted. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endOf, expectWellFormed, homeDirectory, itemsOf, startLab, testKey, texts } from "./codex-lab.ts";

test("answers, streaming, with usage, and remembers the first turn in the second", async () => {
  const lab = await startLab();
  await lab.create("s");
  const first = await lab.turn("s", "[[usage 900 30 100]][[slow 5 20]]");
  expect(first.filter(({ type }) => type === "item.delta").length).toBeGreaterThan(1);
  expect(endOf(first)).toMatchObject({
    reason: "completed",
    usage: { input_tokens: 900, output_tokens: 30, cached_tokens: 100, context_window: expect.any(Number) },
  });
  const second = await lab.turn("s", "[[context]]");
  expect(texts(second).join()).toContain("User messages: 2");
  await expectWellFormed(lab, "s");
});

test("reasoning is a message of its own, streamed", async () => {
  const lab = await startLab();
  await lab.create("s");
  const events = await lab.turn("s", "[[think first this, then that]][[say done]]");
  expect(itemsOf(events, "message").map(({ content }) => content)).toEqual([
    [expect.objectContaining({ type: "text" })],
    [{ type: "reasoning", text: "first this, then that", visibility: "public" }],
    [{ type: "text", text: "done" }],
  ]);
  const reasoning = itemsOf(events, "message")[1];
  expect(
    events.some(({ type, data }) => type === "item.delta" && "item_id" in data && data.item_id === reasoning?.item_id),
  ).toBe(true);
  await expectWellFormed(lab, "s");
});

test.each(["gpt-5.5", "gpt-6.1-sol"])("a command and a file edit with %s", async (model) => {
  const lab = await startLab();
  await lab.create("s", { permissionMode: "bypass", model });
  writeFileSync(join(lab.directory, "old.txt"), "one\ntwo\n");
  const events = await lab.turn(
    "s",
    "[[sh echo hello from the shell]][[edit old.txt two => TWO]][[write new.txt fresh]][[say done]]",
  );
  const [shell, edit, write] = itemsOf(events, "tool_result");
  expect(itemsOf(events, "tool_call")[0]?.content).toMatchObject([
    { type: "tool_call", name: "shell", arguments: expect.stringContaining("echo hello from the shell") },
  ]);
  expect(shell).toMatchObject({
    status: "completed",
    content: [{ output: "hello from the shell\n" }, { json: { exit_code: 0 } }],
  });
  expect(edit?.content[1]).toMatchObject({
    type: "file_ref",
    path: join(lab.directory, "old.txt"),
    action: "patch",
    diff: expect.stringContaining("-two\n+TWO"),
  });
  expect(write?.content[1]).toMatchObject({ action: "write", diff: expect.stringContaining("@@ -0,0 +1 @@\n+fresh") });
  expect(readFileSync(join(lab.directory, "old.txt"), "utf8")).toBe("one\nTWO\n");
  await expectWellFormed(lab, "s");
});

test("output of a running command is streamed, and a failed one is marked", async () => {
  const lab = await startLab();
  await lab.create("s", { permissionMode: "bypass" });
  const events = await lab.turn("s", "[[sh sleep 0.5; echo one; sleep 0.5; echo two; exit 3]][[say done]]");
  const [result] = itemsOf(events, "tool_result");
  const deltas = events.flatMap((event) =>
    event.type === "item.delta" && event.data.item_id === result?.item_id ? [event.data.delta] : [],
  );
  expect(deltas.join("")).toBe("one\ntwo\n");
  expect(result).toMatchObject({ status: "failed", content: [{ output: "one\ntwo\n" }, { json: { exit_code: 3 } }] });
  await expectWellFormed(lab, "s");
});

test("a todo list is a status with its entries", async () => {
  const lab = await startLab();
  await lab.create("s");
  const events = await lab.turn("s", "[[todo read; write; test]][[say planned]]");
  expect(itemsOf(events, "status")[0]?.content[1]).toEqual({
    type: "json",
    json: {
      todos: [
        { content: "read", status: "in_progress" },
        { content: "write", status: "pending" },
        { content: "test", status: "pending" },
      ],
    },
  });
});

test.each(["gpt-5.5", "gpt-6.1-sol"])(
  "what a subagent of %s does belongs to the call that started it",
  async (model) => {
    const lab = await startLab();
    await lab.create("s", { permissionMode: "bypass", model });
    const events = await lab.turn(
      "s",
      "[[task {{sh echo from the child}}{{say child speaking}}]][[say parent speaking]]",
    );
    const spawn = itemsOf(events, "tool_call").find(({ content }) => JSON.stringify(content).includes("spawnAgent"));
    const child = itemsOf(events, "message").find(
      ({ content }) =>
        JSON.stringify(content).includes("child speaking") &&
        content[0]?.type === "text" &&
        content[0].text === "child speaking",
    );
    expect(spawn).toBeDefined();
    expect(child?.parent_id).toBe(spawn?.item_id);
    expect(texts(events)).toContain("parent speaking");
    await expectWellFormed(lab, "s");
  },
);

test("images reach the model as images, other files by their path", async () => {
  const lab = await startLab();
  await lab.create("s");
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  writeFileSync(join(lab.directory, "pixel.png"), Buffer.from(pixel, "base64"));
  const attachments = [{ path: join(lab.directory, "pixel.png"), mime: "image/png" }, { path: "notes.txt" }];
  const events = await lab.turn("s", "[[image]]", { attachments });
  expect(texts(events).join()).toMatch(/1.*image\/png/);
  expect(lab.model.newestBody()).toContain("- notes.txt");
});

test("model and effort can be changed between turns", async () => {
  const lab = await startLab();
  await lab.create("s", { variant: "low" });
  await lab.turn("s", "hello");
  await lab.client.patch("/v1/sessions/s", { model: "gpt-5.6-luna", variant: "high" });
  await lab.turn("s", "hello again");
  const bodies = lab.model.requests.filter(({ path }) => path === "/v1/responses").map(({ body }) => body);
  expect(bodies[0]).toMatchObject({ model: "gpt-5.5", reasoning: { effort: "low" } });
  expect(bodies.at(-1)).toMatchObject({ model: "gpt-5.6-luna", reasoning: { effort: "high" } });
});

test("skills in the working directory are offered to the model", async () => {
  const lab = await startLab();
  const skill = join(lab.home, "skills/haiku");
  mkdirSync(skill, { recursive: true });
  writeFileSync(
    join(skill, "SKILL.md"),
    "---\nname: haiku\ndescription: Writes a haiku about anything\n---\nFive, seven, five.\n",
  );
  await lab.create("s", { skills: { sources: [{ type: "local", source: skill }] } });
  await lab.turn("s", "hello");
  expect(lab.model.newestBody()).toContain("Writes a haiku about anything");
});

test("the key reaches the model service and nothing else", async () => {
  const lab = await startLab({ env: { OPENAI_API_KEY: testKey, KEPT: "yes" } });
  await lab.create("s", { permissionMode: "bypass", env: { OF_SESSION: "too" } });
  const events = await lab.turn("s", "[[sh env]][[say done]]");
  const output = JSON.stringify(itemsOf(events, "tool_result"));
  expect(output).toContain("KEPT=yes");
  expect(output).toContain("OF_SESSION=too");
  expect(JSON.stringify(await lab.client.events("s", "?include_raw=true"))).not.toContain(testKey);
  expect(lab.model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${testKey}`);
  expect(existsSync(join(lab.home, "agents/codex/auth.json"))).toBe(false);
});

test("sessions with keys of their own use them", async () => {
  const lab = await startLab();
  await lab.create("shared");
  await lab.create("own", { credentials: { openai: "key-of-this-session" } });
  await Promise.all([lab.turn("shared", "[[say one]]"), lab.turn("own", "[[say two]]")]);
  const keys = lab.model.requests
    .filter(({ path }) => path === "/v1/responses")
    .map(({ headers }) => headers.authorization);
  expect(keys.sort()).toEqual(["Bearer key-of-this-session", `Bearer ${testKey}`]);
});

test("a conversation goes on after the daemon was restarted", async () => {
  const home = homeDirectory();
  const dataDir = join(home, "daemon");
  const before = await startLab({ home, dataDir });
  await before.create("s");
  await before.turn("s", "the first message");
  await before.stop();
  const after = await startLab({ home, dataDir });
  const events = await after.turn("s", "[[recall]]");
  expect(texts(events).join()).toContain("the first message");
  await expectWellFormed(after, "s");
});

test("modes and models come from Codex itself", async () => {
  const lab = await startLab();
  const [modes, models] = await Promise.all([lab.agent.modes(), lab.agent.models()]);
  expect(modes.map(({ id }) => id)).toEqual(["build", "plan"]);
  expect(models.defaultModel).toBe("gpt-6.1-sol");
  expect(models.models.find(({ id }) => id === "gpt-5.5")).toEqual({
    id: "gpt-5.5",
    name: "GPT-5.5",
    variants: ["low", "medium", "high", "xhigh"],
    defaultVariant: "medium",
  });
});
