/** Failures of an ACP agent, played by a stand-in: clear problems, no hang, and the daemon keeps running. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Lab, type LabOptions, openLab, programInstaller } from "./acp-lab.ts";
import { endOf, errorsOf, itemsOf, outputs, texts } from "./reading.ts";

const timeoutMs = 60_000;
const standin = join(import.meta.dirname, "acp-standin.ts");
const profile = { id: "standin", name: "Stand-in", args: [], keys: { own: "STANDIN_KEY" } };

function play(parts: string[], options: Partial<LabOptions> = {}): Promise<Lab> {
  const installer = programInstaller([process.execPath, standin, ...parts]);
  return openLab({ profile, installer, ...options });
}

describe("a program that is not an ACP agent", { timeout: timeoutMs }, () => {
  let lab: Lab;
  afterEach(() => lab.close(), timeoutMs);

  test.each([
    ["does not exist", ["/no/such/program"], "agent_process_exited", /cannot be started/],
    ["exits at once", ["/bin/sh", "-c", "echo sorry >&2; exit 4"], "agent_process_exited", /exited with code 4: sorry/],
    ["uses another version", [process.execPath, standin, "version-2"], "stream_error", /protocol version 2, not 1/],
    [
      "rejects the session",
      [process.execPath, standin, "refuse"],
      "stream_error",
      /standin did not open the session: Internal error: database is locked/,
    ],
    ["floods stdout", ["/usr/bin/yes"], "stream_error", /not JSON-RPC messages/],
    ["never answers", ["/bin/sleep", "600"], "timeout", /did not answer `initialize` within 1000 ms/],
    ["echoes its input", ["/bin/cat"], "timeout", /did not answer `initialize`/],
  ])("one that %s", async (_, command, kind, detail) => {
    const limits = { startMs: kind === "timeout" ? 1000 : timeoutMs, requestMs: timeoutMs };
    lab = await openLab({ profile, installer: programInstaller(command), limits });
    const { text } = await lab.tryCreate("s");
    expect(text).toContain(kind);
    expect(text).toMatch(detail);
    expect((await lab.client.get("/v1/health")).status).toBe(200);
  });
});

describe("in a conversation", { timeout: timeoutMs }, () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await play([]);
    await lab.create("s");
  }, timeoutMs);
  afterAll(async () => {
    await lab.check("s", { allowUnparsed: true });
    await lab.close();
  }, timeoutMs);

  test("messages before the session is open are delivered", async () => {
    await lab.turn("s", "hello");
    expect(texts(await lab.client.events("s"))).toEqual(["early bird", "hello"]);
  });

  test.each([
    ["once", "outcome yes"],
    ["always", "outcome yes"],
    ["reject", "outcome no"],
  ] as const)("a call whose first message is its permission request: %s", async (reply, outcome) => {
    const id = `permission-${reply}`;
    await lab.create(id);
    await lab.send(id, "permission");
    await lab.allow(id, reply);
    await lab.wait(id, "idle");
    const events = await lab.client.events(id);
    expect(texts(events)).toContain(outcome);
    expect(itemsOf(events, "tool_call")).toMatchObject([{ content: [{ arguments: '{"command":"rm"}' }] }]);
    // The agent sends nothing more about the call.
    expect(itemsOf(events, "tool_result")).toMatchObject([{ status: "failed" }]);
    await lab.check(id);
  });

  test("abort answers an open permission request, for agents that wait for it", async () => {
    await lab.send("s", "hang");
    await lab.pending("s");
    await lab.abort("s");
    expect(endOf(await lab.client.events("s"))).toBe("aborted");
    expect(texts(await lab.turn("s", "hello"))).toEqual(["hello"]);
  });

  test("abort of an agent that reacts to it", async () => {
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
    expect(texts(await lab.client.events("s")).at(-1)).toBe('{"action":"accept","content":{"colour":"blue"}}');
  });

  test("an unknown request is rejected, an unknown update is kept", async () => {
    const events = await lab.turn("s", "odd");
    expect(texts(events)).toEqual(["refused with -32601"]);
    expect(JSON.stringify(itemsOf(events, "unknown"))).toContain('"secret":"kept"');
  });

  test.each([
    ["internal", "an internal error", "provider_error"],
    ["status", "the status as code", "rate_limited"],
    ["words", "words alone", "overloaded"],
    ["wordsAndError", "words and an error", "auth_invalid"],
    ["nothing", "nothing at all", "empty_turn"],
  ])("a failed model call, reported by %s: %s", async (act, _, code) => {
    const events = await lab.turn("s", act);
    expect(errorsOf(events)).toEqual([code]);
    expect(endOf(events)).toBe("failed");
  });

  test("invalid lines are reported up to a limit, and the turn continues", async () => {
    const events = await lab.turn("s", "garbage");
    expect(events.filter(({ type }) => type === "agent.unparsed")).toHaveLength(100);
    expect(texts(events)).toEqual(["through the noise"]);
  });

  test("a line of 10 MB", async () => {
    expect(texts(await lab.turn("s", "big"))[0]).toHaveLength(10_000_000);
  });

  test("a model and a mode for planning", async () => {
    expect((await lab.tryCreate("none", { model: "huge" })).text).toMatch(/no model .*it has: small, large/);
    await lab.create("plan", { permissionMode: "plan" });
    expect(texts(await lab.turn("plan", "mode"))).toContain("architect");
  });

  test("an agent that exits in a turn fails the turn; the next message restarts it with the history", async () => {
    await lab.create("dying");
    await lab.turn("dying", "the word is quince hello");
    const events = await lab.turn("dying", "die");
    expect(errorsOf(events)).toEqual(["process_exit"]);
    expect(endOf(events)).toBe("failed");
    expect(outputs(events)).toEqual([]);
    expect(texts(await lab.turn("dying", "recall")).join("")).toContain("the word is quince");
    await lab.check("dying");
  });
});

describe("resuming a conversation", { timeout: timeoutMs }, () => {
  test("sends the history if the agent cannot resume", async () => {
    const lab = await play([]);
    await lab.create("s");
    await lab.turn("s", "the word is quince hello");
    await lab.restart();
    const events = await lab.turn("s", "recall");
    expect(texts(events).join("")).toMatch(/User: the word is quince hello.*Assistant: hello.*recall/s);
    expect(JSON.stringify(itemsOf(events, "status"))).toContain("Context replayed");
    await lab.close();
  });

  test("after it has exited while idle", async () => {
    const lab = await play([]);
    await lab.create("s");
    await lab.turn("s", "the word is quince leave");
    expect(texts(await lab.turn("s", "recall")).join("")).toMatch(/User: the word is quince leave.*recall/s);
    await lab.check("s");
    await lab.close();
  });

  test("in a deleted directory fails the turn with its name; once it is back, the conversation continues", async () => {
    const lab = await play([]);
    await lab.create("s");
    await lab.turn("s", "the word is quince leave");
    rmSync(lab.directory, { recursive: true });
    const events = await lab.turn("s", "hello");
    expect(JSON.stringify(events)).toContain(`directory ${lab.directory} does not exist`);
    expect(endOf(events)).toBe("failed");
    mkdirSync(lab.directory);
    expect(texts(await lab.turn("s", "recall")).join("")).toContain("the word is quince");
    await lab.check("s");
    await lab.close();
  });

  test("does not emit the agent's replay again; an idle process is closed", async () => {
    const lab = await play(["resume"], { idleMs: 1 });
    await lab.create("s");
    await lab.turn("s", "the word is quince hello");
    const events = await lab.turn("s", "recall");
    expect(texts(events)).toEqual(["recall"]);
    expect(texts(await lab.client.events("s"))).not.toContain("an old story");
    await lab.close();
  });

  test("an agent that does not stop is killed and restarted", async () => {
    const lab = await play([]);
    await lab.create("s");
    await lab.send("s", "deaf");
    await lab.seen("s", (event) => event.type === "item.delta" && event.data.delta === "not listening");
    await lab.abort("s");
    expect(endOf(await lab.client.events("s"))).toBe("aborted");
    expect(texts(await lab.turn("s", "hello"))).toContain("hello");
    await lab.close();
  });
});

test("a session that fails to open is retried once", { timeout: timeoutMs }, async () => {
  const lab = await play(["refuse-once"]);
  await lab.create("s");
  expect(texts(await lab.turn("s", "hello"))).toContain("hello");
  await lab.close();
});

test("settings that the agent rejects fail the turn with its message", { timeout: timeoutMs }, async () => {
  const lab = await play(["stubborn"]);
  await lab.create("s");
  await lab.client.patch("/v1/sessions/s", { agentMode: "architect" });
  const events = await lab.turn("s", "hello");
  expect(errorsOf(events)).toEqual(["stream_error"]);
  expect(JSON.stringify(events)).toContain("standin rejected the settings: no other mode now");
  expect(endOf(events)).toBe("failed");
  await lab.close();
});

test("without credentials the first message fails; credentials of the session work", {
  timeout: timeoutMs,
}, async () => {
  const lab = await play(["locked"]);
  await lab.create("poor");
  const events = await lab.turn("poor", "hello");
  expect(errorsOf(events)).toEqual(["auth_required"]);
  expect(endOf(events)).toBe("failed");
  await lab.create("rich", { credentials: { own: "a-key-of-its-own" } });
  expect(texts(await lab.turn("rich", "hello"))).toContain("hello");
  await lab.close();
});
