/** A session with a directory, and the page that shows it with its panels. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { type Opener, sessionUrl } from "./stage.ts";

export const token = "secret";

export interface PanelStage {
  client: TestClient;
  /** The directory of the session `one`. */
  directory: string;
  page: Page;
  panels: Locator;
  /** Shows a panel. */
  show(title: string): Promise<void>;
}

/** Shells read the files of their user at the start, which may take as long as they like. */
function withoutShellFiles(): void {
  const { HOME } = process.env;
  process.env.HOME = temporaryDirectory();
  onTestFinished(() => void (process.env.HOME = HOME));
}

export async function openPanels(browser: Opener, options: BrowserContextOptions = {}): Promise<PanelStage> {
  withoutShellFiles();
  const client = await startTestClient({ token });
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "readme.md"), "# Hello\n");
  mkdirSync(join(directory, "src"));
  writeFileSync(join(directory, "src/main.ts"), "export const answer = 41;\n");
  await client.create("one", { directory });
  const permissions = ["clipboard-read", "clipboard-write"];
  const page = await browser.open(`${sessionUrl(client.url, "one")}?token=${token}`, { permissions, ...options });
  const panels = page.getByRole("complementary", { name: "Panels" });
  const show = (title: string) => panels.getByRole("tab", { name: title, exact: true }).click();
  return { client, directory, page, panels, show };
}

export function copied(page: Page): Promise<string> {
  return page.evaluate<string>("navigator.clipboard.readText()");
}
