import { SandboxAgent } from "sandbox-agent";
import { describe, expect, onTestFinished, test } from "vitest";
import { startTestDaemon } from "../harness/daemon.ts";

describe("a daemon of another version", () => {
  test("with unknown fields and event types is supported", async () => {
    const client = await SandboxAgent.connect({ baseUrl: await startNewerDaemon() });
    const session = await client.createSession({ agent: "mock" });
    const received: string[] = [];
    const ended = Promise.withResolvers<void>();
    session.on("event", ({ type }) => received.push(type));
    session.on("turn.ended", () => ended.resolve());

    const events: object[] = [];
    for await (const event of session.prompt("echo hello")) events.push(event);
    await ended.promise;

    const types = events.map((event) => Reflect.get(event, "type"));
    expect(types).toContain("item.sparkled");
    expect(received.slice(1)).toEqual(types);
    expect(events.every((event) => Reflect.get(event, "from_the_future") === true)).toBe(true);
    expect(await session.info()).toMatchObject({ from_the_future: true, status: "idle" });
    expect(session.transcript().turns).toHaveLength(1);
    expect(session.transcript().items.at(-1)?.content).toEqual([{ type: "text", text: "hello" }]);
    await client.dispose();
  });

  test("with an unknown problem kind gives an error with that kind", async () => {
    const server = Bun.serve({
      port: 0,
      fetch: ({ url }) =>
        url.endsWith("/v1/health")
          ? Response.json({ status: "splendid" })
          : Response.json(
              { type: "urn:sandbox-agent:error:moon_phase", title: "Moon Phase", status: 418 },
              { status: 418 },
            ),
    });
    onTestFinished(() => server.stop(true));
    const client = await SandboxAgent.connect({ baseUrl: `http://127.0.0.1:${server.port}` });
    await expect(client.listAgents()).rejects.toMatchObject({ status: 418, kind: "moon_phase" });
  });
});

/** A proxy to a real daemon that adds unknown fields and renames deltas to an unknown event type. */
async function startNewerDaemon(): Promise<string> {
  const { url } = await startTestDaemon();
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const init = {
        method: request.method,
        headers: request.headers,
        body: await request.blob(),
        signal: request.signal,
      };
      const response = await fetch(url + pathname + search, init.body.size > 0 ? init : { ...init, body: undefined });
      const extended = new TransformStream<string, string>({
        transform: (text, controller) =>
          controller.enqueue(
            text
              .replaceAll('{"event_id"', '{"from_the_future":true,"event_id"')
              .replaceAll('{"sessionId"', '{"from_the_future":true,"sessionId"')
              .replaceAll('"type":"item.delta"', '"type":"item.sparkled"'),
          ),
      });
      const body = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(extended);
      return new Response(body?.pipeThrough(new TextEncoderStream()) ?? null, response);
    },
  });
  onTestFinished(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
}
