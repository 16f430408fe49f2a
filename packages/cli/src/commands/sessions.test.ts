import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PendingRequests, SessionInfo } from "@sandbox-agent/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  cli,
  type RunOptions,
  type Server,
  startCli,
  startServer,
  temporaryDirectory,
} from "../../test/cli-process.ts";
import { startAtTerminal } from "../../test/terminal.ts";

let server: Server;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startServer(["--token", "sekret"]);
  env = { SANDBOX_AGENT_ENDPOINT: server.url, SANDBOX_AGENT_TOKEN: "sekret" };
});
afterAll(() => server.stop());

/** Runs a command that must succeed; its answer is JSON or nothing. */
async function ok(line: string, { input }: RunOptions = {}): Promise<unknown> {
  const { code, stdout, stderr } = await cli(line.split(" "), { env, input });
  expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: "" });
  return stdout === "" ? null : JSON.parse(stdout);
}

describe("the daemon", () => {
  test("prints its info, health and version", async () => {
    expect(await ok("api health")).toEqual({ status: "ok" });
    expect(await ok("api version")).toMatchObject({ name: "sandbox-agent" });
    expect(await ok("api openapi")).toMatchObject({ openapi: "3.1.0" });
    const { code, stdout } = await cli(["api", "info"], { env });
    expect(code).toBe(0);
    expect(stdout).toContain("sandbox-agent");
  });

  test("lists its agents", async () => {
    expect(await ok("agents list")).toMatchObject({
      agents: expect.arrayContaining([expect.objectContaining({ id: "mock" })]),
    });
    expect(await ok("agents get mock")).toMatchObject({ id: "mock", installed: true });
    expect(await ok("agents install mock")).toBeNull();
    expect(await ok("api agents modes mock")).toMatchObject({ modes: expect.any(Array) });
    expect(await ok("api agents models mock")).toMatchObject({ defaultModel: "mock" });
  });
});

describe("a session", () => {
  test("is forked", async () => {
    await ok("api sessions create origin -a mock --title Work");
    await ok("api sessions send-message origin -m hello");
    await ok("api sessions wait origin");
    const fork = "api sessions fork origin --as copy --last-turn 1 --title Copy";
    expect(await ok(fork)).toMatchObject({ sessionId: "copy", title: "Copy" });
    expect(await ok("api sessions transcript copy")).toMatchObject({ turns: [{ reason: "completed" }] });
    for (const id of ["origin", "copy"]) await ok(`api sessions delete ${id}`);
  });

  test("is created with all settings, updated, listed, ended and deleted", async () => {
    const directory = temporaryDirectory();
    const mcpFile = join(directory, "mcp.json");
    writeFileSync(mcpFile, '{"files":{"type":"local","command":["true"]}}');
    const create = `api sessions create full -a mock -g plan -p plan -m mock --directory ${directory} --title Work`;
    const surroundings = "--env A=b --credential anthropic=PATH --model-endpoint anthropic=http://127.0.0.1:1";
    expect(await ok(`${create} --mcp-config ${mcpFile} ${surroundings}`)).toMatchObject({ healthy: true });

    const expected = { agentMode: "plan", permissionMode: "plan", model: "mock", directory, title: "Work" };
    expect(await ok("api sessions get full")).toMatchObject({ ...expected, mcp: { files: { command: ["true"] } } });
    expect(await ok("api sessions update full --title Better -g build")).toMatchObject({
      title: "Better",
      agentMode: "build",
    });
    expect(await ok("api sessions update full --title ")).toMatchObject({ title: null });
    expect(await ok("sessions list")).toMatchObject({ sessions: [{ sessionId: "full" }] });
    const listed = { sessions: [{ sessionId: "full" }] };
    expect(await ok(`sessions list -l 1 -a mock --status idle,ended --directory ${directory}`)).toMatchObject(listed);
    expect(await ok("sessions list --status running")).toEqual({ sessions: [] });
    expect(await ok("api sessions terminate full")).toBeNull();
    expect(await ok("api sessions wait full --until ended,idle")).toMatchObject({ reached: "ended" });
    expect(await ok("api sessions delete full")).toBeNull();
    expect(await ok("sessions list")).toEqual({ sessions: [] });
  });

  test("answers a message, and its history can be read", async () => {
    await ok("sessions create talk -a mock");
    expect(await ok("sessions send-message talk -m -", { input: "echo from stdin" })).toBeNull();
    expect(await ok("sessions wait talk --until idle --timeout-ms 10000")).toMatchObject({ reached: "idle" });
    expect(JSON.stringify(await ok("sessions transcript talk"))).toContain("from stdin");
    expect(await ok("sessions events talk --offset 1 --limit 1")).toMatchObject({
      events: [{ sequence: 2 }],
      hasMore: true,
    });
    expect(await ok("sessions get-messages talk -l 0")).toEqual({ events: [], hasMore: true });
  });

  test("accepts a message with the same key once", async () => {
    await ok("sessions create once -a mock");
    for (let attempt = 0; attempt < 2; attempt++) await ok("sessions send-message once -m hello --idempotency-key k1");
    await ok("sessions wait once");
    expect(await ok("sessions transcript once")).toMatchObject({ turns: [expect.anything()] });
  });

  test("gets attachments by their absolute path", async () => {
    await ok("sessions create files -a mock");
    await ok("sessions send-message files -m look --attach ./notes.txt");
    await ok("sessions wait files");
    expect(JSON.stringify(await ok("sessions transcript files"))).toContain(join(process.cwd(), "notes.txt"));
  });

  test("requests a permission, which is granted", async () => {
    await ok("sessions create careful -a mock");
    await ok("sessions send-message careful -m permission1");
    expect(await ok("sessions wait careful --until request")).toMatchObject({ reached: "request" });
    const { permissions } = PendingRequests().parse(await ok("sessions requests careful"));
    await ok(`sessions reply-permission careful ${permissions[0]?.permission_id} -r once`);
    expect(await ok("sessions wait careful")).toMatchObject({ reached: "idle" });
  });

  test("asks questions, one answered and one declined", async () => {
    await ok("sessions create curious -a mock");
    await ok("sessions send-message curious -m question");
    await ok("sessions wait curious --until request");
    await ok('sessions reply-question curious mock_1_question -a [["Red"]]');
    await ok("sessions reject-question curious mock_1_question_reject");
    expect(await ok("sessions wait curious")).toMatchObject({ reached: "idle" });
  });

  test("cancels a queued message and aborts its turn", async () => {
    await ok("sessions create busy -a mock");
    await ok("sessions send-message busy -m hang");
    await ok("sessions send-message busy -m later");
    const { queue } = SessionInfo().parse(await ok("sessions get busy"));
    await ok(`sessions cancel-message busy ${queue[0]?.messageId}`);
    expect(await ok("sessions get busy")).toMatchObject({ status: "running", queue: [] });
    const refused = await cli("sessions send-message busy -m now --delivery reject".split(" "), { env });
    expect({ code: refused.code, problem: JSON.parse(refused.stderr) }).toMatchObject({
      code: 1,
      problem: { status: 409 },
    });
    await ok("sessions abort busy");
    expect(await ok("sessions wait busy")).toMatchObject({ reached: "idle" });
  });
});

