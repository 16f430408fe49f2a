/** The real terminal interface of OpenCode, attached to the daemon. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { startLab } from "../agents/claude-lab.ts";
import { agentWithHands } from "../changes/hands.ts";
import { TestClient } from "../harness/client.ts";
import { agentsWithMock, startTestDaemon } from "../harness/daemon.ts";
import { need } from "../harness/programs.ts";
import { attachTui, observe, token } from "./opencode.ts";

beforeEach((context) => need(context, "tmux"));

const models = [
  { id: "mock", name: "First Model" },
  { id: "mock-two", name: "Second Model" },
];
const agents = agentsWithMock(() => ({ models: async () => ({ models, defaultModel: "mock" }) }));

test("prompts, permissions, questions, models, an interruption, and sessions that are opened again", async () => {
  const { url } = await startTestDaemon({ token }, agents);
  const ours = new TestClient(url, token);
  const newest = async () => (await ours.get("/v1/sessions")).json.sessions[0];
  const tui = await attachTui(url);
  await tui.shows("Ask anything");

  await tui.enter("say pineapple");
  await tui.shows(/^ +pineapple *$/m);
  await tui.shows(/Build · First Model · \d/);
  expect(await newest()).toMatchObject({ agent: "mock", model: "mock", title: "say pineapple" });

  await tui.enter("permission1");
  await tui.shows("Permission required");
  expect(await tui.shows("Allow once")).toContain("$ ls -la");
  await tui.press("Enter");
  await tui.shows("All answered, thank you.");

  await tui.enter("hang");
  await tui.shows("esc interrupt");
  await tui.press("Escape");
  await tui.shows("again to interrupt");
  await tui.press("Escape");
  await tui.shows("interrupted");

  await tui.enter("question1");
  await tui.shows("Which colour?");
  await tui.press("2");
  await ours.wait((await newest()).sessionId);
  const { items } = (await ours.get(`/v1/sessions/${(await newest()).sessionId}/transcript`)).json;
  expect(items.at(-1)).toMatchObject({ role: "assistant", status: "completed" });

  await tui.enter("/models");
  await tui.shows("Select model");
  await tui.press("S", "e", "c", "o", "n", "d");
  await tui.shows(/Second Model/);
  await tui.press("Enter");
  await tui.shows(/Build · Second Model/);
  await tui.enter("say switched");
  await tui.shows(/^ +switched *$/m);
  expect((await newest()).model).toBe("mock-two");

  await tui.enter("/new");
  await tui.shows("Ask anything");
  await tui.enter("say mango");
  await tui.shows(/^ +mango *$/m);
  await tui.enter("/sessions");
  await tui.shows(/Sessions[\s\S]*say pineapple/);
  await tui.press("Down", "Enter");
  await tui.shows(/^ +switched *$/m);
}, 300_000);

test("undo and redo revert and restore the message and its files, and a fork has the history", async () => {
  const { url } = await startTestDaemon({ token }, agentWithHands());
  const ours = new TestClient(url, token);
  const newest = async () => (await ours.get("/v1/sessions")).json.sessions[0];
  const observed = observe(url);
  const tui = await attachTui(observed.url);
  await tui.shows("Ask anything");
  await tui.enter("quiet echo one > a.txt");
  await tui.shows(/Build · \S+ · \d/);
  // It loads a session with several requests, and their results overwrite events that arrive meanwhile.
  await observed.answered(/^\/opencode\/session\/[^/]+\/diff$/);
  const { directory, sessionId } = await newest();
  await ours.wait(sessionId);
  const isThere = () => existsSync(join(directory, "a.txt"));
  expect(isThere()).toBe(true);

  await tui.press("C-x", "u");
  await tui.shows("1 message reverted");
  expect(isThere()).toBe(false);
  expect(await newest()).toMatchObject({ revert: { messageId: expect.stringContaining("msg_") } });
  await tui.press("C-x", "r");
  await expect.poll(isThere, { timeout: 60_000 }).toBe(true);
  await tui.shows(/Build · \S+ · \d/);
  await expect.poll(async () => (await newest()).revert, { timeout: 60_000 }).toBeUndefined();

  await tui.press("C-u");
  await tui.enter("/fork");
  await tui.shows("Full session");
  await tui.press("Enter");
  await expect.poll(async () => (await newest()).title, { timeout: 60_000 }).toMatch(/\(fork #1\)$/);
  const { turns } = (await ours.get(`/v1/sessions/${(await newest()).sessionId}/transcript`)).json;
  expect(turns).toHaveLength(1);
}, 300_000);

test("a session of another API is opened by its id, with an open permission that can be answered", async () => {
  const { url } = await startTestDaemon({ token }, agents);
  const ours = new TestClient(url, token);
  await ours.create("from-elsewhere");
  await ours.send("from-elsewhere", "say kiwi");
  await ours.wait("from-elsewhere");
  await ours.send("from-elsewhere", "permission1");
  await ours.wait("from-elsewhere", "request");
  const [{ id }] = (await ours.get("/opencode/session")).json;
  const tui = await attachTui(url, "--session", id);
  await tui.shows(/^ +kiwi *$/m);
  expect(await tui.shows("Allow once")).toContain("$ ls -la");
  await tui.press("Enter");
  await tui.shows("All answered, thank you.");
  expect((await ours.wait("from-elsewhere")).json.session.status).toBe("idle");
}, 300_000);

test("Claude works behind it: a command is shown, allowed and run, and the answer appears", async () => {
  const lab = await startLab();
  const tui = await attachTui(lab.client.url);
  await tui.shows("Ask anything");
  await tui.enter("[[sh touch from-claude]][[say claude is done]]");
  expect(await tui.shows("Allow once")).toContain("$ touch from-claude");
  await tui.press("Enter");
  await tui.shows(/^ +claude is done *$/m);
  const [session] = (await lab.client.get("/v1/sessions")).json.sessions;
  await lab.client.wait(session.sessionId);
  expect(session.agent).toBe("claude");
  expect(existsSync(join(session.directory, "from-claude"))).toBe(true);
  expect(await tui.screen()).not.toContain("⚙");
}, 300_000);
