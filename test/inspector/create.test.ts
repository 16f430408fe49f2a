/** The dialog for a new session: MCP servers, skills, and agents that are installed first. */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { conversation, expectAccessible, screenshot, sendMessage, useBrowser } from "./stage.ts";

const browser = useBrowser();

describe("a new session", { timeout: 120_000 }, () => {
  test("gets the directory, MCP servers and skills of the dialog", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    const skills = join(directory, "skills");
    mkdirSync(join(skills, "tidy"), { recursive: true });
    writeFileSync(join(skills, "tidy/SKILL.md"), "---\nname: tidy\ndescription: Tidies up\n---\n");
    const page = await browser.open(`${client.url}/ui/`);
    await page.getByText("No sessions yet").waitFor();
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New session" });

    await dialog.getByLabel("Directory").fill(directory);
    await dialog.getByRole("button", { name: "Browse" }).click();
    await dialog.getByRole("button", { name: "skills", exact: true }).click();
    expect(await dialog.getByLabel("Directory").inputValue()).toBe(skills);
    await dialog.getByLabel("Directory").fill(directory);

    await dialog.getByRole("button", { name: "Add MCP server" }).click();
    await dialog.getByLabel("MCP server name").fill("local");
    await dialog.getByLabel("Command").fill("npx some-server --flag");
    await dialog.getByRole("button", { name: "Add MCP server" }).click();
    await dialog.getByLabel("MCP server name").last().fill("remote");
    await dialog.getByLabel("MCP server type").last().selectOption({ label: "URL" });
    await dialog.getByLabel("URL").fill("http://127.0.0.1:9/mcp");
    await dialog.getByRole("button", { name: "Add MCP server" }).click();
    await dialog.getByRole("button", { name: "Remove" }).last().click();
    await dialog.getByRole("button", { name: "Add skills" }).click();
    await dialog.getByLabel("Source", { exact: true }).fill(skills);
    await expectAccessible(page);
    await screenshot(page, "create-with-more");
    await dialog.getByRole("button", { name: "Start session" }).click();
    await dialog.waitFor({ state: "detached" });

    const { sessions } = (await client.get("/v1/sessions")).json;
    expect(sessions).toMatchObject([
      {
        directory,
        mcp: {
          local: { type: "stdio", command: ["npx", "some-server", "--flag"] },
          remote: { type: "http", url: "http://127.0.0.1:9/mcp" },
        },
        skills: { sources: [{ type: "local", source: skills }] },
      },
    ]);
  });

  test("installs its agent and shows the progress", async () => {
    const agent = await slowDownload();
    const client = await startTestClient({ dataDir: temporaryDirectory() });
    await client.call("PUT", "/v1/agents/echo", { body: agent.definition });
    const page = await browser.open(`${client.url}/ui/`);
    await page.getByRole("button", { name: "New session" }).click();
    const dialog = page.getByRole("dialog", { name: "New session" });
    await dialog.getByLabel("Agent", { exact: true }).selectOption("echo");
    await dialog.getByText("Echo is not installed.").waitFor();

    const streamOpened = page.waitForResponse(/\/v1\/events\/sse/);
    await dialog.getByRole("button", { name: "Install now" }).click();
    await streamOpened;
    agent.sendHalf();
    const bar = dialog.getByRole("progressbar", { name: "Installing Echo" });
    await expect.poll(() => bar.getAttribute("value")).toBe("0.5");
    await screenshot(page, "create-installing");
    agent.sendRest();
    await bar.waitFor({ state: "detached" });
    await dialog.getByText("Echo is not installed.").waitFor({ state: "detached" });

    await dialog.getByRole("button", { name: "Start session" }).click();
    await sendMessage(page, "are you there?");
    await conversation(page).getByText("Echo: are you there?").waitFor();
  });
});

const echo = join(import.meta.dirname, "../harness/acp-echo.ts");

/** An agent whose program is downloaded from this server in two halves, each sent on request. */
async function slowDownload() {
  const program = `#!/bin/sh\nexec '${process.execPath}' '${echo}'\n`.padEnd(400, "#");
  const bytes = new TextEncoder().encode(program);
  const half = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<void>();
  const server = createServer(async (_, response) => {
    response.writeHead(200, { "content-length": bytes.length });
    await half.promise;
    response.write(bytes.subarray(0, 200));
    await rest.promise;
    response.end(bytes.subarray(200));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.int() }).parse(server.address());
  const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  const archive = { url: `http://127.0.0.1:${port}/echo`, sha256 };
  const archives = { "linux-x86_64": archive, "linux-aarch64": archive };
  return {
    definition: {
      name: "Echo",
      command: "echo-agent",
      env: { GREETING: "Echo" },
      install: { type: "archive", version: "1.0.0", archives },
    },
    sendHalf: half.resolve,
    sendRest: rest.resolve,
  };
}
