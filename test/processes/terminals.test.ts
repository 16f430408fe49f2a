/** Terminals: attaching, typing, sizes, several viewers, slow ones, who may attach, recordings. */
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";
import { expectProblem, faults } from "../harness/problem.ts";
import { outputOf, screenWith, start, view, written } from "./lab.ts";

const shell = { command: "bash", args: ["--norc"], tty: true, env: { PS1: "$ " } };

/** A shell at a terminal, ready for input. */
async function startShell(client: TestClient): Promise<string> {
  const id = await start(client, shell);
  await screenWith(client, id, /^\$/);
  return id;
}

function type(client: TestClient, id: string, data: string) {
  return client.post(`/v1/terminals/${id}/input`, { data, encoding: "utf8" });
}

describe("a terminal", () => {
  test("is described under the id of its process", async () => {
    const client = await startTestClient();
    const id = await start(client, { ...shell, cols: 100, rows: 30 });
    const info = {
      id,
      kind: "process",
      title: "bash --norc",
      cols: 100,
      rows: 30,
      status: "running",
      viewers: 0,
      createdAtMs: expect.any(Number),
    };
    expect((await client.get(`/v1/terminals/${id}`)).json).toEqual(info);
    expect((await client.get("/v1/terminals")).json).toEqual({ terminals: [info] });
  });

  test("has a shell with job control in it", async () => {
    const client = await startTestClient();
    const id = await startShell(client);
    await type(client, id, "tty; stty size\n");
    const text = await screenWith(client, id, /24 80\n\$$/);
    expect(text).toMatch(/^\$ tty; stty size\n\/dev\/pts\/\d+\n24 80\n\$$/);
  });

  test("answers a program that queries the cursor, without viewers", async () => {
    const client = await startTestClient();
    const script = "stty raw -echo; printf '\\033[6n'; dd bs=1 count=6 2>/dev/null | od -c; stty sane";
    const id = await start(client, { command: "sh", args: ["-c", script], tty: true });
    expect(await outputOf(client, id)).toMatch(/033 {3}\[ {3}1 {3}; {3}1 {3}R/);
  });

  test("can be looked at when it has ended", async () => {
    const client = await startTestClient();
    const id = await start(client, {
      command: "sh",
      args: ["-c", "printf 'a\\033[31mred\\033[0m'; exit 5"],
      tty: true,
    });
    await outputOf(client, id);
    const { json } = await client.get(`/v1/terminals/${id}/screen`);
    expect(json).toMatchObject({ text: "ared", cursor: { x: 4, y: 0 }, cols: 80, rows: 24 });
    expect(json.ansi).toContain("\x1b[31mred");
    expect((await client.get(`/v1/terminals/${id}`)).json).toMatchObject({ status: "exited", exitCode: 5 });
    expectProblem(await type(client, id, "x"), "conflict");
    expectProblem(await client.post(`/v1/terminals/${id}/resize`, { cols: 10, rows: 10 }), "conflict");
  });

  test("goes with its process, and not before it", async () => {
    const client = await startTestClient();
    const id = await startShell(client);
    expectProblem(await client.delete(`/v1/terminals/${id}`), "conflict");
    await client.post(`/v1/processes/${id}/kill?wait_ms=20000`);
    await client.delete(`/v1/processes/${id}`);
    expectProblem(await client.get(`/v1/terminals/${id}`), "not_found", { details: { resource: "terminal", id } });
  });
});

describe("a viewer", () => {
  test.each(["/v1/terminals/ID/ws", "/v1/processes/ID/terminal/ws"])("attaches at %s", async (path) => {
    const client = await startTestClient();
    const id = await startShell(client);
    const viewer = view(client, path.replace("ID", id));
    await viewer.until(() => viewer.shown().includes("$ "));
    expect(viewer.frames[0]).toEqual({ type: "ready", processId: id, cols: 80, rows: 24 });
    viewer.send({ type: "input", data: "echo $((6*7))\n" });
    await viewer.until(() => viewer.shown().includes("42\r\n"));
    viewer.send({ type: "input", data: Buffer.from("exit 3\n").toString("base64"), encoding: "base64" });
    expect(await viewer.closed).toBe(1000);
    expect(viewer.frames.at(-1)).toEqual({ type: "exit", exitCode: 3 });
  });

  test("gets the screen as it is, colours included, not all that led to it", async () => {
    const client = await startTestClient();
    const id = await startShell(client);
    await type(client, id, "for i in $(seq 5000); do echo line $i; done; clear; printf '\\033[32mgreen\\033[0m\\n'\n");
    await screenWith(client, id, /^green\n\$$/);
    const viewer = view(client, `/v1/terminals/${id}/ws`);
    await viewer.until(() => viewer.shown().includes("green"));
    expect(viewer.shown()).toContain("\x1b[32mgreen");
    expect(viewer.shown()).not.toContain("line 1\r\n");
  });

  test("of an ended terminal gets its last screen, its exit, and is let go", async () => {
    const client = await startTestClient();
    const id = await start(client, { command: "sh", args: ["-c", "echo last words; exit 2"], tty: true });
    await outputOf(client, id);
    const viewer = view(client, `/v1/terminals/${id}/ws`);
    expect(await viewer.closed).toBe(1000);
    expect(viewer.shown()).toContain("last words");
    expect(viewer.frames.at(-1)).toEqual({ type: "exit", exitCode: 2 });
  });

  test("changes the size for all", async () => {
    const client = await startTestClient();
    const id = await startShell(client);
    const [one, other] = [view(client, `/v1/terminals/${id}/ws`), view(client, `/v1/terminals/${id}/ws`)];
    await Promise.all([one, other].map((viewer) => viewer.until(() => viewer.shown().includes("$ "))));
    one.send({ type: "resize", cols: 132, rows: 50 });
    await other.until(() => other.frames.some((frame) => frame.type === "resize" && frame.cols === 132));
    one.send({ type: "input", data: "stty size\n" });
    await other.until(() => other.shown().includes("50 132\r\n"));
    expect((await client.get(`/v1/terminals/${id}`)).json).toMatchObject({ cols: 132, rows: 50, viewers: 2 });
    one.send({ type: "close" });
    expect(await one.closed).toBe(1000);
    await type(client, id, "echo still here\n");
    await other.until(() => other.shown().includes("still here\r\n"));
  });

  test.each(["nonsense", '{"type":"dance"}', '{"type":"resize","cols":0,"rows":5}', '{"type":"input"}'])(
    "is told of a frame that is none, and stays: %s",
    async (frame) => {
      const client = await startTestClient();
      const id = await startShell(client);
      const viewer = view(client, `/v1/terminals/${id}/ws`);
      await viewer.until(() => viewer.shown().includes("$ "));
      viewer.send(frame);
      await viewer.until(() => viewer.frames.at(-1)?.type === "error");
      viewer.send({ type: "input", data: "echo alive\n" });
      await viewer.until(() => viewer.shown().includes("alive\r\n"));
    },
  );

  test("that stalls is not sent what it misses, and sees the present screen when it reads again", async () => {
    const client = await startTestClient();
    const id = await startShell(client);
    const slow = await stalledViewer(client, id);
    const quick = view(client, `/v1/terminals/${id}/ws`);
    await quick.until(() => quick.shown().includes("$ "));
    await type(client, id, "head -c 16000000 /dev/zero | tr '\\0' 'x' | fold -w 79; clear; echo the $((1+1))nd end\n");
    await screenWith(client, id, /^the 2nd end/);
    await quick.until(() => quick.shown().includes("the 2nd end"));
    const received = await slow.resumeUntil("the 2nd end");
    // All of it would have been more.
    expect(received).toBeLessThan(16_000_000);
  });
});

describe("attaching", () => {
  test("needs an upgrade, a terminal, and the token", async () => {
    const client = await startTestClient({ token: "secret" });
    const id = await startShell(client);
    const plain = await start(client, { command: "cat", interactive: true });
    expectProblem(await client.get(`/v1/terminals/${id}/ws`), "invalid_request");
    expectProblem(await client.get("/v1/terminals/nope/ws"), "not_found", {
      details: { resource: "terminal", id: "nope" },
    });
    expectProblem(await client.get(`/v1/processes/${plain}/terminal/ws`), "conflict");
    expectProblem(await client.post(`/v1/processes/${plain}/terminal/resize`, { cols: 9, rows: 9 }), "conflict");
    expect(await upgradeStatus(client, `/v1/terminals/${id}/ws`)).toBe(401);
    expect(await upgradeStatus(client, `/v1/terminals/${id}/ws?access_token=wrong`)).toBe(401);
    expect(await upgradeStatus(client, `/v1/terminals/${id}/ws?access_token=secret`)).toBe(101);
    expect(await upgradeStatus(client, `/v1/terminals/${id}/ws`, "Authorization: Bearer secret")).toBe(101);
  });

  test("is not for pages of other origins", async () => {
    const client = await startTestClient({
      cors: { origins: ["https://friend.example"], methods: [], headers: [], credentials: false },
    });
    const path = `/v1/terminals/${await startShell(client)}/ws`;
    expect(await upgradeStatus(client, path, "Origin: https://stranger.example")).toBe(403);
    expect(await upgradeStatus(client, path, "Origin: null")).toBe(403);
    expect(await upgradeStatus(client, path, "Origin: https://friend.example")).toBe(101);
    expect(await upgradeStatus(client, path, `Origin: ${client.url}`)).toBe(101);
  });
});

describe("a size", () => {
  test.each([
    [{ cols: 0, rows: 24 }, "cols"],
    [{ cols: 80, rows: 0 }, "rows"],
    [{ cols: 80, rows: 1001 }, "rows"],
    [{ cols: 1.5, rows: 24 }, "cols"],
  ])("that is invalid is rejected: %j", async (size, path) => {
    const client = await startTestClient();
    const id = await startShell(client);
    for (const address of [`/v1/terminals/${id}/resize`, `/v1/processes/${id}/terminal/resize`])
      expectProblem(await client.post(address, size), "invalid_request", { details: faults("body", path) });
  });

  test("is answered as it was given", async () => {
    const client = await startTestClient();
    const id = await startShell(client);
    const size = { cols: 70, rows: 20 };
    expect((await client.post(`/v1/processes/${id}/terminal/resize`, size)).json).toEqual(size);
    await type(client, id, "stty size\n");
    await screenWith(client, id, /^20 70$/m);
  });
});

test("a recording is an asciicast with output, sizes and times in order", async () => {
  const client = await startTestClient();
  const id = await startShell(client);
  await type(client, id, "echo first\n");
  await screenWith(client, id, /^first$/m);
  await client.post(`/v1/terminals/${id}/resize`, { cols: 100, rows: 40 });
  await type(client, id, "echo sécond; exit\n");
  await outputOf(client, id);
  const { text, headers } = await client.get(`/v1/terminals/${id}/recording`);
  expect(headers.get("content-type")).toBe("application/x-asciicast");
  const [header, ...events] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(header).toMatchObject({ version: 2, width: 80, height: 24, title: "bash --norc" });
  const times = events.map(([time]) => time);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(events).toContainEqual([expect.any(Number), "r", "100x40"]);
  const output = events.flatMap(([, kind, data]) => (kind === "o" ? [data] : [])).join("");
  expect(output).toMatch(/first\r\n[\s\S]*sécond\r\n/);
});

describe("a terminal that does not exist", () => {
  test.each([
    ["GET", ""],
    ["DELETE", ""],
    ["GET", "/screen"],
    ["POST", "/input", { data: "" }],
    ["POST", "/resize", { cols: 80, rows: 24 }],
    ["GET", "/recording"],
  ])("is not found: %s %s", async (method, path, body?: unknown) => {
    const client = await startTestClient();
    expectProblem(await client.call(method, `/v1/terminals/nope${path}`, { body }), "not_found", {
      details: { resource: "terminal", id: "nope" },
    });
  });
});

const upgrade = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

/** Asks for a WebSocket over a plain socket, which a test can leave unread. */
function ask(client: TestClient, path: string, ...headers: string[]) {
  const { hostname, port, host } = new URL(client.url);
  const socket = connect(Number(port), hostname);
  socket.write(`${[`GET ${path} HTTP/1.1`, `Host: ${host}`, ...upgrade, ...headers].join("\r\n")}\r\n\r\n`);
  return socket;
}

function upgradeStatus(client: TestClient, path: string, ...headers: string[]): Promise<number> {
  const socket = ask(client, path, ...headers);
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("data", (data) => {
      resolve(Number(data.toString().split(" ")[1]));
      socket.destroy();
    });
  });
}

/** A viewer that takes what it gets first and then stops reading. */
async function stalledViewer(client: TestClient, id: string) {
  const socket = ask(client, `/v1/terminals/${id}/ws`);
  await new Promise((resolve) => socket.once("data", resolve));
  socket.pause();
  return {
    /** Reads until the terminal shows this; how many bytes it took. */
    resumeUntil: (text: string) =>
      new Promise<number>((resolve, reject) => {
        let received = 0;
        let tail = "";
        socket.on("data", (data) => {
          received += data.length;
          tail = (tail + data.toString("latin1")).slice(-200_000);
          if (!tail.includes(text)) return;
          resolve(received);
          socket.destroy();
        });
        socket.on("close", () => reject(new Error("the socket was closed")));
        socket.resume();
      }),
  };
}

test("input to a terminal that does not read is rejected before it fills the memory", async () => {
  const client = await startTestClient();
  const id = await start(client, { command: "sh", args: ["-c", "stty raw -echo; echo up; sleep 1000"], tty: true });
  await written(client, id, "up");
  const statuses: number[] = [];
  for (let count = 0; count < 40; count++) statuses.push((await type(client, id, "x".repeat(65_536))).status);
  expect(statuses.at(-1)).toBe(409);
});
