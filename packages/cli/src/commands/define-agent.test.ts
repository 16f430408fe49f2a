/** Agents by definition from the command line, and what a server makes of files that define them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cli, type Server, startServer, temporaryDirectory } from "../../test/cli-process.ts";

let server: Server;
beforeAll(async () => {
  server = await startServer(["--no-token"]);
});
afterAll(() => server.stop());

const call = (...args: string[]) => cli([...args, "-e", server.url]);

function file(content: unknown): string {
  const path = join(temporaryDirectory(), "definition.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

describe("agents define", () => {
  test("takes options; `get` shows it and `remove` takes it away", async () => {
    const options = [
      "--name",
      "Mine",
      "--command",
      "sh",
      "--arg",
      "-c",
      "--arg",
      "acp",
      "--env",
      "KEY=secret",
      "--inherit-env",
      "GITHUB_TOKEN",
    ];
    const defined = await call("agents", "define", "mine", ...options);
    expect(defined).toMatchObject({ code: 0, stderr: "" });
    const definition = { name: "Mine", command: "sh", args: ["-c", "acp"], env: ["KEY"], inheritEnv: ["GITHUB_TOKEN"] };
    expect(JSON.parse(defined.stdout)).toMatchObject({ id: "mine", source: "custom", definition });
    expect(JSON.parse((await call("agents", "get", "mine")).stdout)).toEqual(JSON.parse(defined.stdout));
    expect(await call("agents", "remove", "mine")).toMatchObject({ code: 0, stdout: "" });
    expect(await call("agents", "get", "mine")).toMatchObject({ code: 1 });
  });

  test("takes an npm package or a file", async () => {
    const packaged = await call("agents", "define", "packaged", "--npm", "pi-acp@0.0.34");
    expect(JSON.parse(packaged.stdout).definition).toEqual({ install: { type: "npm", package: "pi-acp@0.0.34" } });
    const written = await call("agents", "define", "written", "--file", file({ command: "sh", authMethod: "key" }));
    expect(JSON.parse(written.stdout).definition).toEqual({ command: "sh", authMethod: "key" });
  });

  test.each<[string, string[], RegExp]>([
    ["nothing", [], /--command, --npm or --file is required/],
    [
      "a file and an option",
      ["--file", file({ command: "sh" }), "--name", "X"],
      /cannot be combined with other options/,
    ],
    ["a file with a mistake", ["--file", file({ command: "sh", args: "acp" })], /args: /],
    ["a missing file", ["--file", "/nonexistent/x.json"], /cannot be read/],
  ])("%s is a usage error", async (_, args, reason) => {
    const { code, stderr } = await call("agents", "define", "x", ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(reason);
  });

  test("is refused for a built-in agent", async () => {
    const { code, stderr } = await call("agents", "define", "claude", "--command", "sh");
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ status: 409, agent: "claude" });
  });
});

test("`registry refresh` prints the agents, or why it failed", async () => {
  const agent = { id: "fresh", name: "Fresh", version: "1.0.0", distribution: { npx: { package: "fresh@1.0.0" } } };
  using web = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => (url.endsWith("/r") ? Response.json({ version: "1", agents: [agent] }) : new Response("?")),
  });
  const good = await call("registry", "refresh", "--url", `${web.url.origin}/r`);
  expect(JSON.parse(good.stdout)).toMatchObject({ url: `${web.url.origin}/r`, agents: ["fresh"] });
  const bad = await call("registry", "refresh", "--url", `${web.url.origin}/x`);
  expect(bad.code).toBe(1);
  expect(JSON.parse(bad.stderr)).toMatchObject({
    status: 502,
    detail: expect.stringContaining("not a valid ACP registry"),
  });
});

describe("a server", () => {
  test("takes agents from --agent-config, and so does install-agent", async () => {
    const config = file({ agents: { mine: { command: "sh" } } });
    const configured = await startServer(["--no-token", "--agent-config", config]);
    const { stdout } = await cli(["agents", "get", "mine", "-e", configured.url]);
    await configured.stop();
    expect(JSON.parse(stdout)).toMatchObject({ source: "custom", installed: true });
    const installed = await cli([
      "install-agent",
      "mine",
      "--agent-config",
      config,
      "--data-dir",
      temporaryDirectory(),
    ]);
    expect(installed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mine .* is installed: \/.*sh\n$/) });
  });

  test.each<[string, unknown, RegExp]>([
    ["is not JSON", "{", /^error: .*agents\.json is not JSON/],
    ["has a wrong field", { agents: { a: { command: "x", args: 1 } } }, /^error: .*agents\.json .*agents\.a\.args: /],
    [
      "defines a built-in agent",
      { agents: { claude: { command: "x" } } },
      /^error: .*agents\.json: agents\.claude: .*built in/,
    ],
  ])("does not start when agents.json %s", async (_, content, reason) => {
    const dataDir = temporaryDirectory();
    writeFileSync(join(dataDir, "agents.json"), typeof content === "string" ? content : JSON.stringify(content));
    const { code, stdout, stderr } = await cli(["server", "--port", "0", "--data-dir", dataDir]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(reason);
  });

  test("does not start when the file of --agent-config is missing", async () => {
    const args = ["server", "--port", "0", "--ephemeral", "--agent-config", "/nonexistent/a.json"];
    expect(await cli(args)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: \/nonexistent\/a\.json/) });
  });
});
