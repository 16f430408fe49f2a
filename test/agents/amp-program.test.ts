/** The real Amp, as far as it goes without its service; the rest when AMP_API_KEY is set. */
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { McpServerConfig } from "@sandbox-agent/schema";
import { beforeAll, describe, expect, test } from "vitest";
import { installGate } from "../../packages/agents/src/amp/gate/program.ts";
import { type Decision, startGateServer } from "../../packages/agents/src/amp/gate/server.ts";
import { sessionArguments } from "../../packages/agents/src/amp/launch.ts";
import { nativeServers } from "../../packages/agents/src/amp/mcp.ts";
import { parseHelp, readProgram } from "../../packages/agents/src/amp/program.ts";
import { sessionSettings } from "../../packages/agents/src/amp/settings.ts";
import { createInstaller } from "../../packages/agents/src/install/create-installer.ts";
import type { InstalledAgent } from "../../packages/agents/src/install/installer.ts";
import { manifest } from "../../packages/agents/src/install/manifest.ts";
import { temporaryDirectory } from "../harness/daemon.ts";
import { startLab } from "./amp-lab.ts";
import { helpOf } from "./amp-stand-in/recorded.ts";
import { endOf, itemsOf, ofType, texts } from "./reading.ts";

const installer = createInstaller({
  directory: join(tmpdir(), "sandbox-agent-test-agents"),
  env: { ...process.env, SANDBOX_AGENT_AMP_PATH: undefined },
});
let installed: InstalledAgent;

beforeAll(async () => {
  installed = await installer.require("amp", manifest.amp?.version ?? null);
}, 300_000);

/** Nothing listens there: the service is out of reach. */
const offline = { AMP_URL: "http://127.0.0.1:9", AMP_SKIP_UPDATE_CHECK: "1" };

function run(args: string[], env: Record<string, string>) {
  const home = temporaryDirectory();
  const child = Bun.spawn([...installed.command, ...args], {
    cwd: temporaryDirectory(),
    env: { PATH: process.env.PATH, HOME: home, ...offline, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  return Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
}

const servers: Record<string, McpServerConfig> = {
  near: { type: "local", command: ["node", "server.js"], env: { WORD: "w" }, cwd: "/tmp" },
  far: { type: "http", url: "http://127.0.0.1:9/mcp", bearerTokenEnvVar: "TOKEN" },
  off: { type: "local", command: "never", enabled: false },
};

describe("the program", () => {
  test("is the pinned version, and its flags are those of the recorded help", async () => {
    expect(installed.version).toBe(manifest.amp?.version);
    const program = await readProgram(installed, process.env);
    expect(program).toEqual(parseHelp(helpOf("v1790142911")));
    expect(program.modes).toEqual(["low", "medium", "high", "ultra"]);
    expect(program.flags).not.toContain("--command");
  });

  test("takes every flag we start it with", async () => {
    const folder = temporaryDirectory();
    const files = { settings: join(folder, "settings.json"), mcp: join(folder, "mcp.json") };
    writeFileSync(files.settings, JSON.stringify(sessionSettings({}, "/bin/false")));
    writeFileSync(files.mcp, JSON.stringify(nativeServers(servers, { TOKEN: "t" })));
    const { flags } = await readProgram(installed, process.env);
    const chosen = { model: "low", variant: null, agentMode: "build", permissionMode: "default" } as const;
    const args = sessionArguments({ flags, settings: chosen, threadId: null, files });
    const [, stderr, code] = await run(args, { AMP_API_KEY: "some-key" });
    expect(stderr).toContain("Couldn't connect to the Amp server");
    expect(code).toBe(1);
  });

  test.each<[string, Decision, string]>([
    ["allows", { allow: true }, "action: allow"],
    ["rejects", { allow: false, message: "not today" }, "action: reject"],
  ])("asks our gate, which %s", async (_, answer, verdict) => {
    const gate = await installGate(join(temporaryDirectory(), "gate"));
    const asked: unknown[] = [];
    const server = await startGateServer({
      owner: "test",
      onRequest({ toolCall, answer: reply }) {
        asked.push(toolCall);
        reply(answer);
      },
      onDisconnect: () => {},
    });
    const settings = join(temporaryDirectory(), "settings.json");
    writeFileSync(settings, JSON.stringify(sessionSettings({}, gate)));
    const args = ["--settings-file", settings, "permissions", "test", "shell_command", "--cmd", "git push"];
    const [stdout] = await run(args, { SANDBOX_AGENT_AMP_GATE: server.address });
    server.close();
    expect(stdout).toContain(verdict);
    expect(asked).toMatchObject([{ tool: "shell_command", input: { cmd: "git push" } }]);
  });

  test("rejects calls without a daemon", async () => {
    const gate = await installGate(join(temporaryDirectory(), "gate"));
    const settings = join(temporaryDirectory(), "settings.json");
    writeFileSync(settings, JSON.stringify(sessionSettings({}, gate)));
    const args = ["--settings-file", settings, "permissions", "test", "shell_command", "--cmd", "git push"];
    const [stdout] = await run(args, {});
    expect(stdout).toContain("action: reject");
  });
});

describe("a session with the real program", () => {
  test("and no key ends its turn at once", async () => {
    const lab = await startLab({ program: installed.path, env: { AMP_API_KEY: "", ...offline } });
    await lab.create("s");
    const events = await lab.prompt("s", "hello");
    expect(ofType(events, "error").map(({ data }) => data.code)).toEqual(["auth_required"]);
    await lab.check("s");
  });

  test("and no service ends its turn with the reason, and leaves nothing behind", async () => {
    const lab = await startLab({ program: installed.path, env: offline });
    await lab.create("s");
    const events = await lab.prompt("s", "hello");
    expect(ofType(events, "error").map(({ data }) => data.code)).toEqual(["connection_failed"]);
    expect(endOf(events)).toBe("failed");
    await lab.check("s");
    await lab.stop();
  });
});

const key = process.env.AMP_API_KEY;

describe.skipIf(!key)("the real service", () => {
  test("answers, asks for permission, and remembers", { timeout: 300_000 }, async () => {
    const lab = await startLab({ program: installed.path, env: { AMP_API_KEY: key ?? "" } });
    await lab.create("s", { model: "low" });
    expect(texts(await lab.prompt("s", "Answer with the one word pomegranate.")).join()).toMatch(/pomegranate/i);
    const asked = await lab.prompt("s", "Run the command `echo from-the-shell` with your shell tool.");
    expect(ofType(asked, "permission.requested")).toHaveLength(1);
    await lab.allow("s", "once");
    expect(JSON.stringify(itemsOf(await lab.finish("s")))).toContain("from-the-shell");
    expect(texts(await lab.prompt("s", "Which word did you answer with first?")).join()).toMatch(/pomegranate/i);
    await lab.check("s");
    await lab.stop();
  });
});
