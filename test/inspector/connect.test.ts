/** Connecting: with and without a token, to other daemons, and error messages. */
import { describe, expect, test } from "vitest";
import { startTestDaemon } from "../harness/daemon.ts";
import { expectAccessible, screenshot, useBrowser } from "./stage.ts";

const browser = useBrowser();
const token = "s3cret";

describe("connecting", () => {
  test("connects at once to a daemon without a token", async () => {
    const { url } = await startTestDaemon();
    const page = await browser.open(`${url}/ui/`);
    await page.getByText("No sessions yet").waitFor();
  });

  test("a wrong token is reported, the right one is stored", async () => {
    const { url } = await startTestDaemon({ token });
    const page = await browser.open(`${url}/ui/`);
    await page.getByText("This daemon requires a token").waitFor();
    await expectAccessible(page);
    await screenshot(page, "connect");

    await page.getByLabel("Token").fill("wrong");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByText("The daemon rejected this token").waitFor();
    await page.getByLabel("Token").fill(token);
    await page.keyboard.press("Enter");
    await page.getByText("No sessions yet").waitFor();

    await page.reload();
    await page.getByText("No sessions yet").waitFor();
    await page.getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("button", { name: `Forget ${url}` }).click();
    await page.reload();
    await page.getByText("This daemon requires a token").waitFor();
  });

  test("a token in the URL is used and removed from it", async () => {
    const { url } = await startTestDaemon({ token });
    const page = await browser.open(`${url}/ui/?token=${token}`);
    await page.getByText("No sessions yet").waitFor();
    expect(page.url()).toBe(`${url}/ui/`);
  });

  test("connects to another daemon if it allows this page, else shows what to do", async () => {
    const { url } = await startTestDaemon();
    const closed = await startTestDaemon();
    const cors = { origins: [url], methods: [], headers: [], credentials: false };
    const open = await startTestDaemon({ cors, token });
    const page = await browser.open(`${url}/ui/?endpoint=${encodeURIComponent(closed.url)}`);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByText(`--cors-allow-origin ${url}`).first().waitFor();
    await page.getByText("does not allow requests from this page").waitFor();

    await closed.stop();
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByText(`Cannot reach ${closed.url}`).waitFor();

    await page.getByLabel("Endpoint").fill(`${open.url}/`);
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByText("No sessions yet").waitFor();
    await page.locator("header").getByText(open.url.replace("http://", "")).waitFor();
  });

  test("a link to another daemon connects only after confirmation, with the token of the link", async () => {
    const { url } = await startTestDaemon();
    const cors = { origins: [url], methods: [], headers: [], credentials: false };
    const other = await startTestDaemon({ cors, token });
    const link = `${url}/ui/?endpoint=${encodeURIComponent(other.url)}&token=${token}`;
    const page = await browser.open(`${url}/docs`);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(link);
    await page.getByText(`connects to ${other.url}`).waitFor();
    await expectAccessible(page);
    await page.waitForLoadState("networkidle");
    expect(page.url()).toBe(`${url}/ui/`);
    expect(requests.filter((address) => address.startsWith(other.url))).toEqual([]);

    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByText("No sessions yet").waitFor();
    // The daemon is known from now on.
    await page.goto(link);
    await page.getByText("No sessions yet").waitFor();
    await page.locator("header").getByText(other.url.replace("http://", "")).waitFor();
  });
});
