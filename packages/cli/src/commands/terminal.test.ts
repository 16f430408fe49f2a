/** What people see, as opposed to programs: tables, and Ctrl-C. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cli, type Server, startServer, temporaryDirectory } from "../../test/cli-process.ts";
import { type Screen, startAtTerminal } from "../../test/terminal.ts";

const home = temporaryDirectory();
let server: Server;

beforeAll(async () => {
  server = await startServer(["--no-token"], { env: { XDG_DATA_HOME: home } });
  await cli(["sessions", "create", "first", "-a", "mock", "--title", "One", "-e", server.url]);
});
afterAll(() => server.stop());

function atTerminal(args: string[]): Screen {
  return startAtTerminal(args, { SANDBOX_AGENT_ENDPOINT: server.url, XDG_DATA_HOME: home });
}

describe("at a terminal", () => {
  test("sessions are a table", async () => {
    const screen = atTerminal(["sessions", "list"]);
    await screen.shows(
      /^SESSION +AGENT +MODEL +STATUS +EVENTS +UPDATED +TITLE\r\nfirst +mock +mock +idle +\d+ +\S+ \S+ +One\r\n$/,
    );
    expect(await screen.exitCode).toBe(0);
  });

  test("agents are a table", async () => {
    const screen = atTerminal(["agents", "list"]);
    await screen.shows(
      /^AGENT +SOURCE +INSTALLED +VERSION +CREDENTIALS\r\n(.*\r\n)*mock +builtin +yes +builtin +yes\r\n/,
    );
    expect(await screen.exitCode).toBe(0);
  });

  test("the status of the background daemon is a sentence or a table", async () => {
    const none = atTerminal(["daemon", "status", "-p", "9"]);
    await none.shows(/^Not running on http:\/\/127\.0\.0\.1:9\./);
    const running = atTerminal(["daemon", "status", "-p", String(server.port)]);
    await running.shows(new RegExp(`^RUNNING +yes\r\n(.*\r\n)*PID +${server.child.pid}\r\n`));
  });

  test("--json prints JSON", async () => {
    const screen = atTerminal(["sessions", "list", "--json"]);
    expect(await screen.exitCode).toBe(0);
    expect(JSON.parse(screen.text())).toMatchObject({ sessions: [{ sessionId: "first" }] });
  });

  test("Ctrl-C stops a server gracefully", async () => {
    const screen = atTerminal(["server", "--port", "0", "--data-dir", temporaryDirectory()]);
    await screen.shows(/messages\/stream/);
    screen.press("\u0003");
    expect(await screen.exitCode).toBe(0);
  });
});
