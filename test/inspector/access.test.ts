/** The inspector with limited tokens: it hides what the token does not allow. */
import { describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { composer, conversation, screenshot, sessionUrl, useBrowser } from "./stage.ts";

const browser = useBrowser();
const token = "the-token-of-the-daemon-itself-000";

async function start(grant: object) {
  const { url } = await startTestDaemon({ token });
  const root = new TestClient(url, token);
  const directory = temporaryDirectory();
  await Bun.write(`${directory}/notes.txt`, "hello");
  await root.post("/v1/sessions/a", { agent: "mock", directory });
  await root.create("b");
  await root.post("/v1/sessions/a/messages", { message: "permission" });
  const { json } = await root.post("/v1/tokens", grant);
  const page = await browser.open(`${sessionUrl(url, "a")}?token=${json.token}`);
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  await conversation(page).getByText("permission").first().waitFor();
  return { page, root, refused };
}

describe("with a token that may only read", () => {
  test("shows the conversation and no action that changes it", async () => {
    const { page, refused } = await start({ scopes: ["read"] });
    await page.getByText("read only").waitFor();
    await page.getByText("does not allow you to answer").first().waitFor();
    await screenshot(page, "read-only");
    expect(await composer(page).count()).toBe(0);
    for (const name of ["New session", "Allow once", "Upload"])
      expect(await page.getByRole("button", { name }).count(), name).toBe(0);
    for (const name of ["Terminals", "Processes"]) expect(await page.getByRole("tab", { name }).count(), name).toBe(0);
    await page.getByRole("button", { name: "Session actions" }).click();
    await page.getByRole("menuitem", { name: "Export events" }).waitFor();
    expect(await page.getByRole("menuitem").allTextContents()).toEqual(["Export events"]);
    await page.keyboard.press("Escape");
    for (const name of ["Files", "Agents", "MCP & skills", "Events"]) {
      await page.getByRole("tab", { name }).click();
      await page.getByRole("tabpanel", { name }).waitFor();
    }
    expect(refused).toEqual([]);
  });
});

describe("with a token for one session", () => {
  test("the session can be prompted and answered, and its files are shown", async () => {
    const { page, refused } = await start({ scopes: ["read", "prompt", "approve"], sessions: ["a"] });
    await page.getByRole("button", { name: "Allow once" }).first().click();
    await composer(page).waitFor();
    expect(await page.getByRole("button", { name: "New session" }).count()).toBe(0);
    expect(await page.getByRole("navigation").getByRole("link").count()).toBe(1);
    await page.getByRole("tab", { name: "Files" }).click();
    await page.getByText("notes.txt").click();
    await page.getByText("hello").first().waitFor();
    expect(refused).toEqual([]);
  });
});
