/** The inspector after reloads, after a daemon was killed in mid-stream, and with very long sessions. */
import type { Agent } from "@sandbox-agent/agents";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import {
  agentsWithMock,
  spawnDaemon,
  startTestClient,
  startTestDaemon,
  temporaryDirectory,
} from "../harness/daemon.ts";
import { conversation, screenshot, sendMessage, sessionUrl, statusIs, useBrowser } from "./stage.ts";

const browser = useBrowser();

/** The numbers of the words of a slow message that the page shows. */
async function shownWords(page: Page): Promise<number[]> {
  const text = (await conversation(page).getByText("word 1").first().textContent()) ?? "";
  return [...text.matchAll(/word (\d+)/g)].map(([, number]) => Number(number));
}

function oneTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

describe("a conversation in the inspector", { timeout: 120_000 }, () => {
  test("shows each word once after a reload in mid-stream", async () => {
    const client = await startTestClient();
    await client.create("s");
    const page = await browser.open(sessionUrl(client.url, "s"));
    await sendMessage(page, "slow 120 25");
    await conversation(page).getByText("word 5").waitFor();
    await page.reload();
    await conversation(page).getByText("word 20").waitFor();
    const sofar = await shownWords(page);
    expect(sofar).toEqual(oneTo(sofar.length));
    await client.wait("s");
    await statusIs(page, "idle");
    await conversation(page).getByText("word 120").waitFor();
    expect(await shownWords(page)).toEqual(oneTo(120));
    expect(await conversation(page).getByRole("article").count()).toBe(2);
  });

  test("continues after the daemon was killed in mid-stream", async () => {
    const dataDir = temporaryDirectory();
    const first = await spawnDaemon(dataDir);
    const port = new URL(first.url).port;
    await new TestClient(first.url).create("s");
    const page = await browser.open(sessionUrl(first.url, "s"));
    await sendMessage(page, "slow 5000 20");
    await conversation(page).getByText("word 10").waitFor();
    first.kill("SIGKILL");
    await first.exited;
    await page.getByText("Reconnecting…").waitFor();

    const second = await spawnDaemon(dataDir, ["--port", port]);
    const client = new TestClient(second.url);
    await conversation(page).getByText("Turn interrupted").waitFor();
    await page.getByText("Reconnecting…").waitFor({ state: "detached" });
    const { items } = (await client.get("/v1/sessions/s/transcript")).json;
    const kept = items.at(-1).content[0].text.match(/word \d+/g).length;
    expect(kept).toBeGreaterThanOrEqual(10);
    await expect.poll(() => shownWords(page)).toEqual(oneTo(kept));

    await sendMessage(page, "echo back again");
    await conversation(page).getByText("back again", { exact: true }).waitFor();
  });

  test("is replaced when another data directory is served at the same address", async () => {
    const first = await spawnDaemon(temporaryDirectory());
    await new TestClient(first.url).create("s");
    const page = await browser.open(sessionUrl(first.url, "s"));
    await sendMessage(page, "slow 5000 20");
    await conversation(page).getByText("word 30").waitFor();
    const dataDir = temporaryDirectory();
    const elsewhere = await startTestDaemon({ dataDir });
    const other = new TestClient(elsewhere.url);
    await other.create("s", { title: "Another" });
    await other.send("s", "echo from elsewhere");
    await other.wait("s");
    await elsewhere.stop();
    first.kill("SIGKILL");
    await first.exited;

    await startTestDaemon({ dataDir, port: Number(new URL(first.url).port) });
    await conversation(page).getByText("from elsewhere", { exact: true }).waitFor();
    expect(await conversation(page).getByText("word 30").count()).toBe(0);
    expect(await conversation(page).getByRole("article").count()).toBe(2);
    await statusIs(page, "idle");
    await page.getByText("Another").first().waitFor();
    await sendMessage(page, "echo and on");
    await conversation(page).getByText("and on", { exact: true }).waitFor();
  });

  test("closes its stream while the page is hidden, and misses no event", async () => {
    const client = await startTestClient();
    await client.create("s");
    const page = await browser.open(sessionUrl(client.url, "s"));
    await sendMessage(page, "slow 5000 20");
    await conversation(page).getByText("word 5").waitFor();
    const gone = page.waitForEvent("requestfailed", (request) => request.url().includes("/v1/sessions/s/events/sse"));
    await setHidden(page, true);
    await gone;
    await client.post("/v1/sessions/s/abort");
    await client.wait("s");
    await statusIs(page, "running");

    await setHidden(page, false);
    await conversation(page).getByText("Turn aborted").waitFor();
    await statusIs(page, "idle");
    const { items } = (await client.get("/v1/sessions/s/transcript")).json;
    expect(await shownWords(page)).toEqual(oneTo(items.at(-1).content[0].text.match(/word \d+/g).length));
  });

  test("of 50,000 events loads, scrolls, and opens at an event", async () => {
    const client = await startTestClient({}, agentsWithMock(manyMessages));
    await client.create("s");
    await client.send("s", "go");
    await client.wait("s", "idle", 60_000);
    const { lastSequence } = (await client.get("/v1/sessions/s")).json;
    expect(lastSequence).toBeGreaterThan(50_000);

    const page = await browser.open(sessionUrl(client.url, "s"));
    const log = conversation(page);
    await log.getByText(`Step ${steps}:`).waitFor();
    expect(await log.locator("[data-index]").count()).toBeLessThan(100);
    await log.focus();
    await page.keyboard.press("Home");
    await log.getByText("Step 1:", { exact: false }).first().waitFor();
    await page.keyboard.press("End");
    await log.getByText(`Step ${steps}:`).waitFor();
    await page.keyboard.press("Home");
    await log.getByText("Step 1:", { exact: false }).first().waitFor();

    // Scrolled by pages: no row is missing, and only a few are rendered at a time.
    const seen = await page.evaluate(async () => {
      const scroller = Reflect.get(globalThis, "document").querySelector('[role="log"]');
      const found = new Set<string>();
      let most = 0;
      for (let page = 0; page < 40; page++) {
        scroller.scrollTop += scroller.clientHeight * 0.8;
        await new Promise((resolve) => Reflect.get(globalThis, "requestAnimationFrame")(resolve));
        await new Promise((resolve) => Reflect.get(globalThis, "requestAnimationFrame")(resolve));
        const rows = scroller.querySelectorAll("[data-index]");
        most = Math.max(most, rows.length);
        for (const row of rows) {
          const step = row.textContent.match(/Step (\d+):/);
          if (step) found.add(step[1]);
        }
      }
      return { steps: [...found].map(Number).sort((a, b) => a - b), most };
    });
    expect(seen.steps.length).toBeGreaterThan(60);
    expect(seen.steps).toEqual(seen.steps.map((_, index) => (seen.steps[0] ?? 0) + index));
    expect(seen.most).toBeLessThan(100);

    const events = await client.events("s", "?offset=25000&limit=1");
    await page.goto(`${sessionUrl(client.url, "s")}?event=${events[0]?.sequence}`);
    const target = log.locator("[data-target]");
    await target.waitFor();
    await expect.poll(() => isInView(page)).toBe(true);
    await screenshot(page, "long");
  });
});

