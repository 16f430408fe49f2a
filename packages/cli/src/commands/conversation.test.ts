/** `run`, `chat`, `attach` and `doctor`, with the mock agent, in pipes and at a terminal. */
import { PendingRequests, SessionInfo, type UniversalEvent } from "@sandbox-agent/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cli, type Server, startCli, startServer, temporaryDirectory } from "../../test/cli-process.ts";
import { type Screen, startAtTerminal } from "../../test/terminal.ts";

let server: Server;
let env: Record<string, string>;
beforeAll(async () => {
  server = await startServer(["--no-token"]);
  env = { SANDBOX_AGENT_ENDPOINT: server.url };
});
afterAll(() => server.stop());

function atTerminal(...args: string[]): Screen {
  return startAtTerminal(args, env);
}

async function session(id: string): Promise<SessionInfo> {
  return SessionInfo().parse(await (await fetch(`${server.url}/v1/sessions/${id}`)).json());
}

describe("run", () => {
  test("only the answer is on standard output", async () => {
    const { code, stdout, stderr } = await cli(["run", "-a", "mock", "tool"], { env });
    expect(code).toBe(0);
    expect(stdout).toBe("");
    expect(stderr).toContain('mock.search {"query":"example"}');
    expect(await cli(["run", "-a", "mock", "hello there"], { env })).toMatchObject({
      code: 0,
      stdout: "hello there\n",
    });
  });

  test("the prompt may come from a pipe", async () => {
    expect(await cli(["run", "-a", "mock"], { env, input: "from a pipe" })).toMatchObject({
      code: 0,
      stdout: "from a pipe\n",
    });
  });

  test("without a prompt it prints an example", async () => {
    expect(await cli(["run", "-a", "mock"], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("a prompt is required"),
    });
  });

  test("--json prints the events of the turn", async () => {
    const { stdout } = await cli(["run", "--json", "-a", "mock", "hi"], { env });
    const events: UniversalEvent[] = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)?.type).toBe("turn.ended");
  });

  test("a failed turn exits with 1 and prints the reason", async () => {
    const { code, stderr } = await cli(["run", "-a", "mock", "crash"], { env });
    expect(code).toBe(1);
    expect(stderr).toContain("the mock agent crashed");
    expect(stderr).toContain("the turn did not complete: failed");
  });

  test("an unknown agent prints the problem of the daemon", async () => {
    const { code, stderr } = await cli(["run", "-a", "nobody", "hi"], { env });
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ type: "urn:sandbox-agent:error:unsupported_agent" });
  });

  test("an endpoint that cannot be reached is an error", async () => {
    const { code, stderr } = await cli(["run", "-a", "mock", "-e", "http://127.0.0.1:9", "hi"]);
    expect(code).toBe(1);
    expect(stderr).toContain("cannot reach the daemon at http://127.0.0.1:9");
  });

  test("without a terminal a permission is rejected, with a hint", async () => {
    const { code, stderr } = await cli(["run", "-a", "mock", "permission1"], { env });
    expect(code).toBe(0);
    expect(stderr).toContain("use --permission-mode");
    expect(stderr).toContain("permission denied");
  });

  test("a permission is requested in the terminal", async () => {
    const screen = atTerminal("run", "-a", "mock", "permission1");
    await screen.shows(/Allow\? \[y\]es, \[a\]lways, \[N\]o: /);
    screen.press("y\r");
    await screen.shows(/permission approved/);
    expect(await screen.exitCode).toBe(0);
  });

  test("a question is answered by the number of an option", async () => {
    const screen = atTerminal("run", "-a", "mock", "question1");
    await screen.shows(/1\. .*[\s\S]*empty to reject\): /);
    screen.press("1\r");
    await screen.shows(/question answered/);
    expect(await screen.exitCode).toBe(0);
  });

  test("a request that another client has answered is not asked", async () => {
    const screen = atTerminal("run", "-a", "mock", "--session", "shared", "permission1");
    await screen.shows(/Allow\?/);
    const open = await fetch(`${server.url}/v1/sessions/shared/requests`);
    const [permission] = PendingRequests().parse(await open.json()).permissions;
    await cli(["sessions", "reply-permission", "shared", permission?.permission_id ?? "", "--reply", "once"], { env });
    expect(await screen.exitCode).toBe(0);
  });

  test("a signal aborts the turn, and its end is shown", async () => {
    const running = startCli(["run", "-a", "mock", "slow 2000 20"], { env });
    await running.output(/\S/);
    running.child.kill("SIGINT");
    const { code, stderr } = await running.ended;
    expect(code).toBe(1);
    expect(stderr).toContain("[turn aborted]");
  });
});

