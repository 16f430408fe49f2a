/** Sizes of terminals: an emulator of millions of cells breaks the terminal for good, so sizes have a limit wherever one is given. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";

const huge = { cols: 8000, rows: 8000 };

async function startShell(client: TestClient): Promise<string> {
  const { json } = await client.post("/v1/processes", { command: "sh", tty: true, cols: 80, rows: 24 });
  return json.id;
}

async function expectUsable(client: TestClient, id: string): Promise<void> {
  await client.post(`/v1/terminals/${id}/input`, { data: "echo size: $(stty size)\n", encoding: "text" });
  const screen = async () => (await client.get(`/v1/terminals/${id}/screen`)).json;
  await expect.poll(async () => (await screen()).text).toContain("size: 24 80");
  expect(await screen()).toMatchObject({ cols: 80, rows: 24 });
}

describe("a size of 8000 × 8000 is rejected, and the terminal continues,", () => {
  test.each([
    ["by resizing a terminal", "POST", (id: string) => `/v1/terminals/${id}/resize`, huge],
    ["by resizing the terminal of a process", "POST", (id: string) => `/v1/processes/${id}/terminal/resize`, huge],
    ["in the OpenCode API", "PUT", (id: string) => `/pty/${id.replace("proc_", "pty_")}`, { size: huge }],
    [
      "in the OpenCode API, one side",
      "PUT",
      (id: string) => `/pty/${id.replace("proc_", "pty_")}`,
      { size: { ...huge, cols: 80 } },
    ],
  ])("%s", async (_, method, pathOf, body) => {
    const client = await startTestClient();
    const id = await startShell(client);
    const { status, text } = await client.call(method, pathOf(id), {
      body: Buffer.from(JSON.stringify(body)),
    });
    expect(status).toBe(400);
    expect(text).toContain("rows: Too big: expected number to be <=1000");
    await expectUsable(client, id);
  });

  test("on a WebSocket", async () => {
    const client = await startTestClient();
    const id = await startShell(client);
    const socket = new WebSocket(`${client.url.replace("http", "ws")}/v1/terminals/${id}/ws`);
    onTestFinished(() => socket.close());
    const refusal = new Promise<string>((resolve) => {
      socket.onmessage = ({ data }) => {
        if (typeof data === "string" && JSON.parse(data).type === "error") resolve(JSON.parse(data).message);
      };
    });
    socket.onopen = () => socket.send(JSON.stringify({ type: "resize", ...huge }));
    expect(await refusal).toContain("cols: Too big: expected number to be <=1000");
    await expectUsable(client, id);
  });

  test("by starting a process", async () => {
    const client = await startTestClient();
    const { status } = await client.post("/v1/processes", { command: "sh", tty: true, ...huge });
    expect(status).toBe(400);
    expect((await client.get("/v1/processes")).json.processes).toEqual([]);
  });
});

test("OpenCode clients resize within the limit", async () => {
  const client = await startTestClient();
  const id = await startShell(client);
  const body = { size: { cols: 1000, rows: 50 } };
  expect((await client.call("PUT", `/pty/${id.replace("proc_", "pty_")}`, { body })).status).toBe(200);
  expect((await client.get(`/v1/terminals/${id}`)).json).toMatchObject({ cols: 1000, rows: 50 });
});
