/** The official SDK's client side drives the mock over every transport. */
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";
import { httpStream, openEditor, select, socketStream, startAcpCommand } from "./lab.ts";

const transports = {
  HTTP: (client: TestClient) => httpStream(client, "editor"),
  WebSocket: (client: TestClient) => socketStream(client, "editor"),
  stdio: (client: TestClient) => startAcpCommand(client).stream,
};

describe.each(Object.entries(transports))("over %s", (_, connect) => {
  test("a turn with text, a tool, a permission and a question", async () => {
    const client = await startTestClient({ token: "secret" });
    const editor = await openEditor(connect(client), {
      capabilities: { elicitation: { form: {} } },
      onPermission: async () => select("allow-once"),
      onForm: async () => ({ action: "accept", content: { question_0: "Blue" } }),
    });
    const { sessionId } = await editor.newSession();

    expect(await editor.prompt(sessionId, "hello")).toBe("end_turn");
    expect(editor.text("agent_message_chunk")).toBe("hello");
    expect(await editor.prompt(sessionId, "tool")).toBe("end_turn");
    expect(await editor.prompt(sessionId, "permission1")).toBe("end_turn");
    expect(await editor.prompt(sessionId, "question1")).toBe("end_turn");

    const events = await client.events(sessionId);
    expect(events.filter(({ type }) => type === "turn.ended")).toHaveLength(4);
    const resolved = events.flatMap((event) => (event.type === "question.resolved" ? [event.data.response] : []));
    expect(resolved).toEqual(["Blue"]);
  });

  test("cancelling a turn", async () => {
    const client = await startTestClient();
    const editor = await openEditor(connect(client));
    const { sessionId } = await editor.newSession();
    const stopped = editor.prompt(sessionId, "slow 1000 20");
    await editor.until(() => editor.text("agent_message_chunk").includes("word 2"));
    await editor.agent.notify("session/cancel", { sessionId });
    expect(await stopped).toBe("cancelled");
  });

  test("disconnecting: the server is closed, the session stays", async () => {
    const client = await startTestClient();
    const editor = await openEditor(connect(client));
    const { sessionId } = await editor.newSession();
    const { json } = await client.get("/v1/acp");
    expect(json.servers).toMatchObject([{ agent: "mock" }]);
    await client.delete(`/v1/acp/${json.servers[0].serverId}`);
    expect((await client.get("/v1/acp")).json.servers).toEqual([]);
    expect((await client.get(`/v1/sessions/${sessionId}`)).json).toMatchObject({ status: "idle" });
  });
});
