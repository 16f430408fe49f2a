/** The real Codex when things go wrong: aborts, refused keys, failing providers, processes that die. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { escalated } from "../model/escalated.ts";
import {
  endOf,
  errorsOf,
  expectWellFormed,
  itemsOf,
  type Lab,
  permissionsIn,
  questionsIn,
  startLab,
  testKey,
  texts,
} from "./codex-lab.ts";

/** Reads the session's stream until an event of the turn matches. */
async function reached(lab: Lab, id: string, message: string, matches: (type: string, data: string) => boolean) {
  const reader = await lab.client.open(`/v1/sessions/${id}/events/sse`);
  onTestFinished(() => reader.close());
  await lab.client.send(id, message);
  await reader.until((event) => matches(event.type, JSON.stringify(event.data)));
}

/** Processes with the mark of this lab's daemon. */
function processesOf({ owner }: Lab): { pid: number; command: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const environment = readProc(pid, "environ");
      return environment.includes(`SANDBOX_AGENT_OWNER=${owner}`)
        ? [{ pid: Number(pid), command: readProc(pid, "cmdline").replaceAll("\0", " ") }]
        : [];
    });
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

function serverPid(lab: Lab): number {
  const server = processesOf(lab).find(({ command }) => command.includes("app-server"));
  if (!server) throw new Error("no server is running");
  return server.pid;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(20);
}

test("a server is not idle while a session is being opened on it", async () => {
  const lab = await startLab({ idleMs: 1 });
  await lab.create("s");
  expect(texts(await lab.turn("s", "[[say hello]]"))).toEqual(["hello"]);
});

test("abort while the model streams", async () => {
  const lab = await startLab();
  await lab.create("s");
  await reached(lab, "s", "[[slow 1000 20]]", (type) => type === "item.delta");
  await lab.client.post("/v1/sessions/s/abort");
  expect(endOf(await lab.client.events("s"))?.reason).toBe("aborted");
  expect(texts(await lab.turn("s", "[[say still here]]"))).toEqual(["still here"]);
  await expectWellFormed(lab, "s");
});

test("abort while a command runs ends the command", async () => {
  const lab = await startLab();
  await lab.create("s", { permissionMode: "bypass" });
  await reached(
    lab,
    "s",
    "[[sh sleep 4321]][[say never]]",
    (type, data) => type === "item.started" && data.includes("sleep 4321"),
  );
  await until(() => processesOf(lab).some(({ command }) => command.includes("sleep 4321")));
  await lab.client.post("/v1/sessions/s/abort");
  expect(endOf(await lab.client.events("s"))?.reason).toBe("aborted");
  await until(() => !processesOf(lab).some(({ command }) => command.includes("sleep 4321")));
  await expectWellFormed(lab, "s");
});

test("abort while a permission is open", async () => {
  const lab = await startLab();
  await lab.create("s");
  expect(permissionsIn(await lab.turn("s", `${escalated("touch x")}[[say never]]`, {}, "request"))).toHaveLength(1);
  await lab.client.post("/v1/sessions/s/abort");
  expect(endOf(await lab.client.events("s"))?.reason).toBe("aborted");
  await expectWellFormed(lab, "s");
});

test("abort while a question is open", async () => {
  const lab = await startLab();
  await lab.create("s");
  expect(questionsIn(await lab.turn("s", "[[ask Which? | a | b]][[say never]]", {}, "request"))).toHaveLength(1);
  await lab.client.post("/v1/sessions/s/abort");
  expect(endOf(await lab.client.events("s"))?.reason).toBe("aborted");
  await expectWellFormed(lab, "s");
});

test("abort right after the message", async () => {
  const lab = await startLab();
  await lab.create("s");
  await lab.client.send("s", "[[hang]]");
  const started = performance.now();
  await lab.client.post("/v1/sessions/s/abort");
  const seconds = (performance.now() - started) / 1000;
  const events = await lab.client.events("s");
  expect(endOf(events)?.reason).toBe("aborted");
  // A synthetic end after this time would mean that the abort timeout of the daemon has ended the turn.
  expect(events.at(-1)?.synthetic && seconds >= 5).toBe(false);
  expect(texts(await lab.turn("s", "[[say still here]]"))).toEqual(["still here"]);
  await expectWellFormed(lab, "s");
});

test("a message can be sent to the running turn", async () => {
  const lab = await startLab();
  await lab.create("s");
  await reached(lab, "s", "[[slow 1000 20]]", (type) => type === "item.delta");
  const answer = await lab.client.send("s", "[[say changed direction]]", { delivery: "steer" });
  expect(answer.status).toBeLessThan(300);
  await lab.client.wait("s");
  const events = await lab.client.events("s");
  expect(texts(events)).toContain("changed direction");
  expect(events.filter(({ type }) => type === "turn.ended")).toHaveLength(1);
  await expectWellFormed(lab, "s");
});

test.each([
  { key: "bad-key-of-the-lab", code: "auth_invalid" },
  { key: "expired-key-of-the-lab", code: "auth_expired" },
])("a rejected key is an error at once: $code", async ({ key, code }) => {
  const lab = await startLab({ key });
  await lab.create("s");
  const events = await lab.turn("s", "hello");
  expect(errorsOf(events)).toEqual([code]);
  expect(endOf(events)?.reason).toBe("failed");
  expect(lab.model.requests.length).toBe(1);
  expect(JSON.stringify(await lab.client.events("s", "?include_raw=true"))).not.toContain(key);
  await expectWellFormed(lab, "s");
});

