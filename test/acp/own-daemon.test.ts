/** `sandbox-agent acp` without a running daemon: it starts one for the editor, which ends with the editor. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ndJsonStream } from "@agentclientprotocol/sdk/unstable";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../harness/daemon.ts";
import { openEditor } from "./lab.ts";

const cli = [
  process.execPath,
  "--preload",
  join(import.meta.dirname, "no-default-daemon.ts"),
  join(import.meta.dirname, "../../packages/cli/src/main.ts"),
];
const standin = join(import.meta.dirname, "../agents/acp-standin.ts");
const patience = { timeout: 60_000 };

/** A home with an agent that is a real process. */
function home() {
  const data = temporaryDirectory();
  mkdirSync(join(data, "sandbox-agent"));
  const agents = { standin: { command: process.execPath, args: [standin] } };
  writeFileSync(join(data, "sandbox-agent", "agents.json"), JSON.stringify({ agents }));
  const { SANDBOX_AGENT_ENDPOINT: _, SANDBOX_AGENT_TOKEN: __, ...inherited } = process.env;
  // Logs must not be mixed with the messages, whatever the log destination is.
  const env = { ...inherited, XDG_DATA_HOME: data, SANDBOX_AGENT_LOG: "info", SANDBOX_AGENT_LOG_STDOUT: "1" };
  /** Processes that were started in this home and still run. */
  const processes = () =>
    readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(`XDG_DATA_HOME=${data}`));
  return { env, processes };
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}

function start(agent: string, env: Record<string, string | undefined>) {
  const child = Bun.spawn([...cli, "acp", "--agent", agent], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    env,
  });
  onTestFinished(() => child.kill("SIGKILL"));
  const writable = new WritableStream<Uint8Array>({
    write(chunk) {
      child.stdin.write(chunk);
      child.stdin.flush();
    },
  });
  return { child, stream: ndJsonStream(writable, child.stdout) };
}

test("sessions persist from one run to the next", { timeout: 120_000 }, async () => {
  const { env, processes } = home();
  const first = start("mock", env);
  const editor = await openEditor(first.stream);
  const { sessionId } = await editor.newSession();
  expect(await editor.prompt(sessionId, "hello")).toBe("end_turn");
  first.child.stdin.end();
  expect(await first.child.exited).toBe(0);
  await expect.poll(processes, patience).toEqual([]);

  const second = start("mock", env);
  const again = await openEditor(second.stream);
  await again.agent.request("session/load", { sessionId, cwd: "/tmp", mcpServers: [] });
  await again.until(() => again.text("agent_message_chunk") === "hello");
  second.child.kill("SIGTERM");
  expect(await second.child.exited).toBe(0);
});

test("a second editor at the same time gets its own daemon, with the same agents", {
  timeout: 120_000,
}, async () => {
  const { env, processes } = home();
  const first = start("mock", env);
  const editor = await openEditor(first.stream);
  const { sessionId } = await editor.newSession();
  const second = start("standin", env);
  const other = await openEditor(second.stream);
  expect((await other.newSession()).sessionId).not.toBe(sessionId);
  expect(await editor.prompt(sessionId, "hello")).toBe("end_turn");
  for (const { child } of [first, second]) {
    child.stdin.end();
    expect(await child.exited).toBe(0);
  }
  await expect.poll(processes, patience).toEqual([]);
});

test("an editor that closes its side in the middle of a turn", { timeout: 120_000 }, async () => {
  const { env, processes } = home();
  const { child, stream } = start("standin", env);
  const editor = await openEditor(stream);
  const { sessionId } = await editor.newSession();
  const cut = editor.prompt(sessionId, "deaf").catch((error) => error);
  await editor.until(() => editor.text("agent_message_chunk").includes("not listening"));
  expect(processes().length).toBeGreaterThan(1);
  child.stdin.end();
  expect(await child.exited).toBe(0);
  expect(await cut).toBeInstanceOf(Error);
  await expect.poll(processes, patience).toEqual([]);
});

test("an editor that is killed in the middle of a turn", { timeout: 120_000 }, async () => {
  const { env, processes } = home();
  const program = join(import.meta.dirname, "editor-program.ts");
  const editor = Bun.spawn([process.execPath, program, ...cli, "acp", "--agent", "standin"], {
    stdout: "pipe",
    stderr: "inherit",
    cwd: temporaryDirectory(),
    env,
  });
  onTestFinished(() => editor.kill("SIGKILL"));
  let said = "";
  for await (const chunk of editor.stdout) {
    said += new TextDecoder().decode(chunk);
    if (said.includes("not listening")) break;
  }
  expect(processes().length).toBeGreaterThan(2);
  editor.kill("SIGKILL");
  await expect.poll(processes, patience).toEqual([]);
});
