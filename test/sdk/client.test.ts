import { buildInspectorUrl, type PermissionRequest, SandboxAgent, SandboxAgentError } from "sandbox-agent";
import { describe, expect, onTestFinished, test } from "vitest";
import { startTestDaemon } from "../harness/daemon.ts";

describe("a request", () => {
  test("carries the headers of the client and of the call, and goes through its fetch", async () => {
    const seen: Headers[] = [];
    const { client } = await connect({
      token: "T",
      headers: { "x-all": "1" },
      fetch(url, init) {
        seen.push(new Headers(init.headers));
        return fetch(url, init);
      },
    });
    await client.listAgents({ headers: { "x-one": "2" } });
    expect(Object.fromEntries(seen.at(-1) ?? [])).toMatchObject({
      authorization: "Bearer T",
      "x-all": "1",
      "x-one": "2",
    });
  });

  test("escapes ids", async () => {
    const { client } = await connect();
    const session = await client.createSession({ agent: "mock", sessionId: "a/b ?#%ü" });
    expect((await session.info()).sessionId).toBe("a/b ?#%ü");
    await expect(client.getSession("..")).rejects.toThrow(TypeError);
  });

  test("fails with the problem of the daemon", async () => {
    const { client } = await connect();
    const failure = await client.getSession("nope").catch((error) => error);
    expect(failure).toBeInstanceOf(SandboxAgentError);
    expect(failure).toMatchObject({ status: 404, kind: "session_not_found", problem: { sessionId: "nope" } });
    expect(failure.message).toContain("nope");
  });

  test("fails as unreachable without a response", async () => {
    const { url, stop } = await startTestDaemon();
    const client = await SandboxAgent.connect({ baseUrl: url });
    await stop();
    await expect(client.listAgents()).rejects.toMatchObject({ status: 0, kind: "unreachable", problem: null });
    await expect(SandboxAgent.connect({ baseUrl: url })).rejects.toThrow(`cannot reach the daemon at ${url}`);
  });

  test("is retried as often as configured", async () => {
    let requests = 0;
    const fails = () => Promise.reject(new TypeError(`failure ${++requests}`));
    const client = SandboxAgent.at({ baseUrl: "http://127.0.0.1:1", fetch: fails, retries: 1 });
    await expect(client.listAgents()).rejects.toThrow("failure 2");
    await expect(SandboxAgent.at({ ...client, fetch: fails, retries: 0 }).listAgents()).rejects.toThrow("failure 3");
  });

  test("ends with its signal", async () => {
    const { client } = await connect();
    const session = await client.createSession({ agent: "mock" });
    await session.send("hang");
    const reason = new Error("enough");
    const calls = [
      (signal: AbortSignal) => session.wait("idle", { signal }),
      (signal: AbortSignal) => session.events({ signal, offset: 1 }).next(),
      (signal: AbortSignal) => session.prompt("queued", { signal }).next(),
    ];
    for (const call of calls) {
      const controller = new AbortController();
      const called = call(controller.signal);
      controller.abort(reason);
      await expect(called).rejects.toBe(reason);
    }
  });
});

test("all streams end when the client is disposed", async () => {
  const { client } = await connect();
  const session = await client.createSession({ agent: "mock" });
  await session.send("hang");
  const started = Promise.withResolvers<unknown>();
  session.on("turn.started", started.resolve);
  await started.promise;
  const stream = session.events();
  await stream.next();
  const quiet = await client.createSession({ agent: "mock" });
  const { lastSequence } = await quiet.info();
  const reading = [session.prompt("queued").next(), quiet.events({ offset: lastSequence }).next()];
  const ends = reading.map((read) => expect(read).rejects.toThrow("the client was disposed"));
  await client.dispose();
  await Promise.all(ends);
});

test("all sessions are listed, page by page", async () => {
  const { client } = await connect();
  for (let number = 1; number <= 5; number++) await client.createSession({ agent: "mock", sessionId: `s${number}` });
  await client.session("s4").terminate();
  const ids: string[] = [];
  for await (const { sessionId } of client.sessions({ status: "idle", limit: 2 })) ids.push(sessionId);
  expect(ids).toEqual(["s5", "s3", "s2", "s1"]);
});

describe("after a lost response", () => {
  test("reads and messages are retried, and a message is accepted once", async () => {
    const { client, lose } = await unreliable();
    const session = await client.createSession({ agent: "mock" });
    lose(2);
    expect((await client.listSessions()).sessions).toHaveLength(1);
    lose(2);
    await session.send("echo once");
    await session.wait("idle");
    expect((await session.refresh()).turns).toHaveLength(1);
    lose(2);
    const texts: string[] = [];
    for await (const event of session.prompt("echo twice"))
      if (event.type === "item.delta") texts.push(event.data.delta);
    expect(texts).toEqual(["twice"]);
    expect(session.transcript().turns).toHaveLength(2);
  });

  test("requests that must not be repeated are not retried", async () => {
    const { client, lose, sent } = await unreliable();
    const session = await client.createSession({ agent: "mock" });
    for (const call of [() => session.abort(), () => session.terminate(), () => client.deleteSession(session.id)]) {
      const before = sent();
      lose(1);
      await expect(call()).rejects.toMatchObject({ kind: "unreachable" });
      expect(sent() - before).toBe(1);
    }
  });
});

