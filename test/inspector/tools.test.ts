/** Tool calls in the conversation: diffs and subagents. */
import type { Draft } from "@sandbox-agent/agents";
import { describe, expect, test } from "vitest";
import { startTestClient } from "../harness/daemon.ts";
import { agentEmitting, completeItem, tool, toolCall, toolResult } from "./script.ts";
import { conversation, expectAccessible, screenshot, sessionUrl, useBrowser } from "./stage.ts";

const browser = useBrowser();

async function shown(drafts: Draft[]) {
  const client = await startTestClient({}, agentEmitting([...drafts, { type: "turn.ended", synthetic: true }]));
  await client.create("s", { title: "Tools" });
  await client.send("s", "go");
  await client.wait("s");
  const page = await browser.open(sessionUrl(client.url, "s"));
  return { page, log: conversation(page) };
}

const diff = "@@ -1,2 +1,2 @@\n keep\n-the old line\n+the new line\n";

describe("tools", { timeout: 90_000 }, () => {
  test("a diff is side by side if it is wide enough, and can be switched to unified", async () => {
    const change = { type: "file_ref", path: "src/a.ts", action: "patch", diff } as const;
    const { page, log } = await shown(tool("edit", "Edit", { file_path: "src/a.ts" }, "", [change]));
    const changes = log.getByRole("region", { name: "Changes to src/a.ts" });
    const both = changes.getByRole("row").filter({ hasText: "the old line" }).filter({ hasText: "the new line" });
    await changes.getByText("the new line").waitFor();
    expect(await both.count()).toBe(0);
    await page.keyboard.press("]");
    await both.waitFor();
    await screenshot(page, "side-by-side");
    await log.getByRole("button", { name: "Unified view" }).click();
    await both.waitFor({ state: "detached" });
    await changes.getByText("the new line").waitFor();
  });

  test("items of a subagent are inside the call that started it", async () => {
    const { page, log } = await shown([
      ...toolCall("task", "Task", { description: "Look for the parser" }),
      ...completeItem("thought", "message", [{ type: "text", text: "I search first." }], "task"),
      ...toolCall("grep", "Grep", { pattern: "parse" }, "task"),
      ...toolResult("grep", "src/parse.ts", [], "task"),
      ...toolResult("task", "It is in src/parse.ts."),
      ...completeItem("end", "message", [{ type: "text", text: "Found it." }]),
    ]);
    const subagent = log.getByRole("region", { name: "Subagent" });
    await subagent.getByText("I search first.").waitFor();
    await subagent.getByText("Grep").click();
    await subagent.getByText("src/parse.ts", { exact: true }).waitFor();
    expect(await subagent.getByText("Found it.").count()).toBe(0);
    await expectAccessible(page);
    await screenshot(page, "subagent");

    await log.getByText("Task", { exact: true }).click();
    await subagent.waitFor({ state: "detached" });
    await log.getByText("Found it.").waitFor();
  });
});
