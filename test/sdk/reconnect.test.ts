import { type SandboxAgent as Client, SandboxAgent, type UniversalEvent } from "sandbox-agent";
import { describe, expect, onTestFinished, test } from "vitest";
import { type DaemonProcess, spawnDaemon, temporaryDirectory } from "../harness/daemon.ts";

describe("across restarts of the daemon", () => {
  test("a stream has every sequence exactly once", { timeout: 180_000 }, async () => {
    const { client, restart } = await restartable();
    const session = await client.createSession({ agent: "mock" });
    const reader = readAll(session.events());

    for (let round = 1; round <= 10; round++) {
      await session.send("burst 20000");
      // In the middle of the burst, alternating between SIGKILL and SIGTERM.
      await reader.reached(reader.count() + 500);
      await restart(round % 2 === 0 ? "SIGTERM" : "SIGKILL");
    }
    await session.send("echo the end");
    await session.wait("idle");
    const { lastSequence } = await session.info();
    await reader.reached(lastSequence);

    // Compared one by one, because a diff of such large arrays is slow.
    const wrong = reader.sequences().findIndex((sequence, index) => sequence !== index + 1);
    expect([wrong, reader.count()]).toEqual([-1, lastSequence]);
    expect(lastSequence).toBeGreaterThan(10 * 500);
  });

  test("a prompt ends with its turn, and the session can be used again", async () => {
    const { client, restart } = await restartable();
    const session = await client.createSession({ agent: "mock" });
    const events: UniversalEvent[] = [];
    for await (const event of session.prompt("slow 100000 10")) {
      events.push(event);
      if (events.length === 8) await restart("SIGKILL");
    }
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 2));
    expect(events.at(-1)).toMatchObject({ type: "turn.ended", data: { metadata: { reason: "interrupted" } } });

    const texts: string[] = [];
    for await (const event of session.prompt("echo again"))
      if (event.type === "item.delta") texts.push(event.data.delta);
    expect(texts).toEqual(["again"]);
    expect(session.transcript()).toEqual(await client.getTranscript(session.id));
  });

  test("a listener keeps getting events", async () => {
    const { client, restart } = await restartable();
    const session = await client.createSession({ agent: "mock" });
    const received: number[] = [];
    const ended = signalled(2);
    session.on("event", ({ sequence }) => received.push(sequence));
    session.on("turn.ended", ended.signal);
    await session.send("echo one");
    await session.wait("idle");
    await restart("SIGTERM");
    await session.send("echo two");
    await ended.reached;
    expect(received).toEqual(received.map((_, index) => index + 1));
  });

  test("the stream of all sessions misses no event, even without any before", async () => {
    const { client, restart } = await restartable();
    await client.createSession("before", { agent: "mock" });
    const opened = signalled(1);
    const lost = signalled(1);
    const watched = await SandboxAgent.connect({
      baseUrl: client.baseUrl,
      async fetch(url, init) {
        const response = await fetch(url, init);
        if (url.endsWith("/events/sse")) opened.signal();
        return response;
      },
    });
    const stream = watched.streamAllEvents({}, { onRetry: lost.signal });
    const first = stream.next();
    await opened.reached;
    await restart("SIGKILL", () => lost.reached);
    await client.createSession("after", { agent: "mock" });
    const { value } = await first;
    expect(value).toMatchObject({ session_id: "after", type: "session.started" });
    await stream.return();
  });
});

/** A daemon that can be restarted at the same address with the same data. */
async function restartable() {
  const dataDir = temporaryDirectory();
  let daemon: DaemonProcess = await spawnDaemon(dataDir);
  const port = new URL(daemon.url).port;
  const client: Client = await SandboxAgent.connect({ baseUrl: daemon.url });
  onTestFinished(() => client.dispose());
  return {
    client,
    async restart(signal: NodeJS.Signals, whileDown: () => Promise<void> = async () => {}) {
      daemon.kill(signal);
      await daemon.exited;
      await whileDown();
      daemon = await spawnDaemon(dataDir, ["--port", port]);
    },
  };
}

/** Reads a stream in the background. */
function readAll(events: AsyncGenerator<UniversalEvent>) {
  const seen: number[] = [];
  let wanted = { sequence: Number.POSITIVE_INFINITY, resolve: () => {} };
  let failure: unknown = null;
  const reading = (async () => {
    for await (const { sequence } of events) {
      seen.push(sequence);
      if (sequence >= wanted.sequence) wanted.resolve();
    }
  })().catch((error) => (failure = error));
  onTestFinished(async () => void events.return(undefined));
  return {
    sequences: () => seen,
    count: () => seen.length,
    async reached(sequence: number): Promise<void> {
      if ((seen.at(-1) ?? 0) >= sequence) return;
      await Promise.race([new Promise<void>((resolve) => (wanted = { sequence, resolve })), reading]);
      if (failure) throw failure;
    },
  };
}

/** Resolves after this many signals. */
function signalled(times: number) {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  let left = times;
  const signal = () => {
    left -= 1;
    if (left === 0) resolve();
  };
  return { signal, reached };
}
