/** A client that reconnects to the same address and finds another data directory there. */
import { type Reset, SandboxAgent, type Session, type UniversalEvent } from "sandbox-agent";
import { describe, expect, onTestFinished, test } from "vitest";
import { spawnDaemon, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";

/** A daemon with a session `s`, and a function that replaces it by another one whose session `s` has these messages. */
async function replaceable() {
  const first = await spawnDaemon(temporaryDirectory());
  const client = await SandboxAgent.connect({ baseUrl: first.url });
  onTestFinished(() => client.dispose());
  const session = await client.createSession({ agent: "mock", sessionId: "s" });
  return {
    client,
    session,
    async replace(...messages: string[]) {
      const dataDir = temporaryDirectory();
      const elsewhere = await startTestDaemon({ dataDir });
      const other = await SandboxAgent.connect({ baseUrl: elsewhere.url });
      const theirs = await other.createSession({ agent: "mock", sessionId: "s" });
      for (const message of messages) await runTurn(theirs, message);
      await other.dispose();
      await elsewhere.stop();
      // SIGKILL, because SIGTERM would end turns and notify clients.
      first.kill("SIGKILL");
      await first.exited;
      await startTestDaemon({ dataDir, port: Number(new URL(first.url).port) });
    },
  };
}

async function runTurn(session: Session, message: string): Promise<void> {
  await session.send(message);
  await session.wait("idle");
}

/** Reads a stream until an event matches, and records everything. */
function follow(stream: (onReset: (reset: Reset) => void) => AsyncGenerator<UniversalEvent>) {
  const seen: (UniversalEvent | Reset)[] = [];
  const events = stream((reset) => seen.push(reset));
  return {
    seen,
    async until(matches: (event: UniversalEvent) => boolean): Promise<void> {
      for (;;) {
        const { value, done } = await events.next();
        if (done) throw new Error("the stream has ended");
        seen.push(value);
        if (matches(value)) return;
      }
    },
  };
}

const hasText = (text: string) => (event: UniversalEvent) =>
  event.type === "item.delta" && event.data.delta.includes(text);

/** The new log is shorter or longer than what was read. */
const sizes: [string, string[]][] = [
  ["shorter", ["echo theirs"]],
  ["longer", ["burst 300", "echo theirs"]],
];

describe.each(sizes)("a %s log behind the same address", (_, messages) => {
  test("is read from its beginning by a stream of the session", async () => {
    const { client, session, replace } = await replaceable();
    await runTurn(session, "burst 100");
    const { seen, until } = follow((onReset) => client.streamEvents("s", { offset: 0 }, { onReset }));
    await until(({ type }) => type === "turn.ended");
    const before = seen.length;
    await replace(...messages);
    await until(hasText("theirs"));
    const [reset, ...rest] = seen.slice(before);
    expect(reset).toMatchObject({ reason: "other_log", log: expect.any(String) });
    expect(rest.map((each) => "sequence" in each && each.sequence)).toEqual(rest.map((_, index) => index + 1));
    // The stream continues in the new log.
    await session.send("echo once more");
    await until(hasText("once more"));
    expect(seen.filter((each) => "reason" in each)).toHaveLength(1);
  });

  test("is read from its beginning by a stream of all sessions", async () => {
    const { client, session, replace } = await replaceable();
    await runTurn(session, "burst 100");
    const { seen, until } = follow((onReset) =>
      client.api.events("streamAllEvents", { query: { offset: "0" }, onReset }),
    );
    await until(({ type }) => type === "turn.ended");
    const before = seen.length;
    await replace(...messages);
    await until(hasText("theirs"));
    const [reset, first] = seen.slice(before);
    expect(reset).toMatchObject({ reason: "other_log" });
    expect(first).toMatchObject({ type: "session.started", sequence: 1 });
  });

  test("replaces the transcript of a session that is listened to", async () => {
    const { session, replace } = await replaceable();
    const resets: Reset[] = [];
    const received: number[] = [];
    const theirs = Promise.withResolvers<void>();
    session.on("reset", (reset) => {
      resets.push(reset);
      received.length = 0;
    });
    session.on("event", (event) => {
      received.push(event.sequence);
      if (hasText("theirs")(event)) theirs.resolve();
    });
    await runTurn(session, "burst 100");
    await expect.poll(() => session.transcript().turns.at(-1)?.reason).toBe("completed");
    await replace(...messages);
    await theirs.promise;
    const whole = await session.refresh();
    expect(whole.items.filter(({ role }) => role === "user")).toHaveLength(messages.length);
    expect(whole.turns).toHaveLength(messages.length);
    expect(received).toEqual(received.map((_, index) => index + 1));
    expect(resets).toHaveLength(1);
  });

  test("replaces the transcript of a session that is only refreshed", async () => {
    const { session, replace } = await replaceable();
    await runTurn(session, "burst 100");
    expect((await session.refresh()).turns).toHaveLength(1);
    await replace(...messages);
    const { turns, lastSequence } = await session.refresh();
    expect(turns).toHaveLength(messages.length);
    expect(lastSequence).toBe((await session.info()).lastSequence);
  });

  test("fails a prompt whose turn is not in it", async () => {
    const { session, replace } = await replaceable();
    const deltaArrived = Promise.withResolvers<void>();
    const reading = (async () => {
      for await (const { type } of session.prompt("slow 100000 10")) if (type === "item.delta") deltaArrived.resolve();
    })();
    await deltaArrived.promise;
    const rejected = expect(reading).rejects.toThrow("event log was replaced");
    await replace(...messages);
    await rejected;
    expect((await session.refresh()).turns).toHaveLength(messages.length);
  });
});
