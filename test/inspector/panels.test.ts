/** The panels of the inspector in a real browser with a real daemon. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { copied, openPanels, token } from "./panels-stage.ts";
import { useBrowser } from "./stage.ts";

const browser = useBrowser();

describe("panels", { timeout: 120_000 }, () => {
  test("events are live and complete, and can be filtered, inspected and linked", async () => {
    const { client, page, panels, show } = await openPanels(browser);
    await show("Events");
    await client.send("one", "burst 2000");
    await client.send("one", "demo");
    await client.wait("one");
    const { lastSequence } = (await client.get("/v1/sessions/one")).json;
    await panels.getByText(`${lastSequence} events`).waitFor();
    await panels
      .getByRole("option", { name: /turn\.ended completed/ })
      .last()
      .waitFor();

    await panels.getByLabel("Filter events").fill("permission.requested command");
    const found = panels.getByRole("option", { name: /permission\.requested command_execution/ });
    await found.click();
    expect(await panels.getByRole("option").count()).toBe(1);
    await panels.getByRole("button", { name: "Copy event" }).click();
    const event = JSON.parse(await copied(page));
    expect(event).toEqual((await client.events("one", `?offset=${event.sequence - 1}&limit=1`))[0]);

    await panels.getByRole("button", { name: "Copy link to event" }).click();
    const link = await copied(page);
    await page.goto(link);
    await panels.getByRole("heading", { name: `#${event.sequence} permission.requested` }).waitFor();

    await panels.getByLabel("Filter events").fill("unparsed");
    await panels.getByRole("option", { name: /agent\.unparsed/ }).click();
    await panels.getByRole("tab", { name: "Raw agent message" }).click();
    await panels.getByText('"mock": "unparsed"').waitFor();
  });

  test("a terminal takes input, is kept after a reload, and ends when it is closed", async () => {
    const { client, directory, page, panels, show } = await openPanels(browser);
    await show("Terminals");
    await panels.getByRole("button", { name: "New terminal" }).click();
    const screen = panels.locator(".xterm-rows");
    await screen.waitFor();
    await panels.getByText("Connecting…").waitFor({ state: "detached" });
    await page.keyboard.type("echo $((6*7)) in $PWD\n");
    await screen.getByText(`42 in ${directory}`).waitFor();

    await page.reload();
    await screen.getByText(`42 in ${directory}`).waitFor();
    await panels.getByLabel("Terminal bash").press("Control+l");
    await page.keyboard.type("echo $COLUMNS\n");
    const { cols } = (await client.get("/v1/terminals")).json.terminals[0];
    await screen.getByText(new RegExp(`^${cols}$`)).waitFor();

    await panels.getByRole("button", { name: "Terminal actions" }).click();
    await page.getByRole("menuitem", { name: "Kill and close" }).click();
    await panels.getByText("No terminals").waitFor();
    expect((await client.get("/v1/processes")).json.processes).toEqual([]);
  });

  test("a tmux pane is attached, written to and detached", async () => {
    const tmux = startTmux();
    const { client, page, panels, show } = await openPanels(browser);
    await show("Terminals");
    await panels.getByRole("button", { name: "Terminal actions" }).click();
    await page.getByRole("menuitem", { name: "Attach to tmux" }).click();
    await page.getByRole("dialog").getByLabel("Pane").fill("missing");
    await page.getByRole("dialog").getByRole("button", { name: "Attach" }).click();
    await panels.getByText(/missing/).waitFor();

    await panels.getByRole("button", { name: "Terminal actions" }).click();
    await page.getByRole("menuitem", { name: "Attach to tmux" }).click();
    await page.getByRole("dialog").getByLabel("Pane").fill("work");
    await page.keyboard.press("Enter");
    await panels.getByRole("button", { name: "work:0.0" }).waitFor();
    await panels.getByText("Connecting…").waitFor({ state: "detached" });
    await panels.getByLabel("Terminal work:0.0").focus();
    await page.keyboard.type("echo $((6*7)) in tmux\n");
    await panels.locator(".xterm-rows").getByText("42 in tmux").waitFor();
    await expect.poll(() => tmux("capture-pane", "-p", "-t", "work")).toContain("\n42 in tmux");

    await panels.getByRole("button", { name: "Terminal actions" }).click();
    await page.getByRole("menuitem", { name: "Detach" }).click();
    await panels.getByText("No terminals").waitFor();
    expect((await client.get("/v1/terminals")).json.terminals).toEqual([]);
    expect(tmux("list-sessions")).toContain("work");
  });

  test("a process is started, written to, and stopped", async () => {
    const { client, panels, show } = await openPanels(browser);
    await show("Processes");
    await panels.getByLabel("Command").fill("read line; echo got $line; echo problem >&2; sleep 1000");
    await panels.getByLabel("Interactive").check();
    await panels.getByRole("button", { name: "Start" }).click();
    await panels.getByLabel("Input line").fill("this");
    await panels.getByRole("button", { name: "Send" }).click();
    await panels.locator(".xterm-rows").getByText("got this").waitFor();
    await panels.locator(".xterm-rows").getByText("problem").waitFor();
    await panels.getByRole("button", { name: "Stop" }).click();
    await panels.getByRole("button", { name: "Remove process" }).waitFor();
    expect((await client.get("/v1/processes")).json.processes).toMatchObject([{ status: "exited", signal: "SIGTERM" }]);
    await panels.getByRole("button", { name: "Remove process" }).click();
    await panels.getByText("No processes").waitFor();
  });

  test("agents are listed with their capabilities", async () => {
    const { client, panels, show } = await openPanels(browser);
    await show("Agents");
    await panels.getByRole("button", { name: /^Mock/ }).click();
    await panels.getByText("Same as build; the mock has nothing to plan").waitFor();
    await panels.getByLabel("Filter agents").fill("mock");
    await panels.getByLabel("View").selectOption("Capabilities");
    const { capabilities } = (await client.get("/v1/agents/mock")).json;
    const supported = Object.values(capabilities).filter(Boolean).length;
    expect(await panels.getByRole("img", { name: "yes" }).count()).toBe(supported);
    expect(await panels.getByRole("rowheader").count()).toBe(Object.keys(capabilities).length);
  });

  test("an MCP server of the directory is added, edited without revealing its secret, and removed", async () => {
    const { client, directory, page, panels, show } = await openPanels(browser);
    const stored = async () => (await client.get("/v1/config/mcp/list?reveal=true")).json.servers;
    await show("MCP & skills");
    await panels.getByRole("button", { name: "Add server" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Name", { exact: true }).fill("every");
    await form.getByRole("textbox", { name: "Command" }).fill("npx");
    await form.getByLabel("Arguments").fill("-y\nserver everything");
    await form.getByLabel("Environment").fill("KEY=s3cret");
    await form.getByRole("button", { name: "Save" }).click();
    await panels.getByText("npx -y server everything").waitFor();

    await panels.getByRole("button", { name: "Edit every" }).click();
    expect(await form.getByLabel("Environment").inputValue()).toBe("KEY=<redacted>");
    await form.getByLabel("Enabled").uncheck();
    await form.getByRole("button", { name: "Save" }).click();
    await panels.getByText("off", { exact: true }).waitFor();
    const config = { command: "npx", args: ["-y", "server everything"], env: { KEY: "s3cret" }, enabled: false };
    expect(await stored()).toMatchObject([{ directory, name: "every", config }]);

    await panels.getByRole("button", { name: "Remove every" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await panels.getByRole("region", { name: "MCP servers" }).getByText("None configured.").waitFor();
    expect(await stored()).toEqual([]);
  });

  test("skills of the directory are added and listed once their source has some", async () => {
    const { client, directory, page, panels, show } = await openPanels(browser);
    await show("MCP & skills");
    await panels.getByRole("button", { name: "Add skills" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Name", { exact: true }).fill("house");
    await form.getByLabel("Location").fill(join(directory, "src"));
    await form.getByLabel("Only these skills").fill("one, two");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("it contains no directory with a SKILL.md").waitFor();
    for (const name of ["one", "two"]) {
      mkdirSync(join(directory, "src", name));
      writeFileSync(join(directory, "src", name, "SKILL.md"), `---\nname: ${name}\ndescription: A skill\n---\n`);
    }
    await form.getByRole("button", { name: "Save" }).click();
    await panels.getByRole("button", { name: "Edit house" }).waitFor();
    const { skills } = (await client.get("/v1/config/skills/list")).json;
    const source = { type: "local", source: join(directory, "src"), skills: ["one", "two"] };
    expect(skills).toEqual([{ directory, name: "house", config: { sources: [source] } }]);
  });

  test("requests of the page are logged, and copied as curl commands without the token", async () => {
    const { page, panels, show } = await openPanels(browser);
    await show("Requests");
    await panels.getByLabel("Filter requests").fill("/v1/sessions/one 200");
    await panels
      .getByRole("list", { name: "Requests" })
      .getByRole("button", { name: /GET \/v1\/sessions\/one \d/ })
      .first()
      .click();
    await panels.getByText('"sessionId": "one"').waitFor();
    await panels.getByRole("button", { name: "Copy as curl" }).click();
    const command = await copied(page);
    expect(command).toMatch(/^curl -X GET 'http:\/\/127\.0\.0\.1:\d+\/v1\/sessions\/one'/);
    expect(command).toContain('-H "authorization: Bearer $SANDBOX_AGENT_TOKEN"');
    expect(command).not.toContain(token);
  });
});

/** Starts a tmux server at the default socket with a shell in a session `work`. Returns a function that runs tmux commands. */
function startTmux(): (...args: string[]) => string {
  // The path of a socket must be short.
  const directory = mkdtempSync(join(tmpdir(), "tmux-"));
  vi.stubEnv("TMUX_TMPDIR", directory);
  vi.stubEnv("TMUX", undefined);
  const run = (...args: string[]) => {
    const { stdout, stderr, success } = Bun.spawnSync(["tmux", "-f", "/dev/null", ...args], {
      env: { ...process.env, LC_ALL: "C.UTF-8" },
    });
    if (!success) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout.toString();
  };
  onTestFinished(() => {
    run("kill-server");
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true, force: true });
  });
  run("new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "env PS1='$ ' bash --norc");
  return run;
}
