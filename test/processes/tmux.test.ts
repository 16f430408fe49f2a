/** A running tmux through the API: panes, output, input, sizes, exit. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";
import { expectProblem, faults } from "../harness/problem.ts";
import { need } from "../harness/programs.ts";
import { screenWith, view } from "./lab.ts";

interface Tmux {
  socket: string;
  run(...args: string[]): string;
}

beforeEach((context) => need(context, "tmux"));

const shell = "env PS1='$ ' bash --norc";

/** A tmux server of its own with a shell in a session `work`. */
function startTmux(): Tmux {
  // The path of a socket must be short.
  const directory = mkdtempSync(join(tmpdir(), "tmux-"));
  const socket = join(directory, "s");
  const run = (...args: string[]) => {
    const { stdout, stderr, success } = Bun.spawnSync(["tmux", "-S", socket, "-f", "/dev/null", ...args], {
      env: { ...process.env, TMUX: "", LC_ALL: "C.UTF-8" },
    });
    if (!success) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout.toString();
  };
  onTestFinished(() => {
    Bun.spawnSync(["tmux", "-S", socket, "kill-server"]);
    rmSync(directory, { recursive: true, force: true });
  });
  run("new-session", "-d", "-s", "work", "-x", "100", "-y", "30", shell);
  return { socket, run };
}

async function attach(client: TestClient, { socket }: Tmux, target = "work"): Promise<string> {
  const { status, json, text } = await client.post("/v1/terminals/tmux", { target, socket });
  if (status !== 200) throw new Error(text);
  return json.id;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await Bun.sleep(30);
}

