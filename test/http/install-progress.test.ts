/** How an installation goes is on the stream of all sessions. */
import { InstallProgressEvent } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { readFrames } from "../harness/sse.ts";

test("a real agent is installed, its progress announced, and it is there", { timeout: 120_000 }, async () => {
  const { url } = await spawnDaemon(temporaryDirectory());
  const client = new TestClient(url);
  const stream = await client.fetch("GET", "/v1/events/sse");
  const installed = client.post("/v1/agents/opencode/install", {});

  const phases: string[] = [];
  for await (const { id, data } of readFrames(stream)) {
    expect(id).toBe("");
    const event = InstallProgressEvent().parse(JSON.parse(data));
    phases.push(event.data.phase);
    if (event.data.phase === "done" || event.data.phase === "failed") break;
  }
  expect(phases.at(-1)).toBe("done");
  expect((await installed).status).toBe(204);
  const { json } = await client.get("/v1/agents/opencode");
  expect(json).toMatchObject({ id: "opencode", installed: true, version: "1.18.33" });
});