/** Simulates that the page becomes hidden or visible: pages in tests are never hidden. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate(`(() => {
    Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  })()`);
}

async function isInView(page: Page): Promise<boolean> {
  return conversation(page)
    .locator("[data-target]")
    .evaluate((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return bottom > 44 && top < 900;
    });
}

const steps = 2500;

/** An agent that emits many short messages, each in many deltas. */
function manyMessages(mock: Agent): Partial<Agent> {
  return {
    open: async (spec, sink) => ({
      ...(await mock.open(spec, sink)),
      async send() {
        void (async () => {
          for (let step = 1; step <= steps; step++) {
            const id = `step_${step}`;
            const words = Array.from(
              { length: 18 },
              (_, index) => `${index === 0 ? `Step ${step}: ` : ""}word${index} `,
            );
            const message = { native_item_id: id, kind: "message", role: "assistant" } as const;
            await sink.emit([
              { type: "item.started", item: { ...message, content: [] } },
              ...words.map((delta) => ({ type: "item.delta", native_item_id: id, delta }) as const),
              {
                type: "item.completed",
                failed: false,
                item: { ...message, content: [{ type: "text", text: words.join("") }] },
              },
            ]);
          }
          await sink.emit([{ type: "turn.ended", synthetic: true }]);
        })();
      },
    }),
  };
}
