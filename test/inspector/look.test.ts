/** The inspector in light and dark colours and on a phone, without serious axe violations. */
import type { Draft } from "@sandbox-agent/agents";
import type { Page } from "playwright-core";
import { describe, test } from "vitest";
import { startTestClient } from "../harness/daemon.ts";
import { agentEmitting, completeItem, tool } from "./script.ts";
import {
  composer,
  conversation,
  expectAccessible,
  screenshot,
  sendMessage,
  sessionUrl,
  statusIs,
  useBrowser,
} from "./stage.ts";

const browser = useBrowser();

const patch = `@@ -1,5 +1,5 @@
 export function price(text: string): number {
-  return Number(text);
+  return Number(text.replaceAll(",", ""));
 }
 
 export const currency = "EUR";
`;

const summary = `The price parser now copes with **thousands separators**:

\`\`\`ts
price("1,299.00"); // 1299
\`\`\`

| input | before | now |
|---|---|---|
| \`12.50\` | 12.5 | 12.5 |
| \`1,299.00\` | NaN | 1299 |

All tests pass.`;

/** A realistic conversation on one screen. */
const work: Draft[] = [
  ...completeItem("thought", "message", [
    { type: "reasoning", text: "The text goes to Number as it is. Commas have to go first.", visibility: "public" },
  ]),
  ...tool("read", "Read", { file_path: "src/price.ts" }, "export function price(text: string): number {"),
  ...tool("edit", "Edit", { file_path: "src/price.ts" }, "", [
    { type: "file_ref", path: "src/price.ts", action: "patch", diff: patch },
  ]),
  ...tool("test", "Bash", { command: "npm test" }, "12 tests passed"),
  ...completeItem("summary", "message", [{ type: "text", text: summary }]),
  {
    type: "turn.ended",
    synthetic: true,
    usage: { input_tokens: 18_240, output_tokens: 912, cached_tokens: 15_800, cost_usd: 0.0431 },
  },
];

async function sessionWithWork(): Promise<string> {
  const client = await startTestClient({}, agentEmitting(work));
  for (const [id, title] of [
    ["a", "Upgrade the build to Node 24"],
    ["b", "Why is the login slow?"],
  ] as const)
    await client.create(id, { title });
  await client.create("s", { title: "Prices with thousands separators" });
  await client.send("s", "Prices such as 1,299.00 come out as NaN. Please fix that.");
  await client.wait("s");
  return sessionUrl(client.url, "s");
}

async function waitUntilRendered(page: Page): Promise<void> {
  await conversation(page).getByText("All tests pass.").waitFor();
  await page.getByRole("tab", { name: "Events" }).waitFor();
  await conversation(page).locator(".hljs-number, .hljs-string").first().waitFor();
}

describe("the appearance", { timeout: 120_000 }, () => {
  test("in light and dark, wide and on a phone", async () => {
    const url = await sessionWithWork();
    const page = await browser.open(url, { colorScheme: "light" });
    await waitUntilRendered(page);
    await page.getByText("22 events").waitFor();
    await screenshot(page, "light");
    await expectAccessible(page);

    await sendMessage(page, "question1");
    await conversation(page).getByText("Which colour?").waitFor();
    await statusIs(page, "waiting");
    await composer(page).blur();
    await page.emulateMedia({ colorScheme: "dark" });
    await screenshot(page, "dark");
    await expectAccessible(page);

    const phone = await browser.open(url, {
      colorScheme: "light",
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await conversation(phone).getByRole("button", { name: "Blue" }).waitFor();
    await screenshot(phone, "phone");
    await expectAccessible(phone);
    await phone.getByRole("button", { name: "Sessions" }).click();
    await phone.getByRole("link", { name: /Prices with thousands/ }).waitFor();
    await screenshot(phone, "phone-sessions");
    await phone.getByRole("link", { name: /Prices with thousands/ }).click();
    await conversation(phone).getByRole("button", { name: "Blue" }).click();
    await statusIs(phone, "idle");
    await statusIs(page, "idle");
  });
});
