/** Keys of a session are for its agent alone: no answer, no event, no file has them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionSpec } from "@sandbox-agent/agents";
import { expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { agentsWithMock, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";

const secrets = { credentials: { anthropic: "key-nobody-may-see" }, env: { PASSWORD: "word-nobody-may-see" } };

test("only the agent gets the keys", async () => {
  const dataDir = temporaryDirectory();
  const opened: SessionSpec[] = [];
  const agents = agentsWithMock((mock) => ({
    open(spec, sink) {
      opened.push(spec);
      return mock.open(spec, sink);
    },
  }));
  const client = new TestClient((await startTestDaemon({ dataDir }, agents)).url);
  await client.create("a", secrets);
  await client.stream("a", "hello");

  expect(opened).toMatchObject([secrets]);
  const answers = [await client.get("/v1/sessions/a"), await client.get("/v1/sessions/a/events?include_raw=true")];
  for (const { text } of answers) expect(text).not.toContain("nobody-may-see");
  for (const name of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (name.isFile()) expect(readFileSync(join(name.parentPath, name.name)).includes("nobody-may-see")).toBe(false);
  }
});
