/** Uploads and downloads as streams, without buffering in the client. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { createStage, realNode, report, type Stage } from "./stage.ts";

const size = 256 * 1024 * 1024;
const allowedGrowth = 64 * 1024 * 1024;

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.remove());

test("a file is sent and read back as a stream", { timeout: 120_000 }, async () => {
  const { url } = await startTestDaemon();
  const path = join(temporaryDirectory(), "large.bin");
  const program = await stage.compiled("transfer");
  const { sent, received, growth } = await report([realNode(), "--expose-gc", program, url, path, String(size)]);
  expect(received).toBe(sent);
  expect(statSync(path).size).toBe(size);
  expect(growth).toBeLessThan(allowedGrowth);
});