describe("a list at a terminal", () => {
  test.each([
    ["sessions", /SESSION +AGENT +MODEL +STATUS +EVENTS +UPDATED +TITLE\s+listed +mock +mock +idle +1 /],
    ["agents", /AGENT +SOURCE +INSTALLED +VERSION +CREDENTIALS[\s\S]*mock +builtin +yes +builtin +yes/],
  ])("is a table of %s, and JSON with --json", async (group, table) => {
    await cli(["sessions", "delete", "listed"], { env });
    await ok("sessions create listed -a mock");
    const people = startAtTerminal([group, "list"], env);
    expect(await people.exitCode).toBe(0);
    await people.shows(table);
    const programs = startAtTerminal([group, "list", "--json"], env);
    expect(await programs.exitCode).toBe(0);
    await programs.shows(/\n\}\s*$/);
    expect(JSON.parse(programs.text())).toMatchObject({ [group]: expect.any(Array) });
  });
});

describe("a stream", () => {
  test("of one turn ends with it", async () => {
    await ok("sessions create turn -a mock");
    const { code, stdout } = await cli(["sessions", "send-message-stream", "turn", "-m", "hello there"], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^(: .*\n\n)?id: \d+\ndata: \{.*"type":"turn\.started"/);
    expect(stdout).toMatch(/"type":"turn\.ended".*\n\n$/);
  });

  test.each([
    ["of a session", ["sessions", "events-sse", "live"]],
    ["of everything", ["api", "events-sse", "--offset", "0"]],
  ])("%s shows events as they come, until it is interrupted", async (_, args) => {
    await cli(["sessions", "delete", "live"], { env });
    await ok("sessions create live -a mock");
    const { child, output, ended } = startCli(args, { env });
    await output(/"session_id":"live".*"type":"session\.started"|"type":"session\.started".*"session_id":"live"/);
    await ok("sessions send-message live -m marker");
    await output(/marker/);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ signal: "SIGINT", stderr: "" });
  });

  test("ends quietly when its output is closed", async () => {
    await ok("sessions create piped -a mock");
    await ok("sessions send-message piped -m hello");
    const reader = startCli(["sessions", "events-sse", "piped"], { env });
    await reader.output(/data:/);
    reader.child.stdout?.destroy();
    await ok("sessions send-message piped -m again");
    expect(await reader.ended).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("what goes wrong", () => {
  test("is printed unchanged on standard error", async () => {
    const { code, stdout, stderr } = await cli(["sessions", "get", "nobody"], { env });
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(JSON.parse(stderr)).toMatchObject({ type: "urn:sandbox-agent:error:session_not_found", status: 404 });
    expect(stderr).toContain('\n  "status": 404');
  });

  test("may be the token", async () => {
    const { code, stderr } = await cli(["sessions", "list", "--token", "wrong"], { env });
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ status: 401 });
  });

  test("may be that the daemon cannot be reached", async () => {
    const { code, stdout, stderr } = await cli(["sessions", "list", "-e", "http://127.0.0.1:9"]);
    expect(stderr).toContain("cannot reach the daemon at http://127.0.0.1:9: connection refused");
    expect(stderr).toContain("sandbox-agent daemon start");
    expect(stdout).toBe("");
    expect(code).toBe(1);
  });
});
