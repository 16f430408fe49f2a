import { SandboxAgent } from "sandbox-agent";
import { afterAll, beforeAll, expect, test } from "vitest";

let client: SandboxAgent;
beforeAll(async () => {
  client = await SandboxAgent.start();
});
afterAll(() => client.dispose());

test("shows what the agent writes", async () => {
  const session = await client.createSession({ agent: "mock" });
  let text = "";
  for await (const event of session.prompt("echo hello")) {
    if (event.type === "item.delta") text += event.data.delta;
  }
  expect(text).toBe("hello");
});

test("asks the user and goes on", async () => {
  const session = await client.createSession({ agent: "mock" });
  const asked: string[] = [];
  session.on("permission", (request) => {
    asked.push(request.action);
    return request.reply("once");
  });
  for await (const _ of session.prompt("permission")) {
  }
  expect(asked).toEqual(["command_execution", "file_change"]);
});

test("reports that the agent crashed", async () => {
  const session = await client.createSession({ agent: "mock" });
  const codes: unknown[] = [];
  for await (const event of session.prompt("crash")) {
    if (event.type === "error") codes.push(event.data.code);
  }
  expect(codes).toEqual(["process_exit"]);
  for await (const _ of session.prompt("echo again")) {
  }
  expect(session.transcript().items.at(-1)?.content).toEqual([{ type: "text", text: "again" }]);
});
