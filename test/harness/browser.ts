/** A real browser: Debian's Chromium, or the one that `CHROMIUM_PATH` names. Tests that use it need `browserProgram`. */
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { need } from "./programs.ts";

export const browserProgram = process.env.CHROMIUM_PATH ?? "chromium";

/** One browser for all tests of a file. */
export function sharedBrowser(flags: readonly string[] = []): () => Browser {
  let browser: Browser | undefined;
  beforeEach((context) => need(context, browserProgram));
  beforeAll(async () => {
    if (Bun.which(browserProgram)) browser = await launchBrowser(flags);
  }, 120_000);
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error(`${browserProgram} was not started`);
    return browser;
  };
}

export function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: Bun.which(browserProgram) ?? browserProgram,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", ...flags],
  });
}
