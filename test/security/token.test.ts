/** A daemon has a token unless it was started with `--no-token`, and only commands of the same user find it. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  cli,
  type RunOptions,
  type Server,
  startProcess,
  startServer,
  temporaryDirectory,
} from "../../packages/cli/test/cli-process.ts";
import { need } from "../harness/programs.ts";
import { useBrowser } from "../inspector/stage.ts";

const given = "a-token-that-was-given";
let home: string;
beforeEach(() => {
  home = temporaryDirectory();
});

async function serve(args: string[] = [], options: RunOptions = {}): Promise<Server> {
  const server = await startServer(args, { ...options, env: { XDG_DATA_HOME: home, ...options.env } });
  onTestFinished(async () => void (await server.stop()));
  return server;
}

function command(args: string[], env: Record<string, string> = {}) {
  return cli(args, { env: { XDG_DATA_HOME: home, ...env } });
}

async function statusFor(url: string, token?: string): Promise<number> {
  const response = await fetch(`${url}/v1/sessions`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  await response.text();
  return response.status;
}

function keptToken(dataDir: string): string {
  return readFileSync(join(dataDir, "token"), "utf8").trim();
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

function stateFile({ port }: { port: number }, host = "127-0-0-1"): string {
  return join(home, "sandbox-agent", "daemon", `daemon-${host}-${port}.json`);
}

describe("a server that was given no token", () => {
  test.each<[string, string[]]>([
    ["on loopback", []],
    ["on all addresses", ["--host", "0.0.0.0"]],
    ["with CORS for everybody", ["--cors-allow-origin", "*"]],
    ["in memory", ["--ephemeral"]],
  ])("makes one, %s", async (_, args) => {
    const { url, output } = await serve(args);
    const [, token] = await output(/\/ui\/\?token=([\w-]{43})\n/);
    expect([await statusFor(url), await statusFor(url, "x"), await statusFor(url, token)]).toEqual([401, 401, 200]);
  });

  test("keeps it across restarts, where only its user can read it", async () => {
    const { dataDir, stop } = await serve();
    const token = keptToken(dataDir);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(modeOf(join(dataDir, "token"))).toBe("600");
    await stop();
    chmodSync(join(dataDir, "token"), 0o644);
    const again = await serve(["--data-dir", dataDir]);
    expect(modeOf(join(dataDir, "token"))).toBe("600");
    expect(await statusFor(again.url, token)).toBe(200);
  });

  test("has another one for every data directory, and for every run in memory", async () => {
    const [first, second] = [await serve(), await serve()];
    expect(keptToken(first.dataDir)).not.toBe(keptToken(second.dataDir));
    const runs = [await serve(["--ephemeral"]), await serve(["--ephemeral"])];
    const tokens = await Promise.all(runs.map(async ({ output }) => (await output(/token=(\S+)/))[1]));
    expect(new Set(tokens).size).toBe(2);
    expect(runs.map(({ dataDir }) => readdirSync(dataDir))).toEqual([[], []]);
  });

  test("makes a new one where the file is empty, and does not start with one that is none", async () => {
    const dataDir = temporaryDirectory();
    writeFileSync(join(dataDir, "token"), "");
    const { stop } = await serve(["--data-dir", dataDir]);
    expect(keptToken(dataDir)).toMatch(/^[\w-]{43}$/);
    await stop();
    writeFileSync(join(dataDir, "token"), "short\n");
    const { code, stderr } = await command(["server", "--port", "0", "--data-dir", dataDir]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/token does not hold a token; delete it/),
    });
  });
});

describe("a token that was given", () => {
  test.each<[string, string[], Record<string, string>]>([
    ["on the command line", ["--token", given], {}],
    ["by environment", [], { SANDBOX_AGENT_TOKEN: given }],
    ["in a file", ["--token-file", "<file>"], {}],
  ])("%s protects the server and is written nowhere", async (_, args, env) => {
    const file = join(temporaryDirectory(), "secret");
    writeFileSync(file, `${given}\n`);
    const server = await serve(
      args.map((arg) => (arg === "<file>" ? file : arg)),
      { env },
    );
    const { url, dataDir, stop } = server;
    expect([await statusFor(url), await statusFor(url, given)]).toEqual([401, 200]);
    expect(existsSync(join(dataDir, "token"))).toBe(false);
    expect(readFileSync(stateFile(server), "utf8")).not.toContain(given);
    const { stdout, stderr } = await stop();
    expect(stdout + stderr).not.toContain(given);
  });

  test.each<[string, string[], Record<string, string>]>([
    ["flag", ["--token", ""], {}],
    ["flag with a sign", ["--token="], {}],
    ["file", ["--token-file", "/dev/null"], {}],
    ["variable", [], { SANDBOX_AGENT_TOKEN: "" }],
  ])("may not be empty: %s", async (_, args, env) => {
    for (const start of [["server"], ["daemon", "start"], ["opencode"]]) {
      const { code, stderr } = await command([...start, "--port", "1", ...args], env);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/is empty.*--no-token/) });
    }
  });

  test("may not be short beyond loopback, and is warned of there", async () => {
    const short = ["--token", "fifteen-letters"];
    const { code, stderr } = await command(["server", "--host", "0.0.0.0", "--port", "0", "--ephemeral", ...short]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("15 characters") });
    const { url, stop } = await serve(short);
    expect(await statusFor(url, "fifteen-letters")).toBe(200);
    expect((await stop()).stderr).toMatch(/^warning: the token has only 15 characters.*\n$/);
    const long = await serve(["--token", "sixteen-letters-"]);
    expect((await long.stop()).stderr).toBe("");
  });

  test.each(["with a space in it", "with-a-line\nin-it", "mit-ümläuten-darin"])(
    "may not be what no header can carry: %j",
    async (token) => {
      const { code, stderr } = await command(["server", "--port", "0", "--ephemeral", "--token", token]);
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("cannot be sent in a header"),
      });
    },
  );
});

test("--no-token on all addresses prints a clear warning", async () => {
  const { url, stop } = await serve(["--host", "0.0.0.0", "--no-token"]);
  expect(await statusFor(url)).toBe(200);
  const { stderr } = await stop();
  expect(stderr).toContain("THIS SERVER HAS NO TOKEN AND CAN BE REACHED FROM OTHER MACHINES");
  expect(stderr.split("\n").length).toBeGreaterThan(3);
});

describe("commands of the same user", () => {
  test("find address and token of the daemon by themselves, whatever its port", async () => {
    const dataDir = join(home, "sandbox-agent");
    const { stop } = await serve(["--data-dir", dataDir]);
    expect(await command(["sessions", "create", "a", "--agent", "mock"])).toMatchObject({ code: 0 });
    expect(await command(["run", "--agent", "mock", "hi"])).toMatchObject({ code: 0, stdout: "hi\n", stderr: "" });
    expect((await command(["sessions", "list"])).stdout).toContain('"sessionId": "a"');
    await stop();
    expect((await command(["sessions", "list"])).code).toBe(1);
  });

  test("find the only daemon with a token they know, and choose none of several", async () => {
    const { stop } = await serve(["--data-dir", join(home, "elsewhere")]);
    await serve(["--data-dir", join(home, "of-a-program"), "--token", given]);
    expect(await command(["sessions", "list"])).toMatchObject({ code: 0 });
    const { url } = await serve(["--data-dir", join(home, "third")]);
    const several = await command(["sessions", "list"]);
    expect(several).toMatchObject({ code: 1, stderr: expect.stringContaining("running: ") });
    expect(several.stderr).toContain(url);
    await stop();
    expect(await command(["sessions", "list"])).toMatchObject({ code: 0 });
  });

  test("find the token of each of several daemons", async () => {
    const servers = [await serve(), await serve(["--host", "0.0.0.0"]), await serve(["--ephemeral"])];
    for (const [index, { port }] of servers.entries()) {
      const create = ["sessions", "create", `s${index}`, "--agent", "mock"];
      expect(await command([...create, "--endpoint", `http://127.0.0.1:${port}`])).toMatchObject({ code: 0 });
      const list = await command(["sessions", "list", "--endpoint", `http://localhost:${port}`]);
      expect(JSON.parse(list.stdout).sessions).toMatchObject([{ sessionId: `s${index}` }]);
    }
  });

  test("read it from a file that other users cannot read, and that is deleted with the daemon", async () => {
    const server = await serve();
    expect(modeOf(stateFile(server))).toBe("600");
    expect(modeOf(join(home, "sandbox-agent", "daemon"))).toBe("700");
    await server.stop();
    expect(existsSync(stateFile(server))).toBe(false);
  });

  test("name the way out when they do not know it", async () => {
    const { url } = await serve(["--token", given]);
    for (const what of [["sessions", "list"], ["run", "--agent", "mock", "hi"], ["doctor"]]) {
      const { code, stderr } = await command([...what, "--endpoint", url]);
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("--token-file") });
    }
    const { code } = await command(["sessions", "list", "--endpoint", url], { SANDBOX_AGENT_TOKEN: given });
    expect(code).toBe(0);
  });
});

describe("a program that is not the daemon", () => {
  /** Listens where a daemon was, and records the tokens it is sent. */
  function impostor(hostname: string, port = 0) {
    const seen: (string | null)[] = [];
    const paths: string[] = [];
    const server = Bun.serve({
      hostname,
      port,
      fetch(request) {
        seen.push(request.headers.get("authorization"));
        paths.push(new URL(request.url).pathname);
        return Response.json({ status: "ok" });
      },
    });
    onTestFinished(() => server.stop(true));
    return { seen, paths, port: Number(server.port) };
  }

  function writeStateFor(port: number, process: { pid: number; processStart: string | null }): void {
    mkdirSync(join(home, "sandbox-agent", "daemon"), { recursive: true });
    const state = { host: "127.0.0.1", port, version: "0.1.0", dataDir: null, token: given, ...process };
    writeFileSync(stateFile({ port }), JSON.stringify(state));
  }

  test("gets no token when it listens where a daemon was killed", async () => {
    const server = await serve();
    server.child.kill("SIGKILL");
    await server.ended;
    expect(existsSync(stateFile(server))).toBe(true);
    const { seen } = impostor("127.0.0.1", server.port);
    await command(["sessions", "list", "--endpoint", server.url]);
    expect(seen).toEqual([null]);
  });

  test.runIf(process.platform === "linux")("gets none even if the process id is in use again", async () => {
    const { seen, port } = impostor("127.0.0.1");
    writeStateFor(port, { pid: process.pid, processStart: "1" });
    await command(["sessions", "list", "--endpoint", `http://127.0.0.1:${port}`]);
    expect(seen).toEqual([null]);
  });

  test("gets no conversation when it listens on the default address", async () => {
    const { seen, paths, port } = impostor("127.0.0.1");
    const preload = join(import.meta.dirname, "../acp/no-default-daemon.ts");
    const main = join(import.meta.dirname, "../../packages/cli/src/main.ts");
    const run = [process.execPath, "--preload", preload, main, "run", "--agent", "mock", "a secret plan"];
    const env = { XDG_DATA_HOME: home, TEST_DEFAULT_PORT: String(port) };
    const { code, stdout, stderr } = await startProcess(run, { env }).ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "a secret plan\n" });
    expect(stderr).toContain("was not started by this user");
    expect({ seen, paths }).toEqual({ seen: [null], paths: ["/v1/health"] });
  });

  test("gets none on another loopback address of the same port", async () => {
    const { port } = await serve();
    const { seen } = impostor("127.0.0.2", port);
    await command(["sessions", "list", "--endpoint", `http://127.0.0.2:${port}`]);
    expect(seen).toEqual([null]);
  });
});

describe("the inspector's address that a server prints", () => {
  const browser = useBrowser();

  test("connects, and leaves no token in the address", async (context) => {
    need(context, process.env.CHROMIUM_PATH ?? "chromium");
    const { url, output } = await serve();
    const [, address = ""] = await output(/Inspector {2}(\S+)\n/);
    const page = await browser.open(address);
    await page.getByText("No sessions yet").waitFor();
    expect(page.url()).toBe(`${url}/ui/`);
    await page.reload();
    await page.getByText("No sessions yet").waitFor();
    const stranger = await browser.open(`${url}/ui/`);
    await stranger.getByText("This daemon requires a token").waitFor();
  });
});