describe("chat and attach", () => {
  test("lines are messages, in their order; the end of input waits for the last answer", async () => {
    const input = "first\nsecond\n";
    const { code, stdout } = await cli(["chat", "-a", "mock", "--session", "chatted"], { env, input });
    expect(code).toBe(0);
    expect(stdout).toBe("first\nsecond\n");
  });

  test("attach shows history, then live events", async () => {
    await cli(["run", "-a", "mock", "--session", "watched", "before"], { env });
    const watching = startCli(["attach", "watched"], { env });
    await watching.output(/before\n/);
    await cli(["sessions", "send-message", "watched", "-m", "after"], { env });
    await watching.output(/before\nafter\n/);
    await cli(["sessions", "terminate", "watched"], { env });
    const { code, stderr } = await watching.ended;
    expect(code).toBe(0);
    expect(stderr).toContain("> before");
  });

  test("attach sends messages, and leaving does not end the session", async () => {
    await cli(["run", "-a", "mock", "--session", "joined", "before"], { env });
    const screen = atTerminal("attach", "joined");
    await screen.shows(/> before[\s\S]*> /);
    screen.press("hello from here\r");
    await screen.shows(/hello from here[\s\S]*hello from here\r\n/);
    screen.press("/exit\r");
    expect(await screen.exitCode).toBe(0);
    expect(await session("joined")).toMatchObject({ ended: false, status: "idle" });
  });

  test("attach shows the new log when the daemon's event log was replaced", async () => {
    const first = await startServer(["--no-token"]);
    const there = { SANDBOX_AGENT_ENDPOINT: first.url };
    await cli(["run", "-a", "mock", "--session", "moved", "burst 50"], { env: there });
    const watching = startCli(["attach", "moved"], { env: there });
    await watching.output(/49 50 /);
    const second = await startServer(["--no-token"]);
    await cli(["run", "-a", "mock", "--session", "moved", "from elsewhere"], {
      env: { SANDBOX_AGENT_ENDPOINT: second.url },
    });
    await Promise.all([first.stop(), second.stop()]);
    const moved = startCli(["server", "--port", String(first.port), "--data-dir", second.dataDir, "--no-token"]);
    await watching.output(/from elsewhere\n/);
    await cli(["sessions", "send-message", "moved", "-m", "and on"], { env: there });
    await watching.output(/from elsewhere\nand on\n/);
    await cli(["sessions", "terminate", "moved"], { env: there });
    const { code, stderr } = await watching.ended;
    expect([code, stderr.match(/event log was replaced/g)]).toEqual([0, ["event log was replaced"]]);
    moved.child.kill("SIGTERM");
    await moved.ended;
  });

  test("Ctrl-C stops the agent, then leaves", async () => {
    const screen = atTerminal("chat", "-a", "mock", "--session", "stopped");
    await screen.shows(/\/exit leaves[\s\S]*> /);
    screen.press("slow 2000 20\r");
    while ((await session("stopped")).status !== "running") await Bun.sleep(20);
    screen.press("\u0003");
    await screen.shows(/\[turn aborted\]/);
    screen.press("\u0003");
    expect(await screen.exitCode).toBe(0);
  });
});

describe("without a daemon", () => {
  test("run starts a temporary one, and the session is stored", async () => {
    const home = { XDG_DATA_HOME: temporaryDirectory(), SANDBOX_AGENT_LOG: "error" };
    const { code, stdout } = await cli(["run", "-a", "mock", "--session", "kept", "on my own"], { env: home });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "on my own\n" });
    const again = await cli(["run", "-a", "mock", "--session", "kept", "again"], { env: home });
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("session_already_exists") });
  });
});

describe("doctor", () => {
  test("starts installed agents and reports them", async () => {
    const { code, stdout } = await cli(["doctor", "mock"], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^mock +ready +builtin, started in \d+ ms\n$/);
  });

  test("an agent that does not start is reported as broken, with the reason", async () => {
    const broken = await startServer(["--no-token"], {
      env: { SANDBOX_AGENT_CLAUDE_PATH: "/bin/false", ANTHROPIC_API_KEY: "key-of-a-test" },
    });
    const { code, stdout, stderr } = await cli(["doctor", "claude", "--json", "-e", broken.url]);
    expect(JSON.parse(stdout)).toMatchObject([{ agent: "claude", state: "broken" }]);
    expect(stderr).toContain("broken: claude");
    expect(code).toBe(1);
    await broken.stop();
  });
});
