/** The panels in both themes and on a phone, without serious axe violations. */
import { describe, expect, test } from "vitest";
import { openPanels, type PanelStage } from "./panels-stage.ts";
import { expectAccessible, screenshot, useBrowser } from "./stage.ts";

const browser = useBrowser();

/** Fills each panel with content. */
const panels: Record<string, (stage: PanelStage) => Promise<unknown>> = {
  Events: async ({ panels }) => {
    await panels.getByRole("option").last().click();
    await panels.getByRole("button", { name: "Copy event" }).waitFor();
  },
  Files: async ({ panels }) => {
    await panels.getByRole("treeitem", { name: "readme.md" }).click();
    await panels.getByRole("textbox", { name: /readme\.md$/ }).waitFor();
  },
  Terminals: async ({ panels }) => {
    await panels.getByRole("button", { name: "New terminal" }).click();
    await panels.locator(".xterm-rows").getByText(/[$#]/).first().waitFor();
  },
  Processes: async ({ panels }) => {
    await panels.getByLabel("Command").fill("seq 12; sleep 1000");
    await panels.getByRole("button", { name: "Start" }).click();
    await panels.locator(".xterm-rows").getByText("12", { exact: true }).waitFor();
  },
  Agents: async ({ panels }) => {
    await panels.getByRole("button", { name: /^Mock/ }).click();
    await panels.getByRole("heading", { name: "Models" }).waitFor();
  },
  "MCP & skills": async ({ panels }) => {
    await panels.getByRole("region", { name: "Skills" }).getByText("None configured.").waitFor();
  },
  Requests: async ({ panels }) => {
    await panels.getByRole("list", { name: "Requests" }).getByRole("button").first().click();
    await panels.getByRole("button", { name: "Copy as curl" }).waitFor();
  },
};

const fileName = (title: string) => title.toLowerCase().replace(/\W+/g, "-");

describe("the appearance of panels", { timeout: 180_000 }, () => {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`in ${colorScheme} colours`, async () => {
      const stage = await openPanels(browser, { colorScheme, reducedMotion: "reduce" });
      await stage.client.send("one", "usage");
      for (const [title, fill] of Object.entries(panels)) {
        await stage.show(title);
        await fill(stage);
        await expectAccessible(stage.page);
        await screenshot(stage.page, `panel-${fileName(title)}-${colorScheme}`);
      }
    });
  }

  test("on a phone, without horizontal scrolling", async () => {
    const stage = await openPanels(browser, { viewport: { width: 390, height: 780 }, hasTouch: true });
    await stage.page.getByRole("button", { name: "Panels" }).click();
    for (const [title, fill] of Object.entries(panels)) {
      await stage.show(title);
      await fill(stage);
      expect(await stage.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
      await screenshot(stage.page, `panel-${fileName(title)}-phone`);
    }
  });
});
