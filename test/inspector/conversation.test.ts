/** Conversations in the inspector: with the mock agent and with Claude Code on the scripted model. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startLab } from "../agents/claude-lab.ts";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
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

describe("a conversation", { timeout: 120_000 }, () => {
  test("is created in the dialog, and shows every kind of event", async () => {
    const client = await startTestClient();
    const page = await browser.open(`${client.url}/ui/`);
    await page.getByRole("button", { name: "New session" }).click();
    const dialog = page.getByRole("dialog", { name: "New session" });
    await dialog.getByLabel("Title").fill("Tour of the mock");
    await dialog.getByLabel("Mode", { exact: true }).selectOption({ label: "Plan" });
    await dialog.getByLabel("Directory").fill(temporaryDirectory());
    await expectAccessible(page);
    await screenshot(page, "create");
    await dialog.getByRole("button", { name: "Start session" }).click();

    await page.getByRole("heading", { name: "Tour of the mock" }).waitFor();
    const { sessions } = (await client.get("/v1/sessions")).json;
    expect(sessions).toMatchObject([{ title: "Tour of the mock", agentMode: "plan", agent: "mock" }]);

    await sendMessage(page, "demo");
    await client.wait(sessions[0].sessionId);
    const log = conversation(page);
    await log.getByText("mock error").waitFor();
    await log.getByRole("group", { name: "Permission: command_execution" }).waitFor();
    await log.focus();
    await page.keyboard.press("Home");
    await log.getByText("Mock system notice").waitFor();
    await log.getByRole("heading", { name: "Mock markdown" }).waitFor();
    await log.getByText("const a = 2;").waitFor();
    await expectAccessible(page);
  });

  test("shows permissions and questions, which are answered by button and by key", async () => {
    const client = await startTestClient();
    await client.create("s");
    const page = await browser.open(sessionUrl(client.url, "s"));
    const log = conversation(page);
    await sendMessage(page, "permission");
    await log.getByRole("group", { name: "Permission: command_execution" }).waitFor();
    await statusIs(page, "waiting");
    await composer(page).blur();
    await page.keyboard.press("a");
    await log.getByText("Always allowed command_execution ls -la").waitFor();
    await log.getByRole("group", { name: "Permission: file_change" }).getByRole("button", { name: "Reject" }).click();
    await log.getByText("Rejected file_change /etc/hosts").waitFor();
    await log.getByText("All answered, thank you.").waitFor();

    // The command is always allowed now. Only the file is requested again, and keys answer the first request.
    await sendMessage(page, "permission");
    await log.getByRole("group", { name: "Permission: file_change" }).waitFor();
    await composer(page).blur();
    await page.keyboard.press("y");
    await log.getByText("Allowed once file_change /etc/hosts").waitFor();
    await log.getByText("All answered, thank you.").nth(1).waitFor();

    await sendMessage(page, "question");
    await composer(page).blur();
    await log.getByRole("group", { name: "Question" }).getByText("Which colour?").waitFor();
    await page.keyboard.press("2");
    await log.getByText("Which colour? Blue").waitFor();
    await log.getByRole("textbox", { name: "Your answer" }).fill("As you like");
    await log.getByRole("button", { name: "Answer" }).click();
    await log.getByText("Shall I go on? As you like").waitFor();
    await log.getByText("All answered, thank you.").nth(2).waitFor();

    await page.getByRole("button", { name: "Session actions" }).click();
    await page.getByRole("menuitem", { name: "Terminate" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Terminate" }).click();
    await statusIs(page, "ended");
    const resolved = (await client.events("s")).filter(({ type }) => type.endsWith(".resolved"));
    expect(resolved.map(({ data }) => data)).toMatchObject([
      { action: "command_execution", metadata: { reply: "always" } },
      { action: "file_change", metadata: { reply: "reject" } },
      { action: "command_execution", metadata: { reply: "always" } },
      { action: "file_change", metadata: { reply: "once" } },
      { response: "Blue" },
      { response: "As you like" },
    ]);
  });

  test("queues, steers and removes messages, stops, ends, resumes and fails", async () => {
    const client = await startTestClient();
    await client.create("s");
    const page = await browser.open(sessionUrl(client.url, "s"));
    await sendMessage(page, "hang");
    await statusIs(page, "running");
    await page.getByRole("heading", { name: "hang", exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe("hang · sandbox-agent");
    await sendMessage(page, "echo first");
    await sendMessage(page, "echo second");
    const queue = page.getByRole("list", { name: "Queued messages" });
    await queue.getByText("echo second").waitFor();
    await queue.getByRole("listitem").filter({ hasText: "echo first" }).getByRole("button").click();
    await queue.getByText("echo first").waitFor({ state: "detached" });
    await composer(page).fill("faster");
    await composer(page).press("Control+Enter");
    await conversation(page).getByText("steered: faster").waitFor();

    await page.getByRole("button", { name: "Stop" }).click();
    await conversation(page).getByText("Turn aborted").waitFor();
    await statusIs(page, "idle");

    await sendMessage(page, "end");
    await statusIs(page, "ended");
    await sendMessage(page, "echo again");
    await conversation(page).getByText("again", { exact: true }).waitFor();
    await statusIs(page, "idle");

    await sendMessage(page, "crash");
    await conversation(page).getByText("mock: fatal: crash requested").waitFor();
    await statusIs(page, "idle");
    for (let attempt = 0; attempt < 3; attempt++) {
      await sendMessage(page, "crash early");
      await conversation(page)
        .getByText("Turn failed")
        .nth(attempt + 1)
        .waitFor();
    }
    await page.getByPlaceholder("This session has ended. Start a new one.").waitFor();
  });

  test("sends attachments, is renamed, exported and deleted", async () => {
    const fsRoot = temporaryDirectory();
    const client = await startTestClient({ fsRoot });
    await client.create("s", { directory: fsRoot });
    const page = await browser.open(sessionUrl(client.url, "s"));
    const file = join(temporaryDirectory(), "dot.svg");
    writeFileSync(
      file,
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><circle cx="4" cy="4" r="4"/></svg>',
    );
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Attach files" }).click();
    await (await chosen).setFiles(file);
    await page.getByRole("list", { name: "Attachments" }).getByText("dot.svg").waitFor();
    await composer(page).focus();
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(["pasted"], "note.txt", { type: "text/plain" }));
      const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(paste);
    })()`);
    const attached = page.getByRole("list", { name: "Attachments" });
    await attached.getByText("note.txt").waitFor();
    const dragged = await page.evaluateHandle(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["dropped"], "dropped.txt", { type: "text/plain" }));
      return dataTransfer;
    })()`);
    const dropZone = page.getByText("No messages yet");
    await dropZone.dispatchEvent("dragover", { dataTransfer: dragged });
    await page.getByText("Drop to attach").waitFor();
    await dropZone.dispatchEvent("drop", { dataTransfer: dragged });
    await page.getByText("Drop to attach").waitFor({ state: "detached" });
    await attached.getByText("dropped.txt").waitFor();
    await sendMessage(page, "echo look at this");
    for (const name of ["note.txt", "dropped.txt"])
      await conversation(page).getByRole("article", { name: "You" }).getByText(name).waitFor();
    const shown = conversation(page).getByRole("article", { name: "You" }).getByRole("img");
    await shown.waitFor();
    await expect.poll(() => shown.evaluate((img) => Reflect.get(img, "naturalWidth"))).toBe(8);

    await page.getByRole("button", { name: "Session actions" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByLabel("Title").fill("With a picture");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "With a picture" }).waitFor();

    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Session actions" }).click();
    await page.getByRole("menuitem", { name: "Export events" }).click();
    const lines = (await Bun.file(await (await download).path()).text()).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(await client.events("s"));

    await page.getByRole("button", { name: "Session actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No sessions yet").waitFor();
    expect(page.url()).toBe(`${client.url}/ui/`);
  });

  test("with Claude Code: reasoning, a command that needs permission, a plan, usage", async () => {
    const lab = await startLab();
    await lab.create("s", { title: "Make the tests pass" });
    const page = await browser.open(sessionUrl(lab.client.url, "s"));
    const log = conversation(page);
    await sendMessage(
      page,
      "[[think Let me look first]] [[sh touch made-by-claude && echo it worked]] [[say **All** done]]",
    );
    const request = log.getByRole("group", { name: /^Permission/ });
    await request.getByText("touch made-by-claude").first().waitFor();
    await request.getByRole("button", { name: "Allow once" }).click();
    await log.getByRole("strong").filter({ hasText: "All" }).waitFor();
    await statusIs(page, "idle");
    await log.getByText("Bash").first().click();
    await log.getByText("it worked", { exact: true }).waitFor();
    await log.getByText("Reasoning").click();
    await log.getByText(/ in · .* out/).waitFor();
    await screenshot(page, "claude");
    await expectAccessible(page);

    await lab.create("p", { title: "Plan first", permissionMode: "plan" });
    await page.goto(sessionUrl(lab.client.url, "p"));
    await sendMessage(page, "[[plan # Two steps]] [[say On my way]]");
    const plan = log.getByRole("group", { name: "Plan" });
    await plan.getByRole("heading", { name: "Two steps" }).waitFor();
    await screenshot(page, "plan");
    await plan
      .getByRole("button", { name: /^1? ?Approve/ })
      .first()
      .click();
    await log.getByText("On my way", { exact: true }).waitFor();
  });
});
