/** Terminals, for the official client of OpenCode's API, with a plain WebSocket for their input and output. */
import { createOpencodeClient } from "@opencode-ai/sdk/v2/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { data, SdkEvents } from "./sdk-events.ts";

const token = "test-token";
const patience = { timeout: 60_000 };

async function start() {
  const directory = temporaryDirectory();
  const { url } = await startTestDaemon({ token });
  const headers = { authorization: `Bearer ${token}` };
  const client = createOpencodeClient({ baseUrl: `${url}/opencode`, directory, headers, throwOnError: true });
  return { client, directory, socketUrl: `${url.replace("http", "ws")}/opencode/pty` };
}

/** A WebSocket and all the text it has received. */
async function connect(url: string) {
  const socket = new WebSocket(url);
  onTestFinished(() => socket.close());
  const seen = { text: "", closed: false };
  socket.onmessage = ({ data }) => {
    expect(data).toBeTypeOf("string");
    seen.text += data;
  };
  socket.onclose = () => {
    seen.closed = true;
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error("refused"));
  });
  return { socket, seen };
}

test("a terminal is opened, typed into, resized and removed", async () => {
  const { client, directory, socketUrl } = await start();
  const { stream } = await client.global.event();
  const events = new SdkEvents(stream);
  await events.next("server.connected");
  const pty = await data(client.pty.create({ command: "/bin/sh", title: "Shell" }));
  expect(pty).toMatchObject({ title: "Shell", command: "/bin/sh", cwd: directory, status: "running" });
  expect((await events.next("pty.created")).properties.info).toEqual(pty);
  expect(await data(client.pty.list())).toEqual([pty]);

  const { ticket } = await data(client.pty.connectToken({ ptyID: pty.id }));
  const address = `${socketUrl}/${pty.id}/connect?ticket=${ticket}`;
  const { socket, seen } = await connect(address);
  await expect(connect(address)).rejects.toThrow("refused");
  await client.pty.update({ ptyID: pty.id, title: "Renamed", size: { cols: 101, rows: 31 } });
  expect(await data(client.pty.get({ ptyID: pty.id }))).toMatchObject({ title: "Renamed" });
  socket.send("stty size; echo gr$((1))ün\r");
  await vi.waitFor(() => expect(seen.text).toContain("gr1ün"), patience);
  expect(seen.text).toContain("31 101");

  expect(await data(client.pty.remove({ ptyID: pty.id }))).toBe(true);
  await events.next("pty.deleted", ({ properties }) => properties.id === pty.id);
  await vi.waitFor(() => expect(seen.closed).toBe(true), patience);
  await expect(client.pty.get({ ptyID: pty.id })).rejects.toThrow(/no terminal/);
});

test("a terminal that exits is announced, and can still be read", async () => {
  const { client, socketUrl } = await start();
  const { stream } = await client.global.event();
  const events = new SdkEvents(stream);
  await events.next("server.connected");
  const pty = await data(client.pty.create({ command: "/bin/sh", args: ["-c", "echo over; exit 3"] }));
  expect((await events.next("pty.exited")).properties).toEqual({ id: pty.id, exitCode: 3 });
  expect(await data(client.pty.get({ ptyID: pty.id }))).toMatchObject({ status: "exited", exitCode: 3 });
  const { seen } = await connect(`${socketUrl}/${pty.id}/connect?access_token=${token}`);
  await connect(`${socketUrl}/${pty.id}/connect?auth_token=${btoa(`opencode:${token}`)}`);
  await expect(connect(`${socketUrl}/${pty.id}/connect?auth_token=${btoa("opencode:wrong")}`)).rejects.toThrow(
    "refused",
  );
  await vi.waitFor(() => expect(seen).toMatchObject({ text: expect.stringContaining("over"), closed: true }), patience);
  await expect(connect(`${socketUrl}/${pty.id}/connect`)).rejects.toThrow("refused");
});

test("the shells of the machine are listed, and can be opened", { timeout: 60_000 }, async () => {
  const { client } = await start();
  const shells = await data(client.pty.shells());
  expect(shells).toContainEqual({ path: "/bin/sh", name: "sh", acceptable: true });
  expect(await data(client.pty.create({ command: shells[0]?.path ?? "" }))).toMatchObject({ status: "running" });
});
