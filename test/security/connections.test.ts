/**
 * Connections that do nothing: they are closed in time, so that clients cannot use up the daemon's descriptors. Work is never cut
 * off. Each of these takes as long as the timeout it is about, so all of them run at once and the tests wait for their outcome.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { type DaemonProcess, startDaemonProcess } from "../harness/daemon.ts";
import { openConnection, type RawConnection } from "../harness/raw-request.ts";
import { openRawSocket } from "../harness/raw-socket.ts";

const token = "the-token-of-the-daemon-itself-000";
/** What the daemon promises, and the precision of the runtime's timers. */
const precisionMs = 8_000;
const idleMs = 30_000 + precisionMs;
const idleMsOfKnown = 75_000 + precisionMs;
/** For one of them to fail while the others go on. */
const limitMs = 120_000;

const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-test-"));
const daemons: DaemonProcess[] = [];
const cleanups: (() => void)[] = [];
afterAll(() => {
  for (const clean of cleanups) clean();
  for (const daemon of daemons) daemon.kill("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

async function start(name: string) {
  const prefix = ["sh", "-c", 'ulimit -n 1024; exec "$@"', "sh"];
  const daemon = await startDaemonProcess(join(directory, name), ["--token", token], {}, prefix);
  daemons.push(daemon);
  const client = new TestClient(daemon.url, token);
  await client.create("a");
  return { url: daemon.url, client };
}

function open(url: string, text: string): RawConnection {
  const connection = openConnection(url, text);
  cleanups.push(() => connection.socket.destroy());
  return connection;
}

function everySecond(act: () => void): void {
  const timer = setInterval(act, 1000);
  cleanups.push(() => clearInterval(timer));
}

async function timed(work: Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work;
  return performance.now() - began;
}

const host = "Host: localhost";
const authorization = `Authorization: Bearer ${token}`;
const json = "Content-Type: application/json";
/** Everything that can be sent without a token. */
const idlers = [
  "",
  `GET /v1/health HTTP/1.1\r\n${host}\r\n\r\n`,
  "GET /v1/hea",
  `GET /v1/health HTTP/1.1\r\n${host}\r\nX-Half: `,
  `GET /v1/sessions HTTP/1.1\r\n${host}\r\n\r\n`,
  `GET /ui/ HTTP/1.1\r\n${host}\r\n\r\n`,
  `GET /v1/health HTTP/1.1\r\n${host}\r\n\r\nGET /v1/hea`,
  `POST /v1/sessions/b HTTP/1.1\r\n${host}\r\n${json}\r\nContent-Length: 1000\r\n\r\n{`,
  `POST /v1/sessions/b HTTP/1.1\r\n${host}\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
  `GET /v1/acp/b/socket?agent=mock HTTP/1.1\r\n${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
];

/** More connections than the daemon has descriptors. */
async function flood() {
  const { url } = await start("flood");
  const connections = Array.from({ length: 1100 }, (_, index) => open(url, idlers[index % idlers.length] ?? ""));
  const milliseconds = await timed(Promise.all(connections.map(({ closed }) => closed)));
  return { milliseconds, health: (await fetch(`${url}/v1/health`)).status };
}

async function trickle(url: string) {
  const connections = idlers.slice(2).map((text) => open(url, text));
  everySecond(() => connections.forEach(({ socket }) => void socket.write("x")));
  return timed(Promise.all(connections.map(({ closed }) => closed)));
}

function upload(url: string, name: string, length: number): RawConnection {
  const type = "Content-Type: application/octet-stream";
  const path = `/v1/fs/file?path=${join(directory, name)}`;
  return open(
    url,
    `PUT ${path} HTTP/1.1\r\n${host}\r\n${authorization}\r\n${type}\r\nContent-Length: ${length}\r\n\r\n`,
  );
}

const post = `POST /v1/sessions/b HTTP/1.1\r\n${host}\r\n${authorization}\r\n${json}`;

async function stoppedBodies(url: string) {
  const stopped = upload(url, "stopped", 1000);
  const stoppedJson = open(url, `${post}\r\nContent-Length: 100\r\n\r\n{`);
  await Promise.all([stopped.closed, stoppedJson.closed]);
}

async function trickledBody(url: string) {
  const { socket, head } = open(url, `${post}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  everySecond(() => socket.write("1\r\n \r\n"));
  return head;
}

/** Slower than any timeout, but it makes progress. */
async function slowUpload(url: string) {
  const [seconds, bytesPerSecond] = [70, 1000];
  const { socket, head } = upload(url, "slow", seconds * bytesPerSecond);
  let sent = 0;
  everySecond(() => {
    if (sent++ < seconds) socket.write("x".repeat(bytesPerSecond));
  });
  return { head: await head, missing: seconds * bytesPerSecond - statSync(join(directory, "slow")).size };
}

/** Longer than any connection may be idle. */
const pauseMs = 85_000;
const sleeping = { command: "sh", args: ["-c", `sleep ${pauseMs / 1000}; echo finished`], timeoutMs: 2 * pauseMs };

async function readers({ url, client }: { url: string; client: TestClient }) {
  await client.create("c");
  const events = await client.open("/v1/sessions/c/events/sse");
  const openCode = await client.fetch("GET", "/global/event");
  const socket = await openRawSocket(`${url}/v1/acp/b/socket?agent=mock&access_token=${token}`);
  cleanups.push(socket.close);
  const stalled = open(url, `GET /v1/sessions/c/events/sse HTTP/1.1\r\n${host}\r\n${authorization}\r\n\r\n`);
  await stalled.head;
  stalled.socket.pause();
  await client.get(`/v1/sessions/c/wait?until=ended&timeout_ms=${pauseMs}`);

  await client.send("c", "hello");
  await events.until(({ type }) => type === "turn.ended");
  await openCode.body?.cancel();
  socket.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } });
  await socket.message((message) => message.includes('"protocolVersion":1'));
  const rest = new Promise<string>((resolve) => {
    let text = "";
    stalled.socket.on("data", (data) => {
      text += data.toString();
      if (text.includes("turn.ended")) resolve(text);
    });
  });
  stalled.socket.resume();
  return rest;
}

async function endedStream(url: string) {
  const body = '{"message":"hello"}';
  const head = `POST /v1/sessions/a/messages/stream HTTP/1.1\r\n${host}\r\n${authorization}\r\n${json}`;
  return timed(open(url, `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`).closed);
}

async function startAll() {
  const daemon = await start("others");
  const { url, client } = daemon;
  return {
    trickle: trickle(url),
    stoppedBodies: stoppedBodies(url),
    trickledBody: trickledBody(url),
    slowUpload: slowUpload(url),
    wait: client.get(`/v1/sessions/a/wait?until=ended&timeout_ms=${pauseMs}`),
    run: client.post("/v1/processes/run", sleeping),
    runStream: client.fetch("POST", "/v1/processes/run/stream", { body: sleeping }).then((answer) => answer.text()),
    readers: readers(daemon),
    endedStream: endedStream(url),
    flood: flood(),
  };
}

let running: Awaited<ReturnType<typeof startAll>>;
beforeAll(async () => {
  running = await startAll();
  // A failure belongs to the test that waits for it.
  for (const outcome of Object.values(running)) outcome.catch(() => {});
}, 60_000);

test(
  "1,100 connections without a token are gone in time, for a daemon that has 1,024 descriptors",
  async () => {
    const { milliseconds, health } = await running.flood;
    expect(health).toBe(200);
    // Those that found no descriptor are accepted when others are gone.
    expect(milliseconds).toBeLessThan(2 * idleMs);
  },
  limitMs,
);

test(
  "connections without a token that send a byte now and then are closed in time",
  async () => {
    expect(await running.trickle).toBeLessThan(idleMs);
  },
  limitMs,
);

test("a permitted request whose body stops is closed", () => running.stoppedBodies, limitMs);

test(
  "a permitted request whose body comes byte by byte is refused",
  async () => {
    expect(await running.trickledBody).toContain("400 Bad Request");
  },
  limitMs,
);

test(
  "an upload that is slow and goes on is complete",
  async () => {
    const { head, missing } = await running.slowUpload;
    expect(head).toContain("200 OK");
    expect(missing).toBe(0);
  },
  limitMs,
);

test(
  "a request that waits long is answered",
  async () => {
    expect((await running.wait).json.reached).toBeNull();
    expect((await running.run).json.stdout).toBe("finished\n");
  },
  limitMs,
);

test(
  "a stream that is silent for long goes on",
  async () => {
    expect(await running.runStream).toContain(btoa("finished\n"));
  },
  limitMs,
);

test(
  "readers go on after a long silence, also one that had stopped to read",
  async () => {
    expect(await running.readers).toContain("turn.ended");
  },
  limitMs,
);

test(
  "the connection of a stream that has ended is closed in time",
  async () => {
    expect(await running.endedStream).toBeLessThan(idleMsOfKnown);
  },
  limitMs,
);
