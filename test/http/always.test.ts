/** A permission granted always is remembered: later requests like it are resolved without the client. */
import { checkEvents } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";

/** A session whose first turn asked for a permission and got this reply. */
async function granted(reply: "once" | "always"): Promise<{ client: TestClient; reached: number }> {
  const client = await startTestClient();
  await client.create("a");
  await client.send("a", "permission1");
  await client.wait("a", "request");
  await client.post("/v1/sessions/a/permissions/mock_1_permission/reply", { reply });
  const { json } = await client.wait("a");
  return { client, reached: json.session.lastSequence };
}

describe("a permission that was granted always", () => {
  test("is still requested, and resolved immediately without the client", async () => {
    const { client, reached } = await granted("always");
    await client.send("a", "permission1");
    await client.wait("a");
    expect(outline(await client.events("a", `?offset=${reached + 3}`))).toEqual([
      "permission.requested mock_2_permission command_execution",
      "permission.resolved mock_2_permission approved",
      "item.started message assistant in_progress mock_2_answered",
      "item.delta mock_2_answered",
      "item.completed message assistant completed mock_2_answered",
      "turn.ended completed",
    ]);
  });

  test("is marked in its resolution", async () => {
    const { client } = await granted("always");
    await client.send("a", "permission1");
    await client.wait("a");
    const resolved = (await client.events("a")).findLast(({ type }) => type === "permission.resolved");
    expect(resolved).toMatchObject({ synthetic: true, data: { status: "approved", metadata: { reply: "always" } } });
  });

  test("keeps the history well formed", async () => {
    const { client } = await granted("always");
    await client.send("a", "permission1");
    await client.wait("a");
    expect(checkEvents(await client.events("a"), { finished: true })).toEqual([]);
  });

  test("leaves other actions to be asked for", async () => {
    const { client } = await granted("always");
    await client.send("a", "permission");
    await client.wait("a", "request");
    const { json } = await client.get("/v1/sessions/a/requests");
    expect(json.permissions).toMatchObject([{ permission_id: "mock_2_permission_denied", action: "file_change" }]);
  });

  test("is granted in its session only", async () => {
    const { client } = await granted("always");
    await client.create("b");
    await client.send("b", "permission1");
    const { json } = await client.wait("b", "request");
    expect(json.session.status).toBe("waiting");
  });

  test("was not granted always by once", async () => {
    const { client } = await granted("once");
    await client.send("a", "permission1");
    const { json } = await client.wait("a", "request");
    expect(json.reached).toBe("request");
  });
});
