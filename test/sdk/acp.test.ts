/** The ACP entry of the SDK, used with the client of the official ACP SDK. */
import type { AnyMessage } from "@agentclientprotocol/sdk/unstable";
import { SandboxAgent } from "sandbox-agent";
import { acpStream } from "sandbox-agent/acp";
import { expect, onTestFinished, test } from "vitest";
import { openEditor, select } from "../acp/lab.ts";
import { spawnDaemon, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";

async function connect(url: string, agent = "mock") {
  const client = await SandboxAgent.connect({ baseUrl: url });
  const stream = acpStream<AnyMessage>(client, { agent });
  onTestFinished(() => client.dispose());
  return { client, stream };
}

test("a conversation with a permission, also visible through /v1", async () => {
  const { client, stream } = await connect((await startTestDaemon()).url);
  const editor = await openEditor(stream, { onPermission: async () => select("once") });
  const { sessionId } = await editor.newSession();
  expect(await editor.prompt(sessionId, "echo hello from ACP")).toBe("end_turn");
  expect(editor.text("agent_message_chunk")).toContain("hello from ACP");
  expect(await editor.prompt(sessionId, "permission")).toBe("end_turn");
  const { sessions } = await client.listSessions();
  expect(sessions.map((session) => session.sessionId)).toEqual([sessionId]);
});

test("a request does not block later messages: a running prompt is cancelled", async () => {
  const { stream } = await connect((await startTestDaemon()).url);
  const editor = await openEditor(stream);
  const { sessionId } = await editor.newSession();
  const prompt = editor.prompt(sessionId, "slow 1000");
  await editor.until(() => editor.text("agent_message_chunk") !== "");
  await editor.agent.notify("session/cancel", { sessionId });
  expect(await prompt).toBe("cancelled");
});

test("closing it ends the server and keeps the session", async () => {
  const { client, stream } = await connect((await startTestDaemon()).url);
  const editor = await openEditor(stream);
  const { sessionId } = await editor.newSession();
  await stream.close();
  expect((await client.listAcpServers()).servers).toEqual([]);
  expect((await client.getSession(sessionId)).agent).toBe("mock");
});

test("pending requests fail if the agent does not exist or the daemon is killed", async () => {
  const daemon = await spawnDaemon(temporaryDirectory());
  const missing = await connect(daemon.url, "missing");
  await expect(openEditor(missing.stream)).rejects.toThrow();
  const { stream } = await connect(daemon.url);
  const editor = await openEditor(stream);
  const { sessionId } = await editor.newSession();
  const prompt = editor.prompt(sessionId, "slow 1000");
  await editor.until(() => editor.text("agent_message_chunk") !== "");
  const failed = expect(prompt).rejects.toThrow();
  daemon.kill("SIGKILL");
  await failed;
}, 60_000);
