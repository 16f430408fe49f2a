/** The files panel: viewing, editing, uploading, changes of a turn, and checkpoints, on a real disk. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { openPanels } from "./panels-stage.ts";
import { useBrowser } from "./stage.ts";

const browser = useBrowser();

/** A turn that runs until the returned function is called. */
async function openTurn(client: TestClient): Promise<() => Promise<void>> {
  await client.send("one", "permission1");
  await client.wait("one", "request");
  const { json } = await client.get("/v1/sessions/one/requests");
  const path = `/v1/sessions/one/permissions/${json.permissions[0].permission_id}/reply`;
  return async () => {
    await client.post(path, { reply: "once" });
    await client.wait("one");
  };
}

describe("the files panel", { timeout: 120_000 }, () => {
  test("a file is edited and saved; one that changed on disk is not overwritten without confirmation", async () => {
    const { directory, page, panels, show } = await openPanels(browser);
    const file = join(directory, "src/main.ts");
    await show("Files");
    await panels.getByRole("treeitem", { name: "src" }).click();
    await panels.getByRole("treeitem", { name: "main.ts" }).click();
    const editor = panels.getByRole("textbox", { name: file });
    await editor.click();
    await page.keyboard.press("Control+End");
    const gate = Promise.withResolvers<void>();
    await page.route("**/v1/fs/file?*", async (route) => {
      if (route.request().method() === "PUT") await gate.promise;
      await route.continue();
    });
    await page.keyboard.type("// by hand");
    const saved = page.waitForResponse((response) => response.request().method() === "PUT");
    await page.keyboard.press("Control+s");
    await page.keyboard.type(" again");
    gate.resolve();
    await saved;
    expect(readFileSync(file, "utf8")).toBe("export const answer = 41;\n// by hand");
    await panels.getByText("Edited").waitFor();
    writeFileSync(file, "by somebody else\n");
    await panels.getByRole("button", { name: "Save" }).click();
    await panels.getByText("The file has changed on disk.").waitFor();
    expect(readFileSync(file, "utf8")).toBe("by somebody else\n");
    await panels.getByRole("button", { name: "Overwrite" }).click();
    await panels.getByText("Edited").waitFor({ state: "detached" });
    expect(readFileSync(file, "utf8")).toBe("export const answer = 41;\n// by hand again");
  });

  test("files are uploaded, found, renamed and deleted", async () => {
    const { directory, page, panels, show } = await openPanels(browser);
    await show("Files");
    await panels.getByRole("treeitem", { name: "src" }).click();
    const upload = (text: string) =>
      panels.getByLabel("Files to upload").setInputFiles([
        { name: "new.txt", mimeType: "text/plain", buffer: Buffer.from(text) },
        { name: "main.ts", mimeType: "text/plain", buffer: Buffer.from(text) },
      ]);
    await upload("a needle in it");
    await page.getByRole("dialog", { name: "Replace files?" }).getByText("main.ts").waitFor();
    expect(readFileSync(join(directory, "src/main.ts"), "utf8")).toBe("export const answer = 41;\n");
    await page.getByRole("button", { name: "Replace" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => readFileSync(join(directory, "src/main.ts"), "utf8")).toBe("a needle in it");
    expect(readFileSync(join(directory, "src/new.txt"), "utf8")).toBe("a needle in it");

    await panels.getByLabel("Search file names and contents").fill("needle");
    await panels.getByRole("button", { name: /^src\/new\.txt:1/ }).click();
    await panels.getByRole("textbox", { name: /new\.txt$/ }).waitFor();
    await panels.getByLabel("Search file names and contents").fill("");

    await panels.getByRole("treeitem", { name: "new.txt" }).click();
    const menu = async (item: string) => {
      await panels.getByRole("button", { name: "File actions" }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await menu("Rename…");
    await page.getByRole("dialog").getByLabel("Name").fill("renamed.txt");
    await page.getByRole("button", { name: "Rename" }).click();
    await panels.getByRole("treeitem", { name: "renamed.txt" }).click();
    await menu("Delete…");
    await page.getByRole("button", { name: "Delete" }).click();
    await panels.getByRole("treeitem", { name: "renamed.txt" }).waitFor({ state: "detached" });
    expect(existsSync(join(directory, "src/renamed.txt"))).toBe(false);
    expect(existsSync(join(directory, "src/new.txt"))).toBe(false);
  });

  test("changes of a turn are shown as a diff, and a checkpoint restores the files", async () => {
    const { client, directory, page, panels, show } = await openPanels(browser);
    const file = join(directory, "src/main.ts");
    await show("Files");
    const finish = await openTurn(client);
    writeFileSync(file, "export const answer = 42;\n");
    await finish();
    await panels.getByRole("tab", { name: "Changes" }).click();
    await panels.getByLabel("Show changes of").selectOption({ label: "Turn 1" });
    await panels.getByText("export const answer = 42;").waitFor();
    await panels.getByText("export const answer = 41;").waitFor();

    await panels.getByRole("tab", { name: "Checkpoints" }).click();
    await panels.getByRole("button", { name: /Before turn 1/ }).click();
    await panels.getByRole("button", { name: "Restore" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await panels.getByRole("button", { name: /Before restore/ }).waitFor();
    expect(readFileSync(file, "utf8")).toBe("export const answer = 41;\n");
  });
});
