/** A silent stream sends comments, so that no proxy between daemon and client closes it. */
import { expect, test } from "vitest";
import { keepAliveMs } from "../../packages/daemon/src/http/sse.ts";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";

async function untilKeepAlive(client: TestClient, path: string): Promise<void> {
  const response = await client.fetch("GET", path);
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (/^: keep-alive\n\n/m.test(text)) return;
  }
  throw new Error(`${path} ended: ${text}`);
}

test("a comment comes at least every 15 seconds, on a session's stream and on the stream of all", async () => {
  const client = await startTestClient();
  await client.create("a");
  await Promise.all(["/v1/sessions/a/events/sse", "/v1/events/sse"].map((path) => untilKeepAlive(client, path)));
  expect(keepAliveMs).toBeLessThan(15_000);
});
