/** Forks through OpenCode's API, by both of its official clients. */
import { createOpencodeClient as createV1 } from "@opencode-ai/sdk/client";
import { createOpencodeClient } from "@opencode-ai/sdk/v2/client";
import { expect, test } from "vitest";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { data, SdkEvents } from "./sdk-events.ts";

async function start() {
  const directory = temporaryDirectory();
  const { url } = await startTestDaemon();
  const options = { baseUrl: `${url}/opencode`, directory, throwOnError: true as const };
  const client = createOpencodeClient(options);
  const { id } = await data(client.session.create({ title: "Fruit" }));
  const said = async (sessionID: string) => {
    const messages = await data(client.session.messages({ sessionID }));
    return messages.map(({ info, parts }) => [
      info.role,
      parts.map((part) => ("text" in part ? part.text : part.type)),
    ]);
  };
  const say = (sessionID: string, text: string) =>
    client.session.prompt({
      sessionID,
      model: { providerID: "mock", modelID: "mock" },
      parts: [{ type: "text", text }],
    });
  return { client, old: createV1(options), id, said, say };
}

test("the v2 client forks a session, before a message or as a whole, and talks to the fork", async () => {
  const { client, id, said, say } = await start();
  await say(id, "echo apple");
  await say(id, "echo pear");
  const messages = await data(client.session.messages({ sessionID: id }));
  const events = new SdkEvents((await client.global.event()).stream);
  await events.next("server.connected");

  const whole = await data(client.session.fork({ sessionID: id }));
  expect(whole).toMatchObject({ title: "Fruit (fork #1)" });
  expect(whole.parentID).toBeUndefined();
  await events.next("session.created", ({ properties }) => properties.info.id === whole.id);
  expect(await said(whole.id)).toEqual(await said(id));
  const copies = await data(client.session.messages({ sessionID: whole.id }));
  const ids = [...messages, ...copies].map(({ info }) => info.id);
  expect(new Set(ids).size).toBe(8);
  expect(copies.map(({ info }) => info.id)).toEqual(copies.map(({ info }) => info.id).toSorted());

  const before = await data(client.session.fork({ sessionID: id, messageID: messages[2]?.info.id ?? "" }));
  expect(await said(before.id)).toEqual([
    ["user", ["echo apple"]],
    ["assistant", ["apple"]],
  ]);
  const answer = await data(say(before.id, "which fruit?"));
  expect(answer.parts[0]).toMatchObject({ text: expect.stringContaining("User: echo apple") });
  expect((await said(before.id)).at(-2)).toEqual(["user", ["which fruit?"]]);
});

test("the v1 client forks a session", async () => {
  const { old, id, said, say } = await start();
  await say(id, "echo apple");
  const fork = await data(old.session.fork({ path: { id } }));
  expect(await said(fork.id)).toEqual(await said(id));
});

test("a session without messages can be forked", async () => {
  const { client, id, said, say } = await start();
  const fork = await data(client.session.fork({ sessionID: id }));
  expect(fork).toMatchObject({ title: "Fruit (fork #1)" });
  await say(fork.id, "echo plum");
  expect(await said(fork.id)).toHaveLength(2);
  expect(await said(id)).toEqual([]);
});

test("a fork of a missing session, or before a missing message, is rejected", async () => {
  const { client, id, say } = await start();
  await expect(client.session.fork({ sessionID: "ses_none" })).rejects.toThrow(/no session/);
  await say(id, "echo apple");
  await expect(client.session.fork({ sessionID: id, messageID: "msg_none" })).rejects.toThrow(/no message msg_none/);
});
