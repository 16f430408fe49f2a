import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cli, temporaryDirectory } from "../test/cli-process.ts";

/** Command line → expected standard error. */
const mistakes: [string, RegExp][] = [
  ["bogus", /unknown command 'bogus'/],
  ["api", /Usage: sandbox-agent api/],
  ["api sessions creat x", /Did you mean create\?/],
  ["api sessions get", /missing required argument 'session-id'/],
  ["api sessions get a b", /too many arguments/],
  ["api sessions get ..", /'\.\.' cannot be a session_id/],
  ["api sessions create x", /required option '-a, --agent <agent>' not specified/],
  ["api sessions create x -a mock -p nope", /Allowed choices are default, plan, bypass, acceptEdits/],
  ["api sessions create x -a mock --mcp-config /nonexistent", /cannot be read/],
  ["api sessions create x -a mock --env NAME", /form NAME=VALUE/],
  ["api sessions create x -a mock --credential anthropic=NO_SUCH_VARIABLE", /variable NO_SUCH_VARIABLE is not set/],
  ["api sessions update x", /at least one setting is required/],
  ["api sessions send-message x", /required option '-m, --message <text>' not specified/],
  ["api sessions send-message x -m hi --delivery now", /Allowed choices are queue, steer, reject/],
  ["api sessions reply-permission x p -r maybe", /Allowed choices are once, always, reject/],
  ["api sessions reply-question x q -a [", /not JSON/],
  ["api sessions reply-question x q -a [1]", /expected array/],
  ["api sessions wait x --until never", /Allowed values are idle, request, ended/],
  ["api sessions events x --offset -1", /whole number/],
  ["api sessions list --endpoint localhost:2468", /http:\/\/ or https:\/\/ URL/],
  ["api sessions list --nonsense", /unknown option '--nonsense'/],
  ["server --port abc", /whole number from 0 to 65535/],
  ["server --port 65536", /whole number from 0 to 65535/],
  ["server --retain-days 0", /whole number of at least 1/],
  ["server --retain-events x", /whole number of at least 1/],
  ["server --turn-stall-ms 1.5", /whole number/],
  ["daemon start --port 0", /whole number from 1 to 65535/],
  ["daemon restart", /unknown command 'restart'/],
  ["--token", /argument missing/],
];

describe("a usage error exits with 2, an error on standard error and no standard output", () => {
  test.each(mistakes)("%s", async (line, reason) => {
    const { code, stdout, stderr } = await cli(line.split(" "));
    expect(stderr).toMatch(reason);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  test("an empty token, as from an unset variable in a script", async () => {
    const { code, stderr } = await cli(["server", "--token", ""]);
    expect(stderr).toContain("--token is empty");
    expect(code).toBe(2);
  });

  test("an invalid MCP configuration", async () => {
    const file = join(temporaryDirectory(), "mcp.json");
    writeFileSync(file, '{"files":{"type":"local"}}');
    const { code, stderr } = await cli(["sessions", "create", "x", "-a", "mock", "--mcp-config", file]);
    expect(stderr).toContain("files.command");
    expect(code).toBe(2);
  });

  test("an invalid endpoint from the environment", async () => {
    const { code, stderr } = await cli(["sessions", "list"], { env: { SANDBOX_AGENT_ENDPOINT: "nowhere" } });
    expect(stderr).toContain("from env 'SANDBOX_AGENT_ENDPOINT' is invalid");
    expect(code).toBe(2);
  });
});
