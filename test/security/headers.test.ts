/** Headers that keep browsers from taking an answer for something else, and pages from being used by others. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { sharedBrowser } from "../harness/browser.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";

const token = "the-token-of-the-daemon-itself-000";

test("every answer forbids guessing its type", async () => {
  const { url } = await startTestDaemon({ token });
  const file = join(temporaryDirectory(), "page.txt");
  writeFileSync(file, "<script>alert(1)</script>");
  const authorization = `Bearer ${token}`;
  const requests: [string, RequestInit][] = [
    [`/v1/fs/file?path=${encodeURIComponent(file)}`, { headers: { authorization } }],
    [`/file/content?path=${encodeURIComponent(file)}`, { headers: { authorization } }],
    ["/v1/sessions", { headers: { authorization } }],
    ["/session", { headers: { authorization } }],
    ["/v1/sessions", {}],
    ["/session", {}],
    ["/v1/health", {}],
    ["/", {}],
    ["/docs", {}],
    ["/ui/", {}],
    ["/ui/icon.svg", {}],
    ["/nothing", { headers: { authorization } }],
    ["/v1/health", { headers: { origin: "https://evil.example" } }],
    ["/v1/sessions/a", { method: "POST", headers: { authorization }, body: "{" }],
  ];
  for (const [path, init] of requests) {
    const response = await fetch(url + path, init);
    await response.arrayBuffer();
    expect([path, response.headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
  }
});

describe("pages", () => {
  test.each(["/", "/docs", "/ui/"])(
    "%s has a policy, cannot be framed by others, and has a window of its own",
    async (path) => {
      const { url } = await startTestDaemon();
      const { headers } = await fetch(url + path);
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(/default-src '(none|self)'/);
      expect(policy).toContain("frame-ancestors 'self'");
      expect(policy).not.toContain("script-src");
    },
  );

  const browser = sharedBrowser();

  test("the reference is shown with its style, and nothing of it is against its policy", async () => {
    const { url } = await startTestDaemon();
    const page = await browser().newPage();
    onTestFinished(() => page.close());
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    await page.goto(`${url}/docs`);
    await page.getByRole("heading", { name: "sandbox-agent" }).waitFor();
    expect(await page.evaluate("getComputedStyle(document.body).display")).toBe("grid");
    expect(complaints).toEqual([]);
  }, 60_000);

  test("a script that gets into the reference does not run", async () => {
    const { url } = await startTestDaemon();
    const page = await browser().newPage();
    onTestFinished(() => page.close());
    await page.goto(`${url}/docs`);
    await page.evaluate(`document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='attacked = true'>")`);
    await page.evaluate(
      `{ const s = document.createElement("script"); s.textContent = "attacked = true"; document.body.append(s); }`,
    );
    expect(await page.evaluate("typeof attacked")).toBe("undefined");
  }, 60_000);
});
