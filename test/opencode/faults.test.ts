/** Failures around the OpenCode API: slow readers, concurrent messages, killed daemons. */
import { connect } from "node:net";
import type { Event, Message, Part } from "@opencode-ai/sdk/v2/types";
import { expect, onTestFinished, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { readFrames } from "../harness/sse.ts";
import { SdkEvents } from "./sdk-events.ts";

const say = (text: string) => ({ model: { providerID: "mock", modelID: "mock" }, parts: [{ type: "text", text }] });

async function* payloads(url: string): AsyncGenerator<unknown> {
  for await (const frame of readFrames(await fetch(`${url}/global/event`))) yield JSON.parse(frame.data);
}

async function follow(url: string): Promise<SdkEvents> {
  const events = new SdkEvents(payloads(url));
  await events.next("server.connected");
  return events;
}

/** The messages of a client after these events. */
function folded(events: Event[]): { info: Message; parts: Part[] }[] {
  const messages = new Map<string, { info: Message; parts: Map<string, Part> }>();
  for (const { type, properties } of events) {
    if (type === "message.updated") {
      const known = messages.get(properties.info.id);
      messages.set(properties.info.id, { info: properties.info, parts: known?.parts ?? new Map() });
    }
    if (type === "message.part.updated")
      messages.get(properties.part.messageID)?.parts.set(properties.part.id, properties.part);
    if (type !== "message.part.delta") continue;
    const parts = messages.get(properties.messageID)?.parts;
    const part = parts?.get(properties.partID);
    if (part?.type === "text") parts?.set(part.id, { ...part, text: part.text + properties.delta });
  }
  return [...messages.values()].map(({ info, parts }) => ({
    info,
    parts: [...parts.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  }));
}

test.each(["markdown", "reason", "tool", "subagent", "todo", "image", "status", "unknown", "demo", "error"])(
  "what is streamed of `%s` adds up to what is listed",
  async (command) => {
    const { url } = await startTestDaemon();
    const ours = new TestClient(url);
    const events = await follow(url);
    const { id } = (await ours.post("/session", {})).json;
    const answer = (await ours.post(`/session/${id}/message`, say(command))).json;
    await events.next("session.idle");
    const listed = (await ours.get(`/session/${id}/message`)).json;
    expect(listed).toHaveLength(2);
    expect(listed[1]).toEqual(answer);
    expect(folded(events.all)).toEqual(listed);
  },
);

test("a reader that stops reading loses nothing and does not delay others", async () => {
  const { url } = await startTestDaemon();
  const ours = new TestClient(url);
  const { id } = (await ours.post("/session", {})).json;
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString("latin1")));
  socket.write(`GET /global/event HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  await until(() => text.includes("server.connected"));
  socket.pause();
  await ours.post(`/session/${id}/message`, say("burst 20000"));
  socket.resume();
  await until(() => text.includes("session.idle"));
  expect(text.match(/"type":"message\.part\.delta"/g)).toHaveLength(20_000);
});

test("two concurrent messages to a new session both run, one after the other", async () => {
  const { url } = await startTestDaemon();
  const ours = new TestClient(url);
  const { id } = (await ours.post("/session", {})).json;
  const answers = await Promise.all(["one", "two"].map((word) => ours.post(`/session/${id}/message`, say(word))));
  expect(answers.map(({ json }) => json.parts[0].text)).toEqual(["one", "two"]);
  expect((await ours.get("/v1/sessions")).json.sessions).toHaveLength(1);
});

test("a message that is sent again with its id runs once", async () => {
  const { url } = await startTestDaemon();
  const ours = new TestClient(url);
  const { id } = (await ours.post("/session", {})).json;
  const body = { ...say("echo once"), messageID: "msg_mine" };
  const [first, second] = [
    await ours.post(`/session/${id}/message`, body),
    await ours.post(`/session/${id}/message`, body),
  ];
  expect(second.json).toEqual(first.json);
  expect((await ours.get(`/session/${id}/message`)).json).toHaveLength(2);
});

test("after a killed daemon the session exists, and its turn has ended", async () => {
  const dataDir = temporaryDirectory();
  const first = await spawnDaemon(dataDir);
  const before = new TestClient(first.url);
  const { id } = (await before.post("/session", {})).json;
  const events = await follow(first.url);
  await before.post(`/session/${id}/prompt_async`, say("permission1"));
  await events.next("permission.asked");
  first.kill("SIGKILL");
  await first.exited;

  const second = await spawnDaemon(dataDir);
  const after = new TestClient(second.url);
  const told = await follow(second.url);
  expect((await told.next("session.status")).properties).toEqual({ sessionID: id, status: { type: "idle" } });
  expect((await after.get("/permission")).json).toEqual([]);
  const messages = (await after.get(`/session/${id}/message`)).json;
  expect(messages[1].info).toMatchObject({ error: { data: { message: expect.stringContaining("interrupted") } } });
  expect((await after.post(`/session/${id}/message`, say("echo again"))).json.parts[0].text).toBe("again");
}, 120_000);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(10);
}