describe("a tmux pane", () => {
  test("is a terminal with the pane's size and what it shows", async () => {
    const client = await startTestClient();
    const tmux = startTmux();
    tmux.run("send-keys", "-t", "work", "printf '\\033[31mre\\033[0md ünï\\n'", "Enter");
    await until(() => tmux.run("capture-pane", "-p", "-t", "work").includes("\nred ünï"));
    const id = await attach(client, tmux);
    expect((await client.get(`/v1/terminals/${id}`)).json).toMatchObject({
      kind: "tmux",
      title: "work:0.0",
      cols: 100,
      rows: 30,
      status: "running",
    });
    await screenWith(client, id, /^red ünï$/m);
    expect((await client.get(`/v1/terminals/${id}/screen`)).json.ansi).toContain("\x1b[31mre");
  });

  test("is watched live and typed into", async () => {
    const client = await startTestClient();
    const tmux = startTmux();
    const id = await attach(client, tmux);
    await screenWith(client, id, /^\$/);
    const viewer = view(client, `/v1/terminals/${id}/ws`);
    await viewer.until(() => viewer.shown().includes("$"));
    tmux.run("send-keys", "-t", "work", "echo typed-$((1+1)) by-hand \\\\ back", "Enter");
    await viewer.until(() => viewer.shown().includes("typed-2 by-hand \\ back"));
    viewer.send({ type: "input", data: "echo über-$((40+2))\r" });
    await viewer.until(() => viewer.shown().includes("über-42"));
    expect(tmux.run("capture-pane", "-p", "-t", "work")).toContain("über-42");
    await client.post(`/v1/terminals/${id}/input`, { data: "cat\r\u0003", encoding: "utf8" });
    await viewer.until(() => viewer.shown().includes("^C"));
  });

  test("keeps the size the person gives it, and a change is followed", async () => {
    const client = await startTestClient();
    const tmux = startTmux();
    const id = await attach(client, tmux);
    await screenWith(client, id, /^\$/);
    expectProblem(await client.post(`/v1/terminals/${id}/resize`, { cols: 80, rows: 24 }), "conflict");
    expect(tmux.run("display-message", "-p", "-t", "work", "#{pane_width}x#{pane_height}")).toBe("100x30\n");
    tmux.run("resize-window", "-t", "work", "-x", "60", "-y", "20");
    await until(async () => (await client.get(`/v1/terminals/${id}`)).json.cols === 60);
    tmux.run("send-keys", "-t", "work", "stty size", "Enter");
    await screenWith(client, id, /^20 60$/m);
  });

  test("does not change which window the person looks at", async () => {
    const client = await startTestClient();
    const tmux = startTmux();
    tmux.run("new-window", "-t", "work", shell);
    const id = await attach(client, tmux, "work:0.0");
    await screenWith(client, id, /^\$/);
    expect(tmux.run("display-message", "-p", "-t", "work", "#{window_index}")).toBe("1\n");
    tmux.run("send-keys", "-t", "work:1", "echo other", "Enter");
    tmux.run("send-keys", "-t", "work:0", "echo mine", "Enter");
    expect(await screenWith(client, id, /^mine$/m)).not.toContain("other");
  });

  test("shows a full-screen program and what was before it", async (context) => {
    need(context, "vim");
    const client = await startTestClient();
    const tmux = startTmux();
    tmux.run("send-keys", "-t", "work", "echo before; vim -u NONE -N", "Enter");
    await until(() => tmux.run("capture-pane", "-p", "-t", "work").includes("VIM - Vi IMproved"));
    const id = await attach(client, tmux);
    await screenWith(client, id, /^~ +VIM - Vi IMproved/m);
    await client.post(`/v1/terminals/${id}/input`, { data: "ihello\u001b", encoding: "utf8" });
    await screenWith(client, id, /^hello$/m);
  });

  test("is recorded with times", async () => {
    const client = await startTestClient();
    const tmux = startTmux();
    const id = await attach(client, tmux);
    await screenWith(client, id, /^\$/);
    tmux.run("send-keys", "-t", "work", "echo recorded-$((1+1))", "Enter");
    await screenWith(client, id, /^recorded-2$/m);
    const { text } = await client.get(`/v1/terminals/${id}/recording`);
    const [header, ...events] = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(header).toMatchObject({ version: 2, width: 100, height: 30, title: "work:0.0" });
    expect(events.map(([, , data]) => data).join("")).toContain("recorded-2");
  });

  test("that is open already is not opened twice", async () => {
    const client = await startTestClient();
    const tmux = startTmux();
    expect(await attach(client, tmux, "work:0")).toBe(await attach(client, tmux, "%0"));
  });

  test("ends when the pane does", async () => {
    const client = await startTestClient();
    const tmux = startTmux();
    tmux.run("split-window", "-t", "work", shell);
    const id = await attach(client, tmux, "work:0.0");
    const viewer = view(client, `/v1/terminals/${id}/ws`);
    await viewer.until(() => viewer.shown().includes("$"));
    tmux.run("kill-pane", "-t", "work:0.0");
    expect(await viewer.closed).toBe(1000);
    expect(viewer.frames.at(-1)).toEqual({ type: "exit" });
    expect((await client.get(`/v1/terminals/${id}`)).json.status).toBe("exited");
  });

  test("ends with its server", async () => {
    const client = await startTestClient();
    const tmux = startTmux();
    const id = await attach(client, tmux);
    tmux.run("kill-server");
    await until(async () => (await client.get(`/v1/terminals/${id}`)).json.status === "exited");
  });

  test("is let go without harm to it", async () => {
    const client = await startTestClient();
    const tmux = startTmux();
    const id = await attach(client, tmux);
    await screenWith(client, id, /^\$/);
    expect((await client.delete(`/v1/terminals/${id}`)).status).toBe(204);
    await until(() => tmux.run("list-clients") === "");
    expect(tmux.run("list-panes", "-t", "work")).toContain("%0");
    expect((await client.get("/v1/terminals")).json).toEqual({ terminals: [] });
  });
});

describe("an invalid pane", () => {
  test.each(["nope", "%77", "work:9", "work:0.5"])("is not found: %s", async (target) => {
    const client = await startTestClient();
    const { socket } = startTmux();
    expectProblem(await client.post("/v1/terminals/tmux", { target, socket }), "not_found", {
      details: { resource: "tmux pane", target },
    });
  });

  test("a missing server is not found", async () => {
    const client = await startTestClient();
    const body = { target: "work", socket: "/nowhere/tmux" };
    expectProblem(await client.post("/v1/terminals/tmux", body), "not_found", {
      details: { resource: "tmux pane", target: "work" },
    });
  });

  test("a missing target is rejected", async () => {
    const client = await startTestClient();
    expectProblem(await client.post("/v1/terminals/tmux", {}), "invalid_request", {
      details: faults("body", "target"),
    });
  });
});
