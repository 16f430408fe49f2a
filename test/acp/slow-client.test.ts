/** A client that stops reading for a while: it gets every message when it reads again, and needs no memory in the daemon. */
import { expect, onTestFinished, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { type DaemonProcess, spawnDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { residentBytes } from "../harness/processes.ts";
import { openRawSocket, type RawSocket } from "../harness/raw-socket.ts";
import { socketUrl } from "./lab.ts";

const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } };
const newSession = () => ({
  jsonrpc: "2.0",
  id: "new",
  method: "session/new",
  params: { cwd: temporaryDirectory(), mcpServers: [] },
});
const promptOf = (sessionId: string, text: string) => ({
  jsonrpc: "2.0",
  id: "prompt",
  method: "session/prompt",
  params: { sessionId, prompt: [{ type: "text", text }] },
});

const answerTo = (id: string) => (message: string) => JSON.parse(message).id === id;

/** The words of the burst, as the client received them. */
function wordsIn(messages: readonly string[]): string[] {
  return messages.flatMap((message) => {
    const { method, params } = JSON.parse(message);
    const isWord = method === "session/update" && params.update.sessionUpdate === "agent_message_chunk";
    return isWord ? [params.update.content.text.trim()] : [];
  });
}

function burst(words: number): string[] {
  return Array.from({ length: words }, (_, index) => String(index + 1));
}

function growth(pid: number): () => number {
  const before = residentBytes(pid);
  return () => (residentBytes(pid) - before) / 1024 ** 2;
}

/** The prompt was received, and its turn has ended. */
async function turnEnded(client: TestClient, sessionId: string): Promise<void> {
  const last = async () => (await client.get(`/v1/sessions/${sessionId}`)).json.lastSequence;
  await expect.poll(last, { timeout: 30_000 }).toBeGreaterThan(5);
  await client.wait(sessionId, "idle");
}

async function start(): Promise<{ daemon: DaemonProcess; client: TestClient; socket: RawSocket; sessionId: string }> {
  const daemon = await spawnDaemon(temporaryDirectory());
  const client = new TestClient(daemon.url);
  const socket = await openRawSocket(socketUrl(client, "slow"));
  onTestFinished(() => socket.close());
  socket.send(initialize);
  socket.send(newSession());
  const { result } = JSON.parse(await socket.message(answerTo("new")));
  return { daemon, client, socket, sessionId: result.sessionId };
}

test("over a WebSocket: every word and the answer arrive once the client reads again", async () => {
  const { daemon, client, socket, sessionId } = await start();
  const grownMegabytes = growth(daemon.pid);
  socket.pause();
  const words = 300_000;
  socket.send(promptOf(sessionId, `burst ${words}`));
  await turnEnded(client, sessionId);
  expect(wordsIn(socket.messages).length).toBeLessThan(words / 2);
  await expect.poll(grownMegabytes, { timeout: 60_000, interval: 500 }).toBeLessThan(100);

  socket.resume();
  const answer = JSON.parse(await socket.message(answerTo("prompt")));
  expect(answer).toMatchObject({ result: { stopReason: "end_turn" } });
  const received = wordsIn(socket.messages);
  expect(received).toHaveLength(words);
  expect(received).toEqual(burst(words));
}, 120_000);
