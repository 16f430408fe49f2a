/** The real OpenCode over ACP behind a real daemon. Only the model's words are scripted. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../model/server.ts";
import { completed, endOf, errorsOf, type Lab, openCodeInstaller, openLab, outputs, said } from "./acp-lab.ts";

const patience = 120_000;
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
}, patience);

afterAll(async () => {
  await lab.close();
  await model.close();
}, patience);

let sessions = 0;
/** A new session, and the check that its whole history is well-formed at the end. */
function conversation(name: string, body: Record<string, unknown>, act: (id: string) => Promise<void>): void {
  test(
    name,
    async () => {
      const id = `s${++sessions}`;
      await lab.create(id, body);
      await act(id);
      await lab.expectWellFormed(id);
    },
    patience,
  );
}

test("its modes and models are its own", { timeout: patience }, async () => {
  const { json: modes } = await lab.client.get("/v1/agents/opencode-acp/modes");
  expect(modes.modes.map(({ id }: { id: string }) => id)).toEqual(["build", "plan"]);
  const { json: models } = await lab.client.get("/v1/agents/opencode-acp/models");
  expect(models.defaultModel).toBe("anthropic/claude-sonnet-4-5");
});

conversation("text, thoughts and usage, and the conversation survives a restart of the daemon", {}, async (id) => {
  const first = await lab.turn(id, "Remember the word pomegranate. [[think well]] [[say ok]]");
  expect(said(first)).toEqual(["ok"]);
  expect(JSON.stringify(completed(first, "message"))).toContain('"reasoning"');
  expect(first.at(-1)).toMatchObject({ data: { metadata: { usage: { output_tokens: expect.any(Number) } } } });
  await lab.restart();
  const second = await lab.turn(id, "[[recall]]");
  expect(said(second).join("")).toContain("pomegranate");
});

conversation("a permission given once, with the diff of the file that was written", {}, async (id) => {
  const path = join(lab.directory, "once.txt");
  await lab.send(id, `[[write ${path} fresh]] [[say written]]`);
  await lab.allow(id, "once");
  await lab.wait(id, "idle");
  const events = await lab.client.events(id);
  expect(readFileSync(path, "utf8")).toContain("fresh");
  const [result] = completed(events, "tool_result");
  expect(result?.content).toContainEqual(
    expect.objectContaining({ type: "file_ref", path, action: "write", diff: expect.stringContaining("+fresh") }),
  );
});

conversation("a permission given always is not asked for again", {}, async (id) => {
  await lab.send(id, "[[sh echo first]] [[say done]]");
  await lab.allow(id, "always");
  await lab.wait(id, "idle");
  expect(outputs(await lab.client.events(id)).join("")).toContain("first");
  const events = await lab.turn(id, "[[sh echo first]] [[say again]]");
  expect(said(events)).toContain("again");
});

conversation("a permission refused", {}, async (id) => {
  await lab.send(id, "[[sh touch refused.txt]] [[say done]]");
  await lab.allow(id, "reject");
  await lab.wait(id, "idle");
  expect(existsSync(join(lab.directory, "refused.txt"))).toBe(false);
  expect(completed(await lab.client.events(id), "tool_result")).toMatchObject([{ status: "failed" }]);
});

conversation("in mode bypass nothing is asked; a todo list is told", { permissionMode: "bypass" }, async (id) => {
  const events = await lab.turn(id, "[[sh echo unasked]] [[todo first; second]] [[say done]]");
  expect(outputs(events).join("")).toContain("unasked");
  expect(JSON.stringify(completed(events, "status"))).toContain('"todos"');
  expect(events.filter(({ type }) => type === "permission.requested")).toEqual([]);
});

conversation("abort while it speaks, and the next turn works", {}, async (id) => {
  await lab.send(id, "[[slow 500 50]]");
  await lab.seen(id, ({ type }) => type === "item.delta");
  await lab.abort(id);
  expect(endOf(await lab.client.events(id))).toBe("aborted");
  expect(said(await lab.turn(id, "[[say again]]"))).toEqual(["again"]);
});

conversation("abort while it waits for a permission", {}, async (id) => {
  await lab.send(id, "[[sh echo never]]");
  await lab.pending(id);
  await lab.abort(id);
  const events = await lab.client.events(id);
  expect(endOf(events)).toBe("aborted");
  expect(events.filter(({ type }) => type === "permission.resolved")).toHaveLength(1);
});

conversation("it sees an image", {}, async (id) => {
  const path = join(lab.directory, "dot.png");
  writeFileSync(path, Buffer.from(dotPng, "base64"));
  const events = await lab.turn(id, "[[image]]", { attachments: [{ path, mime: "image/png" }] });
  expect(said(events).join("")).toMatch(/1 image|image\/png/);
});

conversation(
  "it uses an MCP server of the session",
  {
    permissionMode: "bypass",
    mcp: {
      everything: {
        type: "local",
        command: [
          process.execPath,
          fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js")),
          "stdio",
        ],
      },
    },
  },
  async (id) => {
    const events = await lab.turn(id, '[[mcp everything echo {"message":"over mcp"}]] [[say called]]');
    expect(outputs(events).join("")).toContain("over mcp");
  },
);

conversation(
  "a refused key is an error of the turn",
  { credentials: { anthropic: "bad-key-for-tests" } },
  async (id) => {
    const events = await lab.turn(id, "[[say never]]");
    expect(errorsOf(events)).toEqual(["auth_invalid"]);
    expect(endOf(events)).toBe("failed");
  },
);

conversation("planning is a mode of its own", { permissionMode: "plan" }, async (id) => {
  const before = model.requests.length;
  await lab.turn(id, "[[say planned]]");
  expect(JSON.stringify(model.requests.slice(before))).toMatch(/plan mode/i);
});

test("a model it does not have is refused", { timeout: patience }, async () => {
  const { json } = await lab.tryCreate("no-model", { model: "nowhere/nothing" });
  expect(JSON.stringify(json)).toContain("it has: ");
});

const dotPng = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
