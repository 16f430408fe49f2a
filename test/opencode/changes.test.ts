/** Changed files, revert and unrevert, with the official client of OpenCode's API. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createOpencodeClient } from "@opencode-ai/sdk/v2/client";
import type { DaemonOptions } from "@sandbox-agent/daemon";
import { expect, onTestFinished, test, vi } from "vitest";
import { agentWithHands } from "../changes/hands.ts";
import { put } from "../changes/project.ts";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { data, SdkEvents } from "./sdk-events.ts";

async function start(options: Partial<DaemonOptions> = {}) {
  const directory = temporaryDirectory();
  put(directory, "a.txt", "one\n");
  const { url, stop } = await startTestDaemon(options, agentWithHands());
  const client = createOpencodeClient({ baseUrl: `${url}/opencode`, directory, throwOnError: true });
  const session = await data(client.session.create({}));
  const sessionID = session.id;
  const model = { providerID: "mock", modelID: "mock" };
  const turn = async (text: string) =>
    (await data(client.session.prompt({ sessionID, model, parts: [{ type: "text", text }] }))).info;
  return { client, directory, sessionID, turn, stop };
}

test("changed files are announced, with one patch each", async () => {
  const { client, directory, sessionID, turn } = await start();
  expect(await data(client.session.diff({ sessionID }))).toEqual([]);
  const { stream } = await client.global.event();
  const events = new SdkEvents(stream);
  await events.next("server.connected");
  const answer = await turn("quiet echo two >> a.txt && echo new > b.txt");
  await events.next("file.edited", ({ properties }) => properties.file === join(directory, "b.txt"));
  const { properties } = await events.next("session.diff", (event) => event.properties.diff.length === 2);
  expect(properties.sessionID).toBe(sessionID);
  expect(properties.diff).toMatchObject([
    { file: "a.txt", status: "modified", additions: 1, deletions: 0, patch: expect.stringContaining("\n+two\n") },
    { file: "b.txt", status: "added", additions: 1, deletions: 0, patch: expect.stringContaining("\n+new\n") },
  ]);
  expect(properties.diff[0]?.patch).not.toContain("+new");
  expect(await data(client.session.diff({ sessionID }))).toEqual(properties.diff);

  await turn("quiet echo 3 > c.txt");
  const files = async (messageID: string) =>
    (await data(client.session.diff({ sessionID, messageID }))).map(({ file }) => file);
  expect(await files(answer.id)).toEqual(["a.txt", "b.txt"]);
  await expect(files("msg_none")).rejects.toThrow(/no message msg_none/);
});

test("files are reverted to before a message, further back, and restored", async () => {
  const { client, directory, sessionID, turn } = await start();
  const content = () => readFileSync(join(directory, "a.txt"), "utf8");
  await turn("quiet echo two >> a.txt");
  await turn("quiet echo three >> a.txt && echo new > b.txt");
  const messages = await data(client.session.messages({ sessionID }));
  const [first = "", second = ""] = messages.filter(({ info }) => info.role === "user").map(({ info }) => info.id);

  const reverted = await data(client.session.revert({ sessionID, messageID: second }));
  expect(reverted.revert).toMatchObject({ messageID: second });
  expect([content(), existsSync(join(directory, "b.txt"))]).toEqual(["one\ntwo\n", false]);
  await client.session.revert({ sessionID, messageID: first });
  expect(content()).toBe("one\n");
  expect((await data(client.session.get({ sessionID }))).revert).toMatchObject({ messageID: first });

  const forward = await data(client.session.unrevert({ sessionID }));
  expect(forward.revert).toBeUndefined();
  expect([content(), existsSync(join(directory, "b.txt"))]).toEqual(["one\ntwo\nthree\n", true]);

  await client.session.revert({ sessionID, messageID: second });
  const { stream } = await client.global.event();
  const events = new SdkEvents(stream);
  await events.next("server.connected");
  await turn("quiet true");
  await events.next("session.updated", ({ properties }) => properties.info.revert === undefined);
  expect((await data(client.session.get({ sessionID }))).revert).toBeUndefined();
  await expect(client.session.revert({ sessionID, messageID: "msg_none" })).rejects.toThrow(/no message msg_none/);
  const { error } = (await events.next("session.error")).properties;
  expect(error?.data).toMatchObject({ message: expect.stringContaining("no message msg_none") });
});

test("a revert survives a restart, shows in every API, and can be undone", async () => {
  const dataDir = temporaryDirectory();
  const { client, directory, sessionID, turn, stop } = await start({ dataDir });
  const { parentID: messageID } = await turn("quiet echo two >> a.txt");
  await client.session.revert({ sessionID, messageID });
  await stop();
  const { url } = await startTestDaemon({ dataDir }, agentWithHands());
  const again = createOpencodeClient({ baseUrl: `${url}/opencode`, directory, throwOnError: true });
  expect((await data(again.session.get({ sessionID }))).revert).toMatchObject({ messageID });
  const { json } = await new TestClient(url).get(`/v1/sessions/${sessionID}`);
  expect(json.revert).toEqual({ messageId: messageID, checkpointId: expect.any(String) });
  await again.session.unrevert({ sessionID });
  expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\ntwo\n");
  expect((await data(again.session.get({ sessionID }))).revert).toBeUndefined();
});

test("a revert waits for a checkpoint that is still being written", async () => {
  const bin = temporaryDirectory();
  const free = join(bin, "free");
  const script = `#!/bin/sh\nuntil [ -e ${free} ]; do sleep 0.05; done\nexec ${Bun.which("git")} "$@"\n`;
  writeFileSync(join(bin, "git"), script, { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { client, sessionID, turn } = await start();
  const { parentID: messageID } = await turn("quiet true");
  const reverted = data(client.session.revert({ sessionID, messageID }));
  // When a later request is answered, this one has been received.
  await client.session.get({ sessionID });
  writeFileSync(free, "");
  expect((await reverted).revert).toMatchObject({ messageID });
});
