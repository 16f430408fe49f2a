import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { browserProgram, launchBrowser } from "../harness/browser.ts";
import { startTestDaemon } from "../harness/daemon.ts";
import { need } from "../harness/programs.ts";
import { createStage, realNode, report, type Stage } from "./stage.ts";

const token = "tour-token";
const plain = [
  "turn.started",
  "item.started",
  "item.completed",
  "item.started",
  "item.delta",
  "item.completed",
  "turn.ended",
];
const expected = {
  health: "ok",
  hello: plain,
  asked: ["Shall I go on? true", "Which colour? true", "command_execution true", "file_change true"],
  permissionsEnd: "turn.ended",
  questionsEnd: "turn.ended",
  aborted: "aborted",
  queued: true,
  texts: [
    "hello ✓ 世界",
    "All answered, thank you.",
    "All answered, thank you.",
    "steered: faster",
    "All answered, thank you.",
    "last",
  ],
  turns: ["completed", "completed", "completed", "aborted", "completed", "completed"],
  transcriptMatchesDaemon: true,
  failures: ["session_not_found", "unsupported_agent", "token_invalid"],
};

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.remove());

describe("the SDK does the same", () => {
  test("in Node", async () => {
    const { url } = await startTestDaemon({ token });
    expect(await report([realNode(), await stage.compiled("tour-main"), url, token])).toEqual(expected);
  });

  test("in Bun", async () => {
    const { url } = await startTestDaemon({ token });
    expect(await report([process.execPath, join(stage.directory, "tour-main.ts"), url, token])).toEqual(expected);
  });

  test("in Chromium, bundled by Vite", { timeout: 120_000 }, async (context) => {
    need(context, browserProgram);
    const site = await servePage(stage);
    const cors = { origins: [site], methods: [], headers: [], credentials: false };
    const { url } = await startTestDaemon({ token, cors });
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(site);
    const answer = await page.evaluate(
      ([baseUrl, token]) => Reflect.get(globalThis, "tour")({ baseUrl, token }),
      [url, token],
    );
    expect(answer).toEqual(expected);
    expect(errors).toEqual([]);
  });
});

/** A page built by Vite and served from another origin than the daemon. */
async function servePage({ directory }: Stage): Promise<string> {
  writeFileSync(
    join(directory, "index.html"),
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/tour-page.ts"></script>',
  );
  await build({ root: directory, logLevel: "error", build: { outDir: "site" } });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      return new Response(Bun.file(join(directory, "site", pathname === "/" ? "index.html" : pathname)));
    },
  });
  onTestFinished(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
}
