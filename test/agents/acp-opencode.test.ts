/** The real OpenCode over ACP behind a real daemon. Only the model's words are scripted. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../model/server.ts";
import { type Lab, openCodeInstaller, openLab } from "./acp-lab.ts";
import { endOf, errorsOf, itemsOf, outputs, texts } from "./reading.ts";

const timeoutMs = 120_000;
const key = "key-of-the-acp-lab";
let lab: Lab;
let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer();
  const config = {
    model: "anthropic/claude-sonnet-4-5",
    autoupdate: false,
    share: "disabled",
    permission: { bash: "ask", edit: "ask" },
    provider: { anthropic: { options: { apiKey: "{env:ANTHROPIC_API_KEY}", baseURL: `${model.url}/v1` } } },
  };
  const env = {
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  };
  const keys = { anthropic: "ANTHROPIC_API_KEY" };
  const profile = { id: "opencode-acp", name: "OpenCode (ACP)", args: ["acp"], env, keys };
  lab = await openLab({ profile, installer: openCodeInstaller, env: { ANTHROPIC_API_KEY: key } });
}, timeoutMs);

afterAll(async () => {
  await lab.close();
  await model.close();
}, timeoutMs);

/** Sessions are shared by tests: each is a process that takes seconds to start. */
const asking = "asking";
const bold = "bold";

async function act(id: string, message: string, reply: () => Promise<void>) {
  const from = (await lab.client.events(id)).length;
  await lab.send(id, message);
  await reply();
  await lab.wait(id, "idle");
  return (await lab.client.events(id)).slice(from);
}

describe("a session that asks", { timeout: timeoutMs }, () => {
  beforeAll(() => lab.create(asking), timeoutMs);
  afterAll(() => lab.check(asking), timeoutMs);

  test("modes and models are its own", async () => {
    const { json: modes } = await lab.client.get("/v1/agents/opencode-acp/modes");
    expect(modes.modes.map(({ id }: { id: string }) => id)).toEqual(["build", "plan"]);
    const { json: models } = await lab.client.get("/v1/agents/opencode-acp/models");
    expect(models.defaultModel).toBe("anthropic/claude-sonnet-4-5");
  });

  test("text, thoughts and usage", async () => {
    const events = await lab.turn(asking, "Remember the word pomegranate. [[think well]] [[say ok]]");
    expect(texts(events)).toEqual(["ok"]);
    expect(JSON.stringify(itemsOf(events, "message"))).toContain('"reasoning"');
    expect(events.at(-1)).toMatchObject({ data: { metadata: { usage: { output_tokens: expect.any(Number) } } } });
  });

  test("a permission given once, with the diff of the file that was written", async () => {
    const path = join(lab.directory, "once.txt");
    const events = await act(asking, `[[write ${path} fresh]] [[say written]]`, () => lab.allow(asking, "once"));
    expect(readFileSync(path, "utf8")).toContain("fresh");
    const [result] = itemsOf(events, "tool_result");
    expect(result?.content).toContainEqual(
      expect.objectContaining({ type: "file_ref", path, action: "write", diff: expect.stringContaining("+fresh") }),
    );
  });

  test("a permission rejected", async () => {
    const events = await act(asking, "[[sh touch refused.txt]] [[say done]]", () => lab.allow(asking, "reject"));
    expect(existsSync(join(lab.directory, "refused.txt"))).toBe(false);
    expect(itemsOf(events, "tool_result")).toMatchObject([{ status: "failed" }]);
  });

  test("abort while it waits for a permission", async () => {
    const events = await act(asking, "[[sh echo never]]", async () => {
      await lab.pending(asking);
      await lab.abort(asking);
    });
    expect(endOf(events)).toBe("aborted");
    expect(events.filter(({ type }) => type === "permission.resolved")).toHaveLength(1);
  });

  test("abort while it streams", async () => {
    const events = await act(asking, "[[slow 500 50]]", async () => {
      await lab.seen(asking, (event) => event.type === "item.delta" && event.data.delta.includes("word1"));
      await lab.abort(asking);
    });
    expect(endOf(events)).toBe("aborted");
  });

  test("a permission given always is not asked for again", async () => {
    const events = await act(asking, "[[sh echo first]] [[say done]]", () => lab.allow(asking, "always"));
    expect(outputs(events).join("")).toContain("first");
    expect(texts(await lab.turn(asking, "[[sh echo first]] [[say again]]"))).toContain("again");
  });

  test("it sees an image", async () => {
    const path = join(lab.directory, "dot.png");
    writeFileSync(path, Buffer.from(dotPng, "base64"));
    const events = await lab.turn(asking, "[[image]]", { attachments: [{ path, mime: "image/png" }] });
    expect(texts(events).join("")).toMatch(/1 image|image\/png/);
  });

  test("the conversation survives a restart of the daemon", async () => {
    await lab.restart();
    expect(texts(await lab.turn(asking, "[[recall]]")).join("")).toContain("pomegranate");
  });
});

describe("a session that asks nothing, with an MCP server", { timeout: timeoutMs }, () => {
  const server = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
  const mcp = { everything: { type: "local", command: [process.execPath, server, "stdio"] } };
  beforeAll(() => lab.create(bold, { permissionMode: "bypass", mcp }), timeoutMs);
  afterAll(() => lab.check(bold), timeoutMs);

  test("runs commands and keeps a todo list", async () => {
    const events = await lab.turn(bold, "[[sh echo unasked]] [[todo first; second]] [[say done]]");
    expect(outputs(events).join("")).toContain("unasked");
    expect(JSON.stringify(itemsOf(events, "status"))).toContain('"todos"');
    expect(events.filter(({ type }) => type === "permission.requested")).toEqual([]);
  });

  test("uses the server", async () => {
    const events = await lab.turn(bold, '[[mcp everything echo {"message":"over mcp"}]] [[say called]]');
    expect(outputs(events).join("")).toContain("over mcp");
  });

  test("plans in plan mode", async () => {
    expect((await lab.client.patch(`/v1/sessions/${bold}`, { permissionMode: "plan" })).status).toBe(200);
    const before = model.requests.length;
    await lab.turn(bold, "[[say planned]]");
    expect(JSON.stringify(model.requests.slice(before))).toMatch(/plan mode/i);
  });
});

test("a rejected key is an error of the turn", { timeout: timeoutMs }, async () => {
  await lab.create("refused", { credentials: { anthropic: "bad-key-for-tests" } });
  const events = await lab.turn("refused", "[[say never]]");
  expect(errorsOf(events)).toEqual(["auth_invalid"]);
  expect(endOf(events)).toBe("failed");
});

const dotPng = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
