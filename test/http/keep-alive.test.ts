/** A silent stream says now and then that it is alive, so that nothing between daemon and client hangs up. */
import { expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";

async function secondsUntilKeepAlive(client: TestClient, path: string): Promise<number> {
  const started = performance.now();
  const response = await client.fetch("GET", path);
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (/^: keep-alive\n\n/m.test(text)) break;
  }
  return (performance.now() - started) / 1000;
}

test("a comment comes at least every 15 seconds, on a session's stream and on the stream of all", async () => {
  const client = await startTestClient();
  await client.create("a");
  const waits = ["/v1/sessions/a/events/sse", "/v1/events/sse"].map((path) => secondsUntilKeepAlive(client, path));
  expect(Math.max(...(await Promise.all(waits)))).toBeLessThan(15);
});
