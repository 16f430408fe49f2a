/** Published third-party clients: a library for ACP over HTTP and a command line client. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AcpHttpClient, type RequestPermissionRequest } from "acp-http-client";
import { describe, expect, test } from "vitest";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { realNode } from "../sdk/stage.ts";

const root = join(import.meta.dirname, "../..");

describe("acp-http-client", () => {
  async function connect(token: string | null = null) {
    const { url } = await startTestClient({ token });
    const updates: string[] = [];
    const permissions: RequestPermissionRequest[] = [];
    const client = new AcpHttpClient({
      baseUrl: url,
      ...(token !== null && { token }),
      transport: { path: "/v1/acp/library", bootstrapQuery: { agent: "mock" } },
      client: {
        sessionUpdate: async ({ update }) => void updates.push(update.sessionUpdate),
        requestPermission: async (request) => {
          permissions.push(request);
          return { outcome: { outcome: "selected", optionId: "allow-once" } };
        },
      },
    });
    await client.initialize();
    const session = await client.newSession({ cwd: temporaryDirectory(), mcpServers: [] });
    const prompt = (text: string) => client.prompt({ sessionId: session.sessionId, prompt: [{ type: "text", text }] });
    return { client, session, prompt, updates, permissions };
  }

  test("prompts, answers requests, changes settings and disconnects", async () => {
    const { client, session, prompt, permissions } = await connect("secret");
    const { sessionId } = session;
    expect(session.modes?.availableModes.map(({ id }) => id)).toEqual(["build", "plan"]);
    expect(session.models?.currentModelId).toBe("mock");
    expect(await prompt("hello")).toEqual({ stopReason: "end_turn" });
    expect(await prompt("permission")).toEqual({ stopReason: "end_turn" });
    expect(permissions.map(({ toolCall }) => toolCall.kind)).toEqual(["execute", "edit"]);
    await client.setSessionMode({ sessionId, modeId: "plan" });
    await client.unstableSetSessionModel({ sessionId, modelId: "mock" });
    const { configOptions } = await client.setSessionConfigOption({ sessionId, configId: "mode", value: "build" });
    expect(configOptions.find(({ id }) => id === "mode")).toMatchObject({ currentValue: "build" });
    expect((await client.listSessions({})).sessions).toMatchObject([{ sessionId }]);
    await client.disconnect();
  });

  test("gets errors and the agent's exit, and continues", async () => {
    const { client, prompt } = await connect();
    await expect(prompt("error")).rejects.toMatchObject({ code: -32603, data: { type: "mock_error" } });
    await expect(prompt("crash")).rejects.toMatchObject({ code: -32603, data: { type: "agent_process_exited" } });
    expect(await prompt("hello")).toEqual({ stopReason: "end_turn" });
    await client.disconnect();
  });
});

describe("acpx", { timeout: 120_000 }, () => {
  test("runs a prompt of an agent that is `sandbox-agent acp`", async () => {
    const client = await startTestClient();
    const home = temporaryDirectory();
    mkdirSync(join(home, "project"));
    const agent = `${process.execPath} ${join(root, "packages/cli/src/main.ts")} acp --agent mock --endpoint ${client.url}`;
    const acpx = Bun.spawn(
      [
        realNode(),
        join(root, "node_modules/acpx/dist/cli.js"),
        "--agent",
        agent,
        "--approve-all",
        "exec",
        "permission1",
      ],
      { cwd: join(home, "project"), env: { ...process.env, HOME: home }, stdout: "pipe", stderr: "pipe" },
    );
    const [stdout, stderr, code] = await Promise.all([
      new Response(acpx.stdout).text(),
      new Response(acpx.stderr).text(),
      acpx.exited,
    ]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/ls -la \(completed\)[\s\S]*All answered, thank you\.[\s\S]*end_turn/);
    const { sessions } = (await client.get("/v1/sessions")).json;
    expect(sessions).toMatchObject([{ agent: "mock", directory: join(home, "project"), status: "idle" }]);
  });
});
