/** OpenCode from the command line: its one-shot client, and our command that starts everything. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { need } from "../harness/programs.ts";
import { openCodeCommand, openCodeEnvironment, openTerminal, token } from "./opencode.ts";

test("`opencode run --attach` prints the answer of any agent", async () => {
  const { url } = await startTestDaemon({ token });
  const directory = temporaryDirectory();
  const command = [...(await openCodeCommand()), "run", "--attach", `${url}/opencode`, "--dir", directory];
  const run = Bun.spawn([...command, "-m", "mock/mock", "--format", "json", "say", "pineapple"], {
    cwd: directory,
    env: openCodeEnvironment(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  onTestFinished(() => run.kill("SIGKILL"));
  const [stdout, stderr] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  expect({ code: await run.exited, stderr }).toMatchObject({ code: 0 });
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toContainEqual(
    expect.objectContaining({ type: "text", part: expect.objectContaining({ text: "pineapple" }) }),
  );
}, 300_000);

const cli = join(import.meta.dirname, "../../packages/cli/src/main.ts");

test.for<[string, string | null]>([
  ["a token that is given", token],
  ["a token that the daemon makes", null],
])(
  "`sandbox-agent opencode` starts the daemon with %s, and opens the interface on a session",
  { timeout: 300_000 },
  async ([, given], context) => {
    need(context, "tmux");
    const [program = ""] = await openCodeCommand();
    const directory = temporaryDirectory();
    const port = freePort();
    const { OPENCODE_SERVER_PASSWORD: _, ...bare } = openCodeEnvironment();
    const env = { ...bare, ...(given && { SANDBOX_AGENT_TOKEN: given }), SANDBOX_AGENT_OPENCODE_PATH: program };
    const inBackground = [process.execPath, cli, "daemon", "stop", "--port", port];
    onTestFinished(() => Bun.spawn(inBackground, { env, stdout: "ignore" }).exited.then(() => {}));
    const command = [process.execPath, cli, "opencode", "--port", port, "--session-title", "By command", "--yolo"];
    const tui = await openTerminal(command, directory, env);
    await tui.shows(/Build ·/);
    await tui.enter("say from the command");
    await tui.shows(/^ +from the command *$/m);
    const made = () => readFileSync(join(bare.HOME ?? "", ".local/share/sandbox-agent/token"), "utf8").trim();
    const ours = new TestClient(`http://127.0.0.1:${port}`, given ?? made());
    const [session] = (await ours.get("/v1/sessions")).json.sessions;
    expect(session).toMatchObject({ title: "By command", permissionMode: "bypass", directory });
  },
);

function freePort(): string {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  return String(port);
}
