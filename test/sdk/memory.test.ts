import { SandboxAgent } from "sandbox-agent";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestDaemon } from "../harness/daemon.ts";
import { createStage, realNode, report, type Stage } from "./stage.ts";

const events = 100_000;
const allowedGrowth = 4 * 1024 * 1024;

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.remove());

test("reading 100k events does not make the client grow", { timeout: 120_000 }, async () => {
  const { url } = await startTestDaemon();
  const client = await SandboxAgent.connect({ baseUrl: url });
  const session = await client.createSession({ agent: "mock" });
  await session.send(`burst ${events}`);
  const program = await stage.compiled("memory");
  const { last, heap } = await report([realNode(), "--expose-gc", program, url, session.id, String(events)]);
  expect(last).toBe(events);
  // The first value is taken when everything is loaded.
  expect(Math.max(...heap) - heap[0]).toBeLessThan(allowedGrowth);
});