describe("a listener", () => {
  test("gets requests that are open, not answered ones", async () => {
    const { client, url } = await connect();
    const id = "requests";
    await client.createSession(id, { agent: "mock" });
    await client.postMessage(id, { message: "permission1" });
    await client.waitForSession(id, { until: "request" });
    await client.replyPermission(id, "mock_1_permission", { reply: "once" });
    await client.waitForSession(id);
    await client.postMessage(id, { message: "permission1" });
    await client.waitForSession(id, { until: "request" });

    const late = await SandboxAgent.connect({ baseUrl: url });
    onTestFinished(() => late.dispose());
    const first = Promise.withResolvers<PermissionRequest>();
    late.session(id).on("permission", first.resolve);
    const request = await first.promise;
    expect(request.permission_id).toBe("mock_2_permission");
    expect(await request.reply("once")).toBe(true);
    expect(await request.reply("once")).toBe(false);
    await late.session(id).wait("idle");
  });

  test("gets every event once, even from several streams, until it is removed", async () => {
    const { client } = await connect();
    const session = await client.createSession({ agent: "mock" });
    const received: number[] = [];
    const stop = session.on("event", ({ sequence }) => received.push(sequence));
    for (let turn = 0; turn < 3; turn++) for await (const _ of session.prompt("markdown"));
    const { lastSequence } = await session.refresh();
    expect(received).toEqual(Array.from({ length: lastSequence }, (_, index) => index + 1));
    stop();
    await session.send("echo after");
    await session.wait("idle");
    await session.refresh();
    expect(received).toHaveLength(lastSequence);
  });

  test("gets `close` when the session is deleted", async () => {
    const { client } = await connect();
    const session = await client.createSession({ agent: "mock" });
    const started = Promise.withResolvers<unknown>();
    const closed = Promise.withResolvers<unknown>();
    session.on("session.started", started.resolve);
    session.on("close", closed.resolve);
    await started.promise;
    await client.deleteSession(session.id);
    expect(await closed.promise).toMatchObject({ kind: "session_not_found" });
  });
});

test("a cancelled prompt ends", async () => {
  const { client } = await connect();
  const session = await client.createSession({ agent: "mock" });
  await session.send("hang");
  const prompt = session.prompt("echo never");
  const first = prompt.next();
  await expect.poll(async () => (await session.info()).queue.length).toBe(1);
  const [queued] = (await session.info()).queue;
  await session.cancel(queued?.messageId ?? "");
  expect((await first).value).toMatchObject({ type: "message.cancelled" });
  expect((await prompt.next()).done).toBe(true);
});

test("a prompt can steer: it yields the rest of the running turn", async () => {
  const { client } = await connect();
  const session = await client.createSession({ agent: "mock" });
  await session.send("permission1");
  await session.wait("request");
  const types: string[] = [];
  for await (const { type } of session.prompt("faster", { delivery: "steer" })) {
    if (types.length === 0) await session.replyPermission("mock_1_permission", "once");
    types.push(type);
  }
  expect(types[0]).toBe("item.started");
  expect(types.at(-1)).toBe("turn.ended");
  expect(types.filter((type) => type === "turn.ended")).toHaveLength(1);
});

test("the log of a process is followed to its end, through a lost connection", async () => {
  const { client, lose, sent } = await unreliable();
  const { id } = await client.createProcess({
    command: "sh",
    args: ["-c", "read line; echo $line"],
    interactive: true,
  });
  const lost = Promise.withResolvers<void>();
  lose(1);
  const stream = client.getProcessLogsStream(id, { follow: true }, { onRetry: () => lost.resolve() });
  const reading = Array.fromAsync(stream);
  await lost.promise;
  await client.writeProcessInput(id, { data: "the end\n", encoding: "utf8" });
  expect((await reading).map(({ data }) => atob(data)).join("")).toBe("the end\n");

  const before = sent();
  expect(await Array.fromAsync(client.getProcessLogsStream(id, { follow: true }))).toEqual(await reading);
  expect(sent() - before).toBe(1);
});

test("any operation can be called by its id", async () => {
  const { client } = await connect();
  expect(await client.api.text("getServerInfo", {})).toContain("sandbox-agent");
  const response = await client.api.response("createSession", { path: { session_id: "x" }, body: { agent: "mock" } });
  expect(await response.json()).toMatchObject({ healthy: true });
  for await (const { id, data } of client.api.frames("streamEvents", { path: { session_id: "x" } })) {
    expect([id, JSON.parse(data).type]).toEqual(["1", "session.started"]);
    break;
  }
});

test("the URL of the inspector has token and headers", () => {
  expect(buildInspectorUrl({ baseUrl: "http://127.0.0.1:1/", token: "a b", headers: { x: "1" } })).toBe(
    "http://127.0.0.1:1/ui/?token=a+b&headers=%7B%22x%22%3A%221%22%7D",
  );
});

async function connect(options: Partial<Parameters<typeof SandboxAgent.connect>[0]> = {}) {
  const { url } = await startTestDaemon(options.token === undefined ? {} : { token: options.token });
  const client = await SandboxAgent.connect({ baseUrl: url, ...options });
  onTestFinished(() => client.dispose());
  return { client, url };
}

/** A connection that loses responses: the daemon has performed the request, but the client gets an error. */
async function unreliable() {
  let losses = 0;
  let requests = 0;
  const { client } = await connect({
    async fetch(url, init) {
      requests += 1;
      const response = await fetch(url, init);
      if (losses === 0) return response;
      losses -= 1;
      await response.body?.cancel();
      throw new TypeError("the connection was reset");
    },
  });
  return { client, lose: (count: number) => void (losses = count), sent: () => requests };
}
