/** The list of a daemon with all its agents, before any of them was used. */
import { agentRegistry } from "@sandbox-agent/agents";
import { defaultOptions, startDaemon } from "@sandbox-agent/daemon";
import { expect, onTestFinished, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { temporaryDirectory } from "../harness/daemon.ts";

const capabilities =
  "planMode permissions questions toolCalls toolResults textMessages images fileAttachments sessionLifecycle errorEvents reasoning status commandExecution fileChanges mcpTools streamingDeltas itemStarted sharedProcess";

async function listed(): Promise<Record<string, unknown>[]> {
  const daemon = await startDaemon(
    { ...defaultOptions, port: 0, ephemeral: true, dataDir: temporaryDirectory() },
    agentRegistry,
  );
  onTestFinished(() => daemon.stop());
  const { json } = await new TestClient(daemon.url).get("/v1/agents");
  return json.agents;
}

test("has every agent of ours, each with all capabilities by name", async () => {
  const agents = await listed();
  const ids = agents.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["claude", "codex", "opencode", "amp", "pi", "cursor", "mock"]));
  const named = agents.map((agent) =>
    Object.keys(agent.capabilities ?? {})
      .toSorted()
      .join(" "),
  );
  expect(new Set(named)).toEqual(new Set([capabilities.split(" ").toSorted().join(" ")]));
});

test("includes a server for agents that share one, and none for the others", async () => {
  const servers = (await listed()).map(({ id, capabilities, serverStatus }) => ({ id, capabilities, serverStatus }));
  const shared = { id: expect.any(String), capabilities: expect.objectContaining({ sharedProcess: true }) };
  const own = { id: expect.any(String), capabilities: expect.objectContaining({ sharedProcess: false }) };
  const stopped = { status: "stopped", restartCount: 0 };
  for (const server of servers)
    expect(server).toEqual(
      server.serverStatus ? { ...shared, serverStatus: stopped } : { ...own, serverStatus: undefined },
    );
  expect(servers.filter(({ serverStatus }) => serverStatus).map(({ id }) => id)).toEqual(["codex", "opencode"]);
});
