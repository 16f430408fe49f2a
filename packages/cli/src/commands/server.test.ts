import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { need } from "../../../../test/harness/programs.ts";
import {
  cli,
  type RunOptions,
  type Server,
  startCli,
  startServer,
  temporaryDirectory,
} from "../../test/cli-process.ts";

const given = "a-token-that-was-given";
const servers: Server[] = [];

async function serve(args: string[] = [], options: RunOptions = {}): Promise<Server> {
  const server = await startServer(args, options);
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

describe("the output of a server at its start", () => {
  test("has its address in the first line, and other URLs", async () => {
    const { url, dataDir, stop } = await serve();
    const { stdout, stderr } = await stop();
    const [first, ...rest] = stdout.split("\n");
    expect(first).toMatch(/^sandbox-agent \d+\.\d+\.\d+ listening on http:\/\/127\.0\.0\.1:\d+$/);
    const token = readFileSync(join(dataDir, "token"), "utf8").trim();
    const inspector = `${url}/ui/?token=${token}`;
    expect(rest.slice(0, 3)).toEqual([`Data       ${dataDir}`, `Inspector  ${inspector}`, `API        ${url}/docs`]);
    expect(stderr).toBe("");
  });

  test.for<[string, string[]]>([
    ["with a token that was made", []],
    ["with a token that was given", ["--token", given]],
    ["without a token", ["--no-token"]],
  ])("has commands to try, which work %s", async ([, args], context) => {
    need(context, "curl");
    const { stop, output } = await serve(args);
    const [, create = "", send = ""] = await output(/Try it:\n {2}(.+)\n {2}(.+)\n/);
    const env = { ...process.env, SANDBOX_AGENT_TOKEN: given };
    const shell = (line: string) =>
      new Response(Bun.spawn(["sh", "-c", line], { env, stderr: "ignore" }).stdout).json();
    expect(await shell(create)).toMatchObject({ healthy: true });
    const stream = await new Response(Bun.spawn(["sh", "-c", send], { env, stderr: "ignore" }).stdout).text();
    expect(stream).toContain('"type":"turn.ended"');
    const { stdout, stderr } = await stop();
    expect(stdout + stderr).not.toContain(given);
  });

  test("has a warning if anyone can connect", async () => {
    const open = await (await serve(["--host", "0.0.0.0", "--no-token"])).stop();
    expect(open.stderr).toMatch(/^warning: THIS SERVER HAS NO TOKEN.*\n(.+\n){3}$/);
    const guarded = await (await serve(["--host", "0.0.0.0", "--token", given])).stop();
    expect(guarded.stderr).toBe("");
  });

  test("has a note that an ephemeral server stores nothing", async () => {
    const { stop, dataDir } = await serve(["--ephemeral"]);
    expect((await stop()).stdout).toContain("Data       in memory");
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

describe("a server", () => {
  test.each<NodeJS.Signals>(["SIGTERM", "SIGINT", "SIGHUP"])(
    "ends with 0 on %s, even with an open stream",
    async (signal) => {
      const { child, ended, url } = await serve(["--no-token"]);
      const stream = await fetch(`${url}/v1/events/sse`);
      child.kill(signal);
      expect(await ended).toMatchObject({ code: 0, signal: null, stderr: "" });
      await stream.text().catch(() => {});
    },
  );

  test("ends with its parent with --exit-with-parent", async () => {
    // Standard input of these processes is closed from the start.
    const { ended, output } = startCli(["server", "--port", "0", "--ephemeral", "--exit-with-parent"]);
    await output(/listening on/);
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: "" });
  });

  test.each<[string, string[], Record<string, string>, number]>([
    ["takes its token from the command line", ["-t", "T"], {}, 401],
    ["takes its token from the environment", [], { SANDBOX_AGENT_TOKEN: "T" }, 401],
    ["has none with --no-token", ["-n"], { SANDBOX_AGENT_TOKEN: "T" }, 200],
  ])("%s", async (_, args, env, status) => {
    const { url } = await serve(args, { env });
    const response = await fetch(`${url}/v1/agents`);
    await response.text();
    expect(response.status).toBe(status);
  });

  test("applies the CORS options", async () => {
    const { url } = await serve(["-O", "http://a.test", "-O", "http://b.test", "-M", "GET", "-A", "x-one", "-C"]);
    const response = await fetch(`${url}/v1/agents`, {
      method: "OPTIONS",
      headers: { Origin: "http://b.test", "Access-Control-Request-Method": "GET" },
    });
    await response.text();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": "http://b.test",
      "access-control-allow-methods": "GET",
      "access-control-allow-headers": "x-one",
      "access-control-allow-credentials": "true",
    });
  });

  test("ends turns without events after --turn-stall-ms", async () => {
    const { url } = await serve(["--no-token", "--turn-stall-ms", "200", "--no-telemetry"]);
    const headers = { "content-type": "application/json" };
    await fetch(`${url}/v1/sessions/a`, { method: "POST", headers, body: '{"agent":"mock"}' });
    await fetch(`${url}/v1/sessions/a/messages`, { method: "POST", headers, body: '{"message":"hang"}' });
    await fetch(`${url}/v1/sessions/a/wait?timeout_ms=60000`);
    const transcript = await (await fetch(`${url}/v1/sessions/a/transcript`)).json();
    expect(transcript).toMatchObject({ errors: [{ code: "agent_stalled" }], turns: [{ reason: "stalled" }] });
  });

  test("reports that its port is in use", async () => {
    const { port } = await serve();
    const { code, stdout, stderr } = await cli(["server", "--port", String(port), "--ephemeral"]);
    expect(stderr).toMatch(new RegExp(`^error: .*${port}`));
    expect(stdout).toBe("");
    expect(code).toBe(1);
  });

  test("reports that its data directory is in use", async () => {
    const { dataDir } = await serve();
    const { code, stderr } = await cli(["server", "--port", "0", "--data-dir", dataDir]);
    expect(stderr).toContain(dataDir);
    expect(code).toBe(1);
  });

  test("reports that its host is not an address of this machine", async () => {
    const { code, stderr } = await cli(["server", "--host", "203.0.113.1", "--port", "0", "--ephemeral"]);
    expect(stderr).toMatch(/^error: cannot listen on 203\.0\.113\.1; .*--host\n$/);
    expect(code).toBe(1);
  });

  test("reports which file is invalid, and what to do", async () => {
    const dataDir = temporaryDirectory();
    const database = join(dataDir, "events.db");
    writeFileSync(database, "something that somebody else has written here, and no database");
    const damaged = await cli(["server", "--port", "0", "--data-dir", dataDir]);
    expect(damaged.stderr).toMatch(new RegExp(`^error: ${database} cannot be used: .*--data-dir\n$`));
    expect(damaged.code).toBe(1);
    const taken = await cli(["server", "--port", "0", "--data-dir", database]);
    expect(taken.stderr).toMatch(new RegExp(`^error: ${database} cannot be used: .*--data-dir\n$`));
    expect(taken.code).toBe(1);
  });
});
