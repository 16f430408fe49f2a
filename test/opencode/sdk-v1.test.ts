/** The client of OpenCode's older API, which has no questions and answers permissions in its own way. */
import { createOpencodeClient } from "@opencode-ai/sdk/client";
import { expect, test } from "vitest";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { data, SdkEvents } from "./sdk-events.ts";

test("the v1 client creates, prompts, follows, allows, lists, renames, aborts and deletes", async () => {
  const directory = temporaryDirectory();
  const { url } = await startTestDaemon({ token: "test-token" });
  const client = createOpencodeClient({
    baseUrl: `${url}/opencode`,
    directory,
    headers: { authorization: `Basic ${btoa("opencode:test-token")}` },
    throwOnError: true,
  });
  const events = new SdkEvents((await client.event.subscribe()).stream);
  await events.next("server.connected");

  const { id } = await data(client.session.create({ body: { title: "v1" } }));
  const path = { id };
  const say = (text: string) => ({ path, body: { parts: [{ type: "text" as const, text }] } });
  const answer = await data(client.session.prompt(say("echo one")));
  expect(answer.parts).toMatchObject([{ type: "text", text: "one" }]);
  await events.next("session.idle");

  await client.session.promptAsync(say("permission1"));
  const { properties } = await events.next("permission.asked");
  const reply = { path: { id, permissionID: properties.id }, body: { response: "always" as const } };
  expect(await data(client.postSessionIdPermissionsPermissionId(reply))).toBe(true);
  await events.next("session.idle");
  // A permission allowed for always is not requested again.
  await client.session.promptAsync(say("permission1"));
  expect(await events.next("permission.replied")).toMatchObject({ properties: { reply: "always" } });
  await events.next("session.idle");

  expect(await data(client.session.messages({ path }))).toHaveLength(6);
  expect(await data(client.session.status())).toEqual({ [id]: { type: "idle" } });
  expect(await data(client.session.update({ path, body: { title: "renamed" } }))).toMatchObject({ title: "renamed" });
  expect((await data(client.session.list())).map(({ title }) => title)).toEqual(["renamed"]);
  expect(await data(client.session.abort({ path }))).toBe(true);
  expect(await data(client.session.delete({ path }))).toBe(true);
  await events.next("session.deleted");
  await expect(client.session.get({ path })).rejects.toThrow(/no session/);
});

test("a stream of one directory has no events of others", async () => {
  const { url } = await startTestDaemon();
  const [here, there] = [temporaryDirectory(), temporaryDirectory()];
  const clientIn = (directory: string) =>
    createOpencodeClient({ baseUrl: `${url}/opencode`, directory, throwOnError: true });
  const events = new SdkEvents((await clientIn(here).event.subscribe()).stream);
  await events.next("server.connected");
  const sayIn = async (directory: string) => {
    const { id } = await data(clientIn(directory).session.create());
    await clientIn(directory).session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "echo x" }] } });
    return id;
  };
  await sayIn(there);
  const mine = await sayIn(here);
  await events.next("session.idle");
  const sessions = events.all.flatMap(({ properties }) => ("sessionID" in properties ? [properties.sessionID] : []));
  expect(new Set(sessions)).toEqual(new Set([mine]));
});
