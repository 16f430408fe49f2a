/** `sandbox-agent terminal`: the terminal one sits at becomes a terminal of the daemon. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cli, launcher, type Server, startServer } from "../../test/cli-process.ts";

let server: Server;
const token = "secret";
const env = () => ({ SANDBOX_AGENT_ENDPOINT: server.url, SANDBOX_AGENT_TOKEN: token });

beforeAll(async () => {
  server = await startServer(["--token", token]);
});
afterAll(() => server.stop());

async function startShell(): Promise<string> {
  const args = ["processes", "create", "--tty", "--env", "PS1=$ ", "--", "bash", "--norc"];
  const { stdout } = await cli(args, { env: env() });
  return JSON.parse(stdout).id;
}

/** A person at a terminal of 90 columns who attaches. */
function sitDown(...args: string[]) {
  let text = "";
  let changed = Promise.withResolvers<void>();
  const child = Bun.spawn([launcher, ...args], {
    env: { ...process.env, ...env() },
    terminal: {
      cols: 90,
      rows: 20,
      data: (_, bytes) => {
        text += new TextDecoder().decode(bytes);
        changed.resolve();
        changed = Promise.withResolvers();
      },
    },
  });
  return {
    child,
    type: (keys: string) => child.terminal?.write(keys),
    shows: async (pattern: RegExp) => {
      while (!pattern.test(text)) await changed.promise;
    },
  };
}

describe("attaching", () => {
  test("sends the size, keys and resizes, and Ctrl-] detaches without ending the process", async () => {
    const id = await startShell();
    const seat = sitDown("terminal", id);
    await seat.shows(/\$ /);
    seat.type("stty size\r");
    await seat.shows(/20 90\r/);
    seat.child.terminal?.resize(110, 33);
    seat.type("while [ $(stty size | cut -d' ' -f2) != 110 ]; do sleep 0.1; done; echo resi''zed\r");
    await seat.shows(/resized\r/);
    // Ctrl-C is the program's, not ours.
    seat.type("sleep 1000\r");
    await seat.shows(/sleep 1000\r/);
    seat.type("\u0003");
    await seat.shows(/\^C/);
    seat.type("\u001d");
    await seat.shows(/\[detached\]/);
    expect(await seat.child.exited).toBe(0);
    const { stdout } = await cli(["processes", "get", id], { env: env() });
    expect(JSON.parse(stdout).status).toBe("running");
  });

  test.each(["terminals", "processes"])("`%s attach` does the same, and prints how it ended", async (group) => {
    const id = await startShell();
    const seat = sitDown(group, "attach", id);
    await seat.shows(/\$ /);
    seat.type("exit 4\r");
    await seat.shows(/\[ended with 4\]/);
    expect(await seat.child.exited).toBe(0);
  });

  test("to a missing terminal shows the problem", async () => {
    const { code, stderr } = await cli(["terminal", "nope"], { env: env() });
    expect({ code, problem: JSON.parse(stderr) }).toMatchObject({ code: 1, problem: { status: 404 } });
  });

  test("with a wrong token shows the problem", async () => {
    const { code, stderr } = await cli(["terminal", await startShell(), "-t", "wrong"], { env: env() });
    expect({ code, problem: JSON.parse(stderr) }).toMatchObject({ code: 1, problem: { status: 401 } });
  });
});
