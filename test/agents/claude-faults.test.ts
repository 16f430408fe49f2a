/** What goes wrong around Claude Code: credentials, providers, processes. Each has a clear end. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startLab } from "./claude-lab.ts";
import { closedForGood } from "./closed-for-good.ts";
import { directoriesVanish, processesDie, programsAreWrong } from "./own-process.ts";
import { endOf, errorsOf, itemsOf, texts } from "./reading.ts";

describe("credentials", () => {
  test("that are missing are asked for at once", async () => {
    const lab = await startLab({ env: { ANTHROPIC_API_KEY: "" } });
    await lab.create("s");
    const events = await lab.prompt("s", "hello");
    expect(errorsOf(events)).toEqual(["auth_required"]);
    expect(endOf(events)).toBe("failed");
    expect(lab.modelCalls()).toEqual([]);
    await lab.check("s");
  });

  test("that are rejected end the turn without further attempts", async () => {
    const lab = await startLab({ env: { CLAUDE_CODE_MAX_RETRIES: "10" } });
    await lab.create("s", { credentials: { anthropic: "bad-key" } });
    const events = await lab.prompt("s", "hello");
    expect(errorsOf(events)).toEqual(["auth_invalid"]);
    expect(endOf(events)).toBe("failed");
    expect(lab.modelCalls().length).toBeLessThan(3);
    await lab.check("s");
  });

  test("of a login that is rejected have expired", async () => {
    const env = { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "expired-token" };
    const lab = await startLab({ env: { ...env, CLAUDE_CODE_MAX_RETRIES: "10" } });
    await lab.create("s");
    const events = await lab.prompt("s", "hello");
    expect(errorsOf(events)).toEqual(["auth_expired"]);
    expect(endOf(events)).toBe("failed");
  });

  test("of a session win over those of the machine, and no command of the model sees either", async () => {
    const lab = await startLab();
    await lab.create("s", { credentials: { anthropic: "key-of-the-session" }, permissionMode: "bypass" });
    const events = await lab.prompt(
      "s",
      '[[tool Bash {"command":"env; tr \\"\\\\0\\" \\" \\" </proc/$PPID/cmdline; cat /proc/$PPID/fd/3"}]] [[say done]]',
    );
    const keys = lab.model.requests.map(({ headers }) => headers["x-api-key"]).filter(Boolean);
    expect(new Set(keys)).toEqual(new Set(["key-of-the-session"]));
    expect(JSON.stringify(await lab.client.events("s", "?include_raw=true"))).not.toMatch(/key-of-the/);
    expect(JSON.stringify(itemsOf(events))).toContain("HOME=");
    const [pid] = await lab.untilProcesses(1);
    expect(readFileSync(`/proc/${pid}/fd/3`, "utf8")).toBe("");
    await lab.check("s");
  });

  test("and the endpoint may come with the session", async () => {
    const other = await startLab();
    const lab = await startLab();
    await lab.create("s", { endpoints: { anthropic: other.model.url } });
    expect(texts(await lab.prompt("s", "[[say from there]]"))).toEqual(["from there"]);
    expect(lab.modelCalls()).toEqual([]);
    expect(other.modelCalls()).toHaveLength(1);
  });
});

describe("a provider", () => {
  test.each([
    [500, "provider_error"],
    [529, "overloaded"],
    [429, "rate_limited"],
    [400, "invalid_request"],
    [403, "auth_invalid"],
  ])("that answers %i is reported as %s, and the session stays usable", async (status, code) => {
    const lab = await startLab();
    await lab.create("s");
    const events = await lab.prompt("s", `[[error ${status}]]`);
    expect(errorsOf(events)).toEqual([code]);
    expect(endOf(events)).toBe("failed");
    expect(texts(await lab.prompt("s", "[[say back]]"))).toEqual(["back"]);
    await lab.check("s");
  });

  test("that fails once is asked again, with a notice", async () => {
    const lab = await startLab();
    await lab.create("s");
    const events = await lab.prompt("s", "[[error 500 once]] [[say after all]]");
    expect(texts(events)).toEqual(["after all"]);
    const notices = itemsOf(events).flatMap(({ content }) => content.filter((part) => part.type === "status"));
    expect(notices.map(({ label }) => label)).toContain("Retrying");
  });

  test("that drops the connection does not lose or double the answer", async () => {
    const lab = await startLab();
    await lab.create("s");
    const events = await lab.prompt("s", "[[say a few words]] [[drop]]");
    expect(texts(events).join(" ")).toContain("a few words");
    expect(endOf(events)).toBe("completed");
    await lab.check("s");
  });

  test("that cannot be reached is an error", async () => {
    const lab = await startLab();
    await lab.create("s", { endpoints: { anthropic: "http://127.0.0.1:9" } });
    const events = await lab.prompt("s", "hello");
    expect(errorsOf(events)).toEqual(["connection_failed"]);
    await lab.check("s");
  });
});

describe("a session", () => closedForGood(startLab));

describe("a process", () => {
  processesDie(startLab, "Bash");
  directoriesVanish(startLab);
});

describe("a program that is not what it should be", () => {
  const result = JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "" });
  programsAreWrong(startLab, { begins: ":", ends: `echo '${result}'` });
});

test("MCP servers of the session are there in the first turn", async () => {
  const lab = await startLab({ env: { SERVER_WORD: "hello from the server" } });
  const script = join(lab.directory, "server.mjs");
  writeFileSync(script, mcpServer);
  const echo = { type: "local", command: [process.execPath, script], env: { WORD: "from its environment" } };
  const missing = { type: "stdio", command: "/no/such/server" };
  await lab.create("s", { mcp: { echo, missing }, permissionMode: "bypass" });
  const events = await lab.prompt("s", "[[mcp echo word {}]] [[say done]]");
  expect(JSON.stringify(itemsOf(events))).toContain("from its environment");
  await lab.check("s");
  await lab.stop();
});

const mcpServer = `
import { createInterface } from "node:readline";
const tool = { name: "word", description: "Says the word", inputSchema: { type: "object", properties: {} } };
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "echo", version: "1" } }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": () => ({ content: [{ type: "text", text: process.env.WORD }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answers[method]?.(params) ?? {};
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
}
`;
