/** The official client of OpenCode's API, in its current version, against the daemon with the mock agent. */
import { createOpencodeClient, type OpencodeClient } from "@opencode-ai/sdk/v2/client";
import { describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { data, SdkEvents } from "./sdk-events.ts";

const token = "test-token";
const mock = { providerID: "mock", modelID: "mock" };

async function connect() {
  const directory = temporaryDirectory();
  const { url } = await startTestDaemon({ token });
  const client = clientOf(url, directory);
  return { url, directory, client, ours: new TestClient(url, token) };
}

function clientOf(url: string, directory: string, password = token): OpencodeClient {
  const authorization = `Basic ${btoa(`opencode:${password}`)}`;
  return createOpencodeClient({
    baseUrl: `${url}/opencode`,
    directory,
    headers: { authorization },
    throwOnError: true,
  });
}

async function follow(client: OpencodeClient): Promise<SdkEvents> {
  const { stream } = await client.global.event();
  const events = new SdkEvents(stream);
  await events.next("server.connected");
  return events;
}

const say = (text: string) => ({ model: mock, parts: [{ type: "text" as const, text }] });

describe("the v2 client", () => {
  test("creates a session, prompts it, and reads its messages", async () => {
    const { client, directory, ours } = await connect();
    const events = await follow(client);
    const session = await data(client.session.create({ title: "First" }));
    expect(session).toMatchObject({ title: "First", directory });
    expect(await events.next("session.created")).toMatchObject({ properties: { info: { id: session.id } } });

    const answer = await data(client.session.prompt({ sessionID: session.id, ...say("echo hello there") }));
    expect(answer.info).toMatchObject({ role: "assistant", finish: "stop", providerID: "mock", modelID: "mock" });
    expect(answer.parts).toMatchObject([{ type: "text", text: "hello there" }]);

    const messages = await data(client.session.messages({ sessionID: session.id }));
    expect(messages.map(({ info, parts }) => [info.role, parts.map((part) => "text" in part && part.text)])).toEqual([
      ["user", ["echo hello there"]],
      ["assistant", ["hello there"]],
    ]);
    expect(messages[1]).toEqual(answer);
    const single = await data(client.session.message({ sessionID: session.id, messageID: answer.info.id }));
    expect(single).toEqual(answer);
    expect((await data(client.session.list({}))).map(({ id }) => id)).toEqual([session.id]);
    expect((await ours.get(`/v1/sessions/${session.id}`)).json).toMatchObject({ agent: "mock", title: "First" });
  });

  test("gets the events of a turn in the order its users rely on", async () => {
    const { client } = await connect();
    const events = await follow(client);
    const session = await data(client.session.create({}));
    await client.session.prompt({ sessionID: session.id, ...say("markdown") });
    await events.next("session.idle");
    const types = events.types();
    const turn = types.slice(types.indexOf("message.updated")).filter((type, at, all) => type !== all[at - 1]);
    expect(turn).toEqual([
      ...["message.updated", "message.part.updated"],
      ...["session.status", "message.updated"],
      ...["message.part.updated", "message.part.delta", "message.part.updated"],
      ...["message.updated", "session.updated", "session.status", "session.idle"],
    ]);
    const deltas = events.all.flatMap((event) => (event.type === "message.part.delta" ? [event.properties.delta] : []));
    const [, answer] = await data(client.session.messages({ sessionID: session.id }));
    expect(answer?.parts).toMatchObject([{ text: deltas.join("") }]);
  });

  test("answers a permission and a question, each once", async () => {
    const { client } = await connect();
    const events = await follow(client);
    const session = await data(client.session.create({}));
    await client.session.promptAsync({ sessionID: session.id, ...say("permission1") });
    const asked = await events.next("permission.asked");
    expect(asked.properties).toMatchObject({ permission: "bash", metadata: { command: "ls -la" } });
    const { messageID = "", callID = "" } = asked.properties.tool ?? {};
    const shown = await data(client.session.message({ sessionID: session.id, messageID }));
    expect(shown.parts).toMatchObject([{ type: "tool", callID, state: { input: { command: "ls -la" } } }]);
    expect(await data(client.permission.list())).toEqual([asked.properties]);

    const requestID = asked.properties.id;
    expect(await data(client.permission.reply({ requestID, reply: "once" }))).toBe(true);
    expect(await events.next("permission.replied")).toMatchObject({ properties: { requestID, reply: "once" } });
    await expect(client.permission.reply({ requestID, reply: "reject" })).rejects.toThrow(/answered already/);
    await events.next("session.idle");
    expect(await data(client.permission.list())).toEqual([]);

    await client.session.promptAsync({ sessionID: session.id, ...say("question") });
    const first = await events.next("question.asked");
    const second = await events.next("question.asked");
    expect(await data(client.question.list())).toEqual([first.properties, second.properties]);
    expect(first.properties.questions[0]?.options.map(({ label }) => label)).toEqual(["Red", "Blue"]);
    await client.question.reply({ requestID: first.properties.id, answers: [["Blue"]] });
    expect(await events.next("question.replied")).toMatchObject({ properties: { answers: [["Blue"]] } });
    await client.question.reject({ requestID: second.properties.id });
    expect(await events.next("question.rejected")).toMatchObject({ properties: { requestID: second.properties.id } });
    await events.next("session.idle");
  });

  test("gets running turns and open requests when it connects later", async () => {
    const { client } = await connect();
    const early = await follow(client);
    const session = await data(client.session.create({}));
    await client.session.promptAsync({ sessionID: session.id, ...say("permission1") });
    const asked = await early.next("permission.asked");
    const late = await follow(client);
    expect((await late.next("session.status")).properties).toEqual({ sessionID: session.id, status: { type: "busy" } });
    expect((await late.next("permission.asked")).properties).toEqual(asked.properties);
    await client.session.abort({ sessionID: session.id });
    expect(await late.next("permission.replied")).toMatchObject({ properties: { reply: "reject" } });
    await late.next("session.idle");
  });

  test("gets no answered requests when it connects later, and open ones once", async () => {
    const { client, ours } = await connect();
    const early = await follow(client);
    const session = await data(client.session.create({}));
    await client.session.promptAsync({ sessionID: session.id, ...say("permission1") });
    const { properties: answered } = await early.next("permission.asked");
    await client.permission.reply({ requestID: answered.id, reply: "once" });
    await early.next("session.idle");
    await client.session.promptAsync({ sessionID: session.id, ...say("permission1") });
    const { properties: open } = await early.next("permission.asked");

    const late = await follow(client);
    await ours.send(session.id, "left", { delivery: "steer" });
    await client.session.abort({ sessionID: session.id });
    await late.next("session.idle");
    const asked = late.all.flatMap((event) => (event.type === "permission.asked" ? [event.properties.id] : []));
    expect(asked).toEqual([open.id]);
  });

  test("sees sessions of the other APIs, and they see its sessions", async () => {
    const { client, ours } = await connect();
    const events = await follow(client);
    await ours.create("from elsewhere", { title: "Elsewhere" });
    const { info } = (await events.next("session.created")).properties;
    expect(info).toMatchObject({ id: expect.stringMatching(/^ses/), title: "Elsewhere" });
    const sessionID = info.id;
    await ours.send("from elsewhere", "echo one");
    await events.next("session.idle");
    const messages = await data(client.session.messages({ sessionID }));
    expect(messages).toHaveLength(2);
    await client.session.prompt({ sessionID, ...say("echo two") });
    expect((await ours.get("/v1/sessions/from%20elsewhere/transcript")).json.items).toHaveLength(4);
    await client.session.update({ sessionID, title: "Renamed" });
    expect((await ours.get("/v1/sessions/from%20elsewhere")).json.title).toBe("Renamed");
    await ours.delete("/v1/sessions/from%20elsewhere");
    expect(await events.next("session.deleted")).toMatchObject({ properties: { sessionID } });
  });

  test("a queued message is shown immediately and keeps its id", async () => {
    const { client } = await connect();
    const events = await follow(client);
    const session = await data(client.session.create({}));
    await client.session.promptAsync({ sessionID: session.id, ...say("hang") });
    await events.next("session.status");
    const messageID = "msg_chosen";
    await client.session.promptAsync({ sessionID: session.id, messageID, ...say("echo later") });
    await events.next("message.updated", ({ properties }) => properties.info.id === messageID);
    const messages = await data(client.session.messages({ sessionID: session.id }));
    expect(messages.map(({ info }) => info.role)).toEqual(["user", "assistant", "user"]);
    expect(messages[2]).toMatchObject({ info: { id: messageID }, parts: [{ text: "echo later" }] });
    await client.session.abort({ sessionID: session.id });
    expect(await events.next("message.removed")).toMatchObject({ properties: { messageID } });
    await events.next("session.idle");
    const after = await data(client.session.messages({ sessionID: session.id }));
    expect(after.at(-1)?.info).toMatchObject({ error: { name: "MessageAbortedError" } });
  });

  test("todo lists, errors and edited files are sent", async () => {
    const { client } = await connect();
    const events = await follow(client);
    const session = await data(client.session.create({}));
    await client.session.prompt({ sessionID: session.id, ...say("todo") });
    const { todos } = (await events.next("todo.updated")).properties;
    expect(todos.map(({ content, status }) => [content, status])).toEqual([
      ["Read the code", "completed"],
      ["Fix the test", "in_progress"],
    ]);
    expect(await data(client.session.todo({ sessionID: session.id }))).toEqual(todos);
    await client.session.prompt({ sessionID: session.id, ...say("tool") });
    expect(await events.next("file.edited")).toMatchObject({ properties: { file: "src/new.ts" } });
    const failed = await data(client.session.prompt({ sessionID: session.id, ...say("error") }));
    expect(failed.info).toMatchObject({ error: { data: { message: "mock error" } } });
    expect(await events.next("session.error")).toMatchObject({ properties: { sessionID: session.id } });
    await events.next("session.idle");
  });

  test("agents are providers, their modes are agents", async () => {
    const { client } = await connect();
    const providers = await data(client.provider.list());
    expect(providers).toMatchObject({ connected: ["mock"], default: { mock: "mock" } });
    expect(providers.all[0]).toMatchObject({ id: "mock", models: { mock: { family: "Mock" } } });
    expect((await data(client.config.providers())).providers).toHaveLength(1);
    expect((await data(client.app.agents())).map(({ name }) => name)).toEqual(["build", "plan"]);
    expect(await data(client.config.get())).toMatchObject({ model: "mock/mock", share: "disabled" });
  });
});

describe("bad input", () => {
  test("missing, unsupported and unauthorized requests fail with a message", async () => {
    const { url, client, directory } = await connect();
    await expect(client.session.get({ sessionID: "ses_none" })).rejects.toThrow(/no session "ses_none"/);
    await expect(client.session.prompt({ sessionID: "ses_none", ...say("hi") })).rejects.toThrow(/no session/);
    await expect(client.permission.reply({ requestID: "per_none", reply: "once" })).rejects.toThrow(/no request/);
    const session = await data(client.session.create({}));
    const other = { providerID: "nobody", modelID: "none" };
    const hello = { sessionID: session.id, model: other, parts: [{ type: "text" as const, text: "hi" }] };
    await expect(client.session.prompt(hello)).rejects.toThrow(/unknown agent "nobody"/);
    await client.session.prompt({ sessionID: session.id, ...say("hi") });
    await expect(client.session.prompt(hello)).rejects.toThrow(/runs mock and cannot be changed to nobody/);
    await expect(client.session.prompt({ sessionID: session.id, parts: [] })).rejects.toThrow(/empty/);
    await expect(client.session.share({ sessionID: session.id })).rejects.toThrow(/not supported/);
    await expect(clientOf(url, directory, "wrong").session.list({})).rejects.toThrow(/token is wrong/);
  });

  test("unknown paths and wrong methods are answered in JSON", async () => {
    const { url } = await connect();
    const headers = { authorization: `Bearer ${token}` };
    const unknown = await fetch(`${url}/opencode/nowhere`, { headers });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { name: "NotFoundError" }]);
    const wrong = await fetch(`${url}/opencode/config`, { method: "POST", headers });
    expect([wrong.status, await wrong.json()]).toMatchObject([405, { data: { message: expect.any(String) } }]);
  });

  test("the same paths work at the root, with the token and only with it", async () => {
    const { url } = await connect();
    expect(await (await fetch(`${url}/global/health`)).json()).toMatchObject({ healthy: true });
    const refused = await fetch(`${url}/session`);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="sandbox-agent"']);
    const authorization = `Basic ${btoa(`anybody:${token}`)}`;
    expect(await (await fetch(`${url}/session`, { headers: { authorization } })).json()).toEqual([]);
  });

  test("a page that cannot send JSON cannot send a prompt", async () => {
    const { url } = await startTestDaemon();
    const session = await data(clientOf(url, temporaryDirectory()).session.create({}));
    const body = JSON.stringify({ parts: [{ type: "text", text: "hi" }] });
    const headers = { "content-type": "text/plain" };
    expect((await fetch(`${url}/session/${session.id}/message`, { method: "POST", body, headers })).status).toBe(415);
  });
});
