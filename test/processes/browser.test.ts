/** Full-screen programs as people see them: in xterm.js, in a real browser, over the WebSocket. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { sharedBrowser } from "../harness/browser.ts";
import type { TestClient } from "../harness/client.ts";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { need } from "../harness/programs.ts";
import { outputOf, screenWith, start } from "./lab.ts";

const xterm = join(import.meta.dirname, "../../node_modules/@xterm/xterm");
const token = "secret";
const browser = sharedBrowser();

/** What the page does: a terminal that shows binary frames, sends keys, and applies the size that the daemon sends. */
const attach = (id: string) => `
  const term = (window.term = new Terminal({ cols: 80, rows: 24 }));
  term.open(document.getElementById("terminal"));
  const socket = (window.socket = new WebSocket(
    location.origin.replace("http", "ws") + "/v1/terminals/${id}/ws?access_token=${token}"));
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }) => {
    if (typeof data !== "string") return term.write(new Uint8Array(data));
    const frame = JSON.parse(data);
    if (frame.type === "resize") term.resize(frame.cols, frame.rows);
  };
  term.onData((data) => socket.send(JSON.stringify({ type: "input", data })));
  term.focus();`;

/** The visible lines of the page's terminal. */
const visible = `Array.from({ length: term.rows }, (_, y) =>
  term.buffer.active.getLine(term.buffer.active.baseY + y).translateToString(true).trimEnd()).join("\\n").trimEnd()`;

async function openPage(client: TestClient, id: string): Promise<Page> {
  // The page stands for anybody's; the policy of the one it is loaded into is not its own.
  const page = await browser().newPage({ bypassCSP: true });
  onTestFinished(() => page.close());
  page.setDefaultTimeout(60_000);
  await page.goto(`${client.url}/docs`);
  await page.setContent('<link rel="icon" href="data:,"><div id="terminal"></div>');
  await page.addStyleTag({ path: join(xterm, "css/xterm.css") });
  await page.addScriptTag({ path: join(xterm, "lib/xterm.js") });
  await page.evaluate(attach(id));
  return page;
}

async function shows(page: Page, pattern: RegExp): Promise<string> {
  await page.waitForFunction(`${pattern}.test(${visible})`);
  return page.evaluate<string>(visible);
}

/** Waits until the page shows exactly this. */
async function comesToShow(page: Page, text: string): Promise<void> {
  await page.waitForFunction(`${visible} === ${JSON.stringify(text)}`);
}

/** The colour and style of one cell, as xterm.js counts them. */
function cell(page: Page, x: number, y: number): Promise<{ inverse: boolean; bold: boolean; colour: number }> {
  return page.evaluate(`(() => {
    const cell = term.buffer.active.getLine(term.buffer.active.baseY + ${y}).getCell(${x});
    return { inverse: cell.isInverse() !== 0, bold: cell.isBold() !== 0, colour: cell.getFgColor() };
  })()`);
}

describe("in a browser", { timeout: 120_000 }, () => {
  test("vim is edited by keyboard, seen the same by who comes later, and saves", async (context) => {
    need(context, "vim");
    const client = await startTestClient({ token });
    const file = join(temporaryDirectory(), "poem.c");
    writeFileSync(file, "/* first line */\nint second;\n");
    const args = ["-u", "NONE", "-N", "-i", "NONE", "-n", "--cmd", "syntax on", "--cmd", "set number", file];
    const id = await start(client, { command: "vim", args, tty: true });
    const page = await openPage(client, id);
    const opened = await shows(page, /int second;\n~/);
    expect(opened.split("\n").slice(0, 3)).toEqual(["  1 /* first line */", "  2 int second;", "~"]);
    await comesToShow(page, await screenWith(client, id, /int second;[\s\S]*2L, \d+[BC]/));

    await page.keyboard.type("Go// third ünï");
    await page.keyboard.press("Escape");
    await shows(page, /^ {2}3 \/\/ third ünï$/m);
    await page.keyboard.type("ggx");
    await shows(page, /^ {2}1 \* first line/m);

    const later = await openPage(client, id);
    await comesToShow(later, await shows(page, /third/));
    expect(await cell(later, 4, 1)).toEqual(await cell(page, 4, 1));
    expect((await cell(later, 4, 1)).colour).not.toBe((await cell(later, 8, 1)).colour);

    await page.keyboard.type(":wq\n");
    await outputOf(client, id);
    expect(await Bun.file(file).text()).toBe("* first line */\nint second;\n// third ünï\n");
  });

  test("top fills the screen, follows a resize, and leaves in order", async (context) => {
    need(context, "top");
    const client = await startTestClient({ token });
    const id = await start(client, {
      command: "top",
      args: ["-d", "0.5"],
      tty: true,
      env: { HOME: temporaryDirectory() },
    });
    const page = await openPage(client, id);
    const lines = (await shows(page, /^ +PID +USER[\s\S]*\n +\d+ /m)).split("\n");
    expect(lines[0]).toMatch(/^top - \d\d:\d\d:\d\d up /);
    expect(lines).toHaveLength(24);
    const heading = lines.findIndex((line) => /^ +PID +USER/.test(line));
    expect(await cell(page, 4, heading)).toMatchObject({ inverse: true });
    expect(await page.textContent(".xterm-rows")).toContain("PID");

    await page.evaluate('socket.send(JSON.stringify({ type: "resize", cols: 120, rows: 15 }))');
    await page.waitForFunction("term.cols === 120 && term.rows === 15");
    await page.waitForFunction(`${visible}.split("\\n").length === 15 && /COMMAND/.test(${visible})`);

    await page.keyboard.press("q");
    await outputOf(client, id);
    expect((await client.get(`/v1/processes/${id}`)).json).toMatchObject({ status: "exited", exitCode: 0 });
  });
});
