/** The inspector in a real browser. A page error or a violated content security policy fails the test. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { sharedBrowser } from "../harness/browser.ts";

/** Screenshots for manual review. */
const artifacts = join(import.meta.dirname, "artifacts");

export interface Opener {
  /** A page in a new browser context, closed after the test. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
}

/** One browser for the tests of a file. */
export function useBrowser(): Opener {
  const browser = sharedBrowser();
  return {
    async open(url, options = {}) {
      const context = await browser().newContext({ viewport: { width: 1440, height: 900 }, ...options });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        if (/Content Security Policy/.test(message.text())) errors.push(message.text());
      });
      onTestFinished(() => expect(errors).toEqual([]));
      await page.goto(url);
      return page;
    },
  };
}

/** The page of a session. */
export function sessionUrl(daemon: string, sessionId: string): string {
  return `${daemon}/ui/sessions/${encodeURIComponent(sessionId)}`;
}

export function composer(page: Page): Locator {
  return page.getByRole("textbox", { name: "Message" });
}

export function conversation(page: Page): Locator {
  return page.getByRole("log", { name: "Conversation" });
}

/** Writes a message and sends it with the keyboard. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

export async function statusIs(page: Page, status: string): Promise<void> {
  await page.locator("main header").getByRole("status").filter({ hasText: status }).waitFor();
}

/** Fails on serious or critical axe violations. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await Reflect.get(globalThis, "axe").run({ resultTypes: ["violations"] });
    return violations
      .filter(({ impact }: { impact: string }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) => ({
        id,
        nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
      }));
  });
  expect(found).toEqual([]);
}

export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(artifacts, { recursive: true });
  await page.screenshot({ path: join(artifacts, `${name}.png`) });
}