test.each([{ endpoint: true }, { endpoint: false }])(
  "no key is an error at once (own endpoint: $endpoint)",
  async ({ endpoint }) => {
    const lab = await startLab({ key: null, ...(!endpoint && { env: { OPENAI_BASE_URL: undefined } }) });
    await lab.create("s");
    const events = await lab.turn("s", "hello");
    expect(errorsOf(events)).toEqual(["auth_required"]);
    expect(endOf(events)?.reason).toBe("failed");
    await expectWellFormed(lab, "s");
  },
);

test.each([
  { failure: "500", code: "provider_error" },
  { failure: "429", code: "rate_limited" },
  { failure: "503", code: "overloaded" },
  { failure: "400", code: "provider_error" },
])("a provider that answers $failure is an error, and the next turn works", async ({ failure, code }) => {
  const lab = await startLab();
  await lab.create("s");
  const events = await lab.turn("s", `[[error ${failure}]]`);
  expect(errorsOf(events)).toEqual([code]);
  expect(endOf(events)?.reason).toBe("failed");
  expect(texts(await lab.turn("s", "[[say works again]]"))).toEqual(["works again"]);
  await expectWellFormed(lab, "s");
});

test("a provider that cannot be reached is an error", async () => {
  const lab = await startLab();
  await lab.create("s");
  await lab.model.close();
  const events = await lab.turn("s", "hello");
  expect(errorsOf(events)).toEqual(["provider_unreachable"]);
  expect(endOf(events)?.reason).toBe("failed");
  await expectWellFormed(lab, "s");
});

test("a patch that does not apply is a failed tool", async () => {
  const lab = await startLab();
  await lab.create("s", { permissionMode: "bypass" });
  const events = await lab.turn("s", "[[edit missing.txt one => two]][[say it failed]]");
  expect(itemsOf(events, "tool_call")).toMatchObject([{ content: [{ name: "apply_patch" }] }]);
  expect(itemsOf(events, "tool_result")).toMatchObject([{ status: "failed" }]);
  await expectWellFormed(lab, "s");
});

test("a transient failure is a status, not an error", async () => {
  const lab = await startLab();
  await lab.create("s");
  const events = await lab.turn("s", "[[say before]][[drop]][[say after]]");
  expect(errorsOf(events)).toEqual([]);
  expect(JSON.stringify(itemsOf(events, "status"))).toContain("Retrying");
  expect(texts(events).join()).toContain("after");
  await expectWellFormed(lab, "s");
});

test("a server that is killed fails the turns on it, and their conversations go on with the next message", async () => {
  const lab = await startLab();
  for (const id of ["s", "other", "bystander"]) await lab.create(id);
  await lab.turn("s", "the first message");
  await lab.turn("other", "another message");
  for (const id of ["s", "other"]) await reached(lab, id, "[[slow 1000 20]]", (type) => type === "item.delta");
  process.kill(serverPid(lab), "SIGKILL");
  for (const id of ["s", "other"]) {
    await lab.client.wait(id);
    const events = await lab.client.events(id);
    expect(errorsOf(events)).toEqual(["process_exit"]);
    expect(events.find(({ type }) => type === "error")?.data).toMatchObject({ details: { exit_code: null } });
    expect(endOf(events)?.reason).toBe("failed");
  }
  expect((await lab.agent.inspect()).serverStatus).toMatchObject({ status: "error", lastError: expect.any(String) });

  expect(texts(await lab.turn("s", "[[recall]]")).join()).toContain("the first message");
  expect(texts(await lab.turn("other", "[[recall]]")).join()).toContain("another message");
  expect(texts(await lab.turn("bystander", "[[say unharmed]]"))).toEqual(["unharmed"]);
  expect((await lab.agent.inspect()).serverStatus).toMatchObject({ status: "running", restartCount: 1 });
  for (const id of ["s", "other", "bystander"]) await expectWellFormed(lab, id);
});

test("an idle server is closed and started again for the next message", async () => {
  const lab = await startLab({ idleMs: 300 });
  await lab.create("s");
  await lab.turn("s", "the first message");
  const before = serverPid(lab);
  await until(() => processesOf(lab).length === 0);
  expect(texts(await lab.turn("s", "[[recall]]")).join()).toContain("the first message");
  expect(serverPid(lab)).not.toBe(before);
  await expectWellFormed(lab, "s");
});

test("nothing is left running when the daemon has stopped", async () => {
  const lab = await startLab();
  await lab.create("s", { permissionMode: "bypass" });
  await lab.create("own", { credentials: { openai: `${testKey}-of-its-own` } });
  await reached(lab, "s", "[[sh sleep 4322]]", (type, data) => type === "item.started" && data.includes("sleep 4322"));
  await until(() => processesOf(lab).some(({ command }) => command.includes("sleep 4322")));
  await lab.stop();
  await lab.agent.close();
  await until(() => processesOf(lab).length === 0);
});

test("twenty sessions at once share one server", async () => {
  const lab = await startLab();
  const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);
  await Promise.all(ids.map((id) => lab.create(id)));
  const turns = await Promise.all(ids.map((id) => lab.turn(id, `[[say I am ${id}]]`)));
  expect(turns.map((events) => texts(events))).toEqual(ids.map((id) => [`I am ${id}`]));
  expect(processesOf(lab).filter(({ command }) => command.includes("app-server"))).toHaveLength(1);
});
