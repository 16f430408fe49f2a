/** What can go wrong with an ACP agent, played by a stand-in: clear problems, no hang, a daemon unharmed. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Lab, type LabOptions, openLab, programInstaller } from "./acp-lab.ts";
import { endOf, errorsOf, itemsOf, outputs, said } from "./reading.ts";

const patience = 60_000;
const standin = join(import.meta.dirname, "acp-standin.ts");
const profile = { id: "standin", name: "Stand-in", args: [], keys: { own: "STANDIN_KEY" } };

function play(parts: string[], options: Partial<LabOptions> = {}): Promise<Lab> {
  const installer = programInstaller([process.execPath, standin, ...parts]);
  return openLab({ profile, installer, ...options });
}

describe("a program that is no ACP agent", { timeout: patience }, () => {
  let lab: Lab;
  afterEach(() => lab.close(), patience);

  test.each([
    ["does not exist", ["/no/such/program"], "agent_process_exited", /cannot be started/],
    [
      "leaves at once",
      ["/bin/sh", "-c", "echo sorry >&2; exit 4"],
      "agent_process_exited",
      /exited with code 4: sorry/,
    ],
    ["speaks another version", [process.execPath, standin, "version-2"], "stream_error", /version 2 of it, not 1/],
    [
      "refuses to begin a session",
      [process.execPath, standin, "refuse"],
      "stream_error",
      /standin did not begin the session: Internal error: database is locked/,
    ],
    ["floods stdout", ["/usr/bin/yes"], "stream_error", /no messages/],
    ["never answers", ["/bin/sleep", "600"], "timeout", /did not answer `initialize` within 1000 ms/],
    ["repeats what it hears", ["/bin/cat"], "timeout", /did not answer `initialize`/],
  ])("one that %s", async (_, command, kind, detail) => {
    const limits = { startMs: kind === "timeout" ? 1000 : patience, requestMs: patience };
    lab = await openLab({ profile, installer: programInstaller(command), limits });
    const { text } = await lab.tryCreate("s");
    expect(text).toContain(kind);
    expect(text).toMatch(detail);
    expect((await lab.client.get("/v1/health")).status).toBe(200);
  });
});

describe("in a conversation", { timeout: patience }, () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await play([]);
    await lab.create("s");
  }, patience);
  afterAll(async () => {
    await lab.check("s", { allowUnparsed: true });
    await lab.close();
  }, patience);

  test("what came before the session was known is heard", async () => {
    await lab.turn("s", "hello");
    expect(said(await lab.client.events("s"))).toEqual(["early bird", "hello"]);
  });

  test.each([
    ["once", "outcome yes"],
    ["always", "outcome yes"],
    ["reject", "outcome no"],
  ] as const)("a call first heard of in its permission request: %s", async (reply, outcome) => {
    const id = `permission-${reply}`;
    await lab.create(id);
    await lab.send(id, "permission");
    await lab.allow(id, reply);
    await lab.wait(id, "idle");
    const events = await lab.client.events(id);
    expect(said(events)).toContain(outcome);
    expect(itemsOf(events, "tool_call")).toMatchObject([{ content: [{ arguments: '{"command":"rm"}' }] }]);
    // The agent says no more about the call.
    expect(itemsOf(events, "tool_result")).toMatchObject([{ status: "failed" }]);
    await lab.check(id);
  });

  test("abort answers an open permission request, for agents that wait for it", async () => {
    await lab.send("s", "hang");
    await lab.pending("s");
    await lab.abort("s");
    expect(endOf(await lab.client.events("s"))).toBe("aborted");
    expect(said(await lab.turn("s", "hello"))).toEqual(["hello"]);
  });

  test("abort of an agent that listens", async () => {
    await lab.send("s", "forever");
    await lab.abort("s");
    expect(endOf(await lab.client.events("s"))).toBe("aborted");
  });

  test("a form is a question", async () => {
    await lab.send("s", "form");
    const { questions } = await lab.pending("s");
    expect(questions).toMatchObject([{ options: ["red", "blue"] }]);
    await lab.answer("s", [["blue"]]);
    await lab.wait("s", "idle");
    expect(said(await lab.client.events("s")).at(-1)).toBe('{"action":"accept","content":{"colour":"blue"}}');
  });

  test("a request nobody knows is refused, an update nobody knows is kept", async () => {
    const events = await lab.turn("s", "odd");
    expect(said(events)).toEqual(["refused with -32601"]);
    expect(JSON.stringify(itemsOf(events, "unknown"))).toContain('"secret":"kept"');
  });

  test.each([
    ["internal", "an internal error", "provider_error"],
    ["status", "the status as code", "rate_limited"],
    ["words", "words alone", "overloaded"],
    ["wordsAndError", "words and an error", "auth_invalid"],
    ["nothing", "nothing at all", "empty_turn"],
  ])("a failed call of the model, told by %s: %s", async (act, _, code) => {
    const events = await lab.turn("s", act);
    expect(errorsOf(events)).toEqual([code]);
    expect(endOf(events)).toBe("failed");
  });

  test("a flood of lines that are no messages is cut short, and the turn goes on", async () => {
    const events = await lab.turn("s", "garbage");
    expect(events.filter(({ type }) => type === "agent.unparsed")).toHaveLength(100);
    expect(said(events)).toEqual(["through the noise"]);
  });

  test("a line of 10 MB", async () => {
    expect(said(await lab.turn("s", "big"))[0]).toHaveLength(10_000_000);
  });

  test("a model and a mode for planning", async () => {
    expect((await lab.tryCreate("none", { model: "huge" })).text).toMatch(/no model .*it has: small, large/);
    await lab.create("plan", { permissionMode: "plan" });
    expect(said(await lab.turn("plan", "mode"))).toContain("architect");
  });

  test("an agent that dies in a turn fails the turn; the next message starts it again, with what was said", async () => {
    await lab.create("dying");
    await lab.turn("dying", "the word is quince hello");
    const events = await lab.turn("dying", "die");
    expect(errorsOf(events)).toEqual(["process_exit"]);
    expect(endOf(events)).toBe("failed");
    expect(outputs(events)).toEqual([]);
    expect(said(await lab.turn("dying", "recall")).join("")).toContain("the word is quince");
    await lab.check("dying");
  });
});

describe("taking up a conversation again", { timeout: patience }, () => {
  test("where the agent cannot, it is told what was said", async () => {
    const lab = await play([]);
    await lab.create("s");
    await lab.turn("s", "the word is quince hello");
    await lab.restart();
    const events = await lab.turn("s", "recall");
    expect(said(events).join("")).toMatch(/User: the word is quince hello.*Assistant: hello.*recall/s);
    expect(JSON.stringify(itemsOf(events, "status"))).toContain("Context replayed");
    await lab.close();
  });

  test("after it has died at rest", async () => {
    const lab = await play([]);
    await lab.create("s");
    await lab.turn("s", "the word is quince leave");
    expect(said(await lab.turn("s", "recall")).join("")).toMatch(/User: the word is quince leave.*recall/s);
    await lab.check("s");
    await lab.close();
  });

  test("in a directory that is gone fails the turn by name; once it is back, the conversation goes on", async () => {
    const lab = await play([]);
    await lab.create("s");
    await lab.turn("s", "the word is quince leave");
    rmSync(lab.directory, { recursive: true });
    const events = await lab.turn("s", "hello");
    expect(JSON.stringify(events)).toContain(`directory ${lab.directory} does not exist`);
    expect(endOf(events)).toBe("failed");
    mkdirSync(lab.directory);
    expect(said(await lab.turn("s", "recall")).join("")).toContain("the word is quince");
    await lab.check("s");
    await lab.close();
  });

  test("where it can, its replay is not told twice; an idle process is closed", async () => {
    const lab = await play(["resume"], { idleMs: 1 });
    await lab.create("s");
    await lab.turn("s", "the word is quince hello");
    const events = await lab.turn("s", "recall");
    expect(said(events)).toEqual(["recall"]);
    expect(said(await lab.client.events("s"))).not.toContain("an old story");
    await lab.close();
  });

  test("an agent that does not stop is ended, and started again", async () => {
    const lab = await play([]);
    await lab.create("s");
    await lab.send("s", "deaf");
    await lab.seen("s", (event) => event.type === "item.delta" && event.data.delta === "not listening");
    await lab.abort("s");
    expect(endOf(await lab.client.events("s"))).toBe("aborted");
    expect(said(await lab.turn("s", "hello"))).toContain("hello");
    await lab.close();
  });
});

test("an agent that fails to begin a session is asked once more", { timeout: patience }, async () => {
  const lab = await play(["refuse-once"]);
  await lab.create("s");
  expect(said(await lab.turn("s", "hello"))).toContain("hello");
  await lab.close();
});

test("settings that the agent refuses fail the turn in its words", { timeout: patience }, async () => {
  const lab = await play(["stubborn"]);
  await lab.create("s");
  await lab.client.patch("/v1/sessions/s", { agentMode: "architect" });
  const events = await lab.turn("s", "hello");
  expect(errorsOf(events)).toEqual(["stream_error"]);
  expect(JSON.stringify(events)).toContain("standin did not take the settings: no other mode now");
  expect(endOf(events)).toBe("failed");
  await lab.close();
});

test("without credentials the first message says so; a session's own open the door", {
  timeout: patience,
}, async () => {
  const lab = await play(["locked"]);
  await lab.create("poor");
  const events = await lab.turn("poor", "hello");
  expect(errorsOf(events)).toEqual(["auth_required"]);
  expect(endOf(events)).toBe("failed");
  await lab.create("rich", { credentials: { own: "a-key-of-its-own" } });
  expect(said(await lab.turn("rich", "hello"))).toContain("hello");
  await lab.close();
});
