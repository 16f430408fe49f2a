/** The measurement of stalls itself. */
import { expect, test } from "vitest";
import { spawnDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { watchStalls } from "../harness/stalls.ts";

test("a blocked daemon is detected, a stopped process does not count as a stall", async () => {
  const daemon = await spawnDaemon(temporaryDirectory());
  const watch = await watchStalls(daemon);
  daemon.kill("SIGSTOP");
  await Bun.sleep(300);
  daemon.kill("SIGCONT");
  const { answers, longestMs, longestCpuMs } = await watch.stop();
  expect(answers).toBeGreaterThan(0);
  expect(longestMs).toBeGreaterThan(250);
  expect(longestCpuMs).toBeLessThan(150);
});
