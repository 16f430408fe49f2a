/** Files inside messages of the compatibility APIs: stored for the agent, and deleted with their session. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createOpencodeClient } from "@opencode-ai/sdk/v2/client";
import { expect, test } from "vitest";
import { openEditor, socketStream } from "../acp/lab.ts";
import type { TestClient } from "../harness/client.ts";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { data } from "../opencode/sdk-events.ts";

const pixel = "iVBORw0KGgo=";

/** The file that the first message of a session brought. */
async function broughtFile(client: TestClient, sessionId: string): Promise<string> {
  const { items } = (await client.get(`/v1/sessions/${sessionId}/transcript`)).json;
  return items[0].content[1].path;
}

test("an image of an ACP prompt is a file of its session, the same when it is sent again", async () => {
  const dataDir = temporaryDirectory();
  const client = await startTestClient({ dataDir });
  const editor = await openEditor(socketStream(client, "editor"));
  const { sessionId } = await editor.newSession();
  const prompt = [
    { type: "text" as const, text: "look" },
    { type: "image" as const, data: pixel, mimeType: "image/png" },
  ];
  await editor.agent.request("session/prompt", { sessionId, prompt });
  await editor.agent.request("session/prompt", { sessionId, prompt });
  const path = await broughtFile(client, sessionId);
  expect(path.startsWith(dataDir)).toBe(true);
  expect(basename(path)).toMatch(/\.png$/);
  expect(readFileSync(path).toString("base64")).toBe(pixel);
  expect(readdirSync(join(path, ".."))).toHaveLength(1);

  const other = await editor.newSession();
  await editor.agent.request("session/prompt", { sessionId: other.sessionId, prompt });
  await editor.agent.request("session/delete", { sessionId });
  expect(existsSync(join(path, ".."))).toBe(false);
  expect(existsSync(await broughtFile(client, other.sessionId))).toBe(true);
});

test("a file of an OpenCode prompt keeps its name, however it is written", async () => {
  const client = await startTestClient({ dataDir: temporaryDirectory() });
  const directory = temporaryDirectory();
  const openCode = createOpencodeClient({ baseUrl: `${client.url}/opencode`, directory, throwOnError: true });
  const { id } = await data(openCode.session.create({}));
  const file = { type: "file" as const, mime: "text/plain", url: `data:text/plain;base64,${btoa("notes")}` };
  await openCode.session.prompt({ sessionID: id, parts: [{ ...file, filename: "../../my notes.txt" }] });
  const path = await broughtFile(client, id);
  expect(basename(path)).toMatch(/^[0-9a-f]{64}-.._.._my_notes\.txt$/);
  expect(readFileSync(path, "utf8")).toBe("notes");
  await openCode.session.delete({ sessionID: id });
  expect(existsSync(path)).toBe(false);
});
