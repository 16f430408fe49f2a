/** MCP servers and skills that are configured for a directory: kept, listed, hidden where secret, and handed to sessions. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentRegistry, mockAgent, type SessionSpec } from "@sandbox-agent/agents";
import { describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { agentsWithMock, spawnDaemon, startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem, faults } from "../harness/problem.ts";

const local = { type: "local", command: "server", args: ["--fast"], env: { KEY: "secret-1" } };
const remote = {
  type: "remote",
  url: "https://example.com/mcp",
  headers: { Authorization: "Bearer secret-2" },
  oauth: { clientId: "me", clientSecret: "secret-3" },
};

const mcpPath = (directory: string, name: string, more = "") =>
  `/v1/config/mcp?${new URLSearchParams({ directory, mcpName: name })}${more}`;
const skillsPath = (directory: string, name: string) =>
  `/v1/config/skills?${new URLSearchParams({ directory, skillName: name })}`;
const put = (client: TestClient, path: string, body: unknown) => client.call("PUT", path, { body });

function skillsAt(...names: string[]): string {
  const root = temporaryDirectory();
  for (const name of names) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, "SKILL.md"), `# ${name}\n`);
  }
  return root;
}

const sourcesOf = (...sources: string[]) => ({ sources: sources.map((source) => ({ type: "local", source })) });

/** The mock, and what it was opened with, time after time. */
function recordingAgent(): { agents: AgentRegistry; opened: SessionSpec[] } {
  const opened: SessionSpec[] = [];
  const agents = agentsWithMock(() => ({
    open(spec, sink) {
      opened.push(spec);
      return mockAgent.open(spec, sink);
    },
  }));
  return { agents, opened };
}

describe("a configured MCP server", () => {
  test("is kept until it is removed", async () => {
    const client = await startTestClient();
    const path = mcpPath(temporaryDirectory(), "tools");
    expectProblem(await client.get(path), "not_found");
    expect((await put(client, path, local)).status).toBe(204);
    expect((await client.get(`${path}&reveal=true`)).json).toEqual(local);
    expect((await client.delete(path)).status).toBe(204);
    expectProblem(await client.get(path), "not_found");
    expect((await client.delete(path)).status).toBe(204);
  });

  test("survives the death of the daemon", async () => {
    const [dataDir, directory] = [temporaryDirectory(), temporaryDirectory()];
    const daemon = await spawnDaemon(dataDir);
    await put(new TestClient(daemon.url), mcpPath(directory, "tools"), local);
    daemon.kill("SIGKILL");
    await daemon.exited;
    const again = new TestClient((await spawnDaemon(dataDir)).url);
    expect((await again.get(mcpPath(directory, "tools", "&reveal=1"))).json).toEqual(local);
  });

  test("hides its secrets unless asked for them", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    await put(client, mcpPath(directory, "a"), local);
    await put(client, mcpPath(directory, "b"), remote);
    const hidden = [
      await client.get(mcpPath(directory, "a")),
      await client.get(mcpPath(directory, "b")),
      await client.get("/v1/config/mcp/list"),
    ];
    expect(hidden.map(({ text }) => text).join()).not.toContain("secret");
    expect(hidden[1]?.json).toEqual({
      ...remote,
      headers: { Authorization: "<redacted>" },
      oauth: { clientId: "me", clientSecret: "<redacted>" },
    });
    expect((await client.get("/v1/config/mcp/list?reveal=true")).json.servers).toEqual([
      { directory, name: "a", config: local },
      { directory, name: "b", config: remote },
    ]);
  });

  test("keeps its secrets when it is written back as it was read", async () => {
    const client = await startTestClient();
    const path = mcpPath(temporaryDirectory(), "tools");
    await put(client, path, remote);
    const { json: read } = await client.get(path);
    await put(client, path, { ...read, url: "https://example.com/other" });
    expect((await client.get(`${path}&reveal=true`)).json).toEqual({ ...remote, url: "https://example.com/other" });
  });

  test("cannot keep a secret that does not exist", async () => {
    const client = await startTestClient();
    const answer = await put(client, mcpPath(temporaryDirectory(), "tools"), { ...local, env: { KEY: "<redacted>" } });
    expectProblem(answer, "invalid_request", { detail: expect.stringContaining("env.KEY") });
  });

  test("belongs to its directory alone, however that is reached", async () => {
    const client = await startTestClient();
    const [one, two] = [temporaryDirectory(), temporaryDirectory()];
    const link = join(temporaryDirectory(), "link");
    symlinkSync(one, link);
    await put(client, mcpPath(one, "a"), local);
    await put(client, mcpPath(two, "b"), remote);
    const names = async (directory: string) => {
      const { json } = await client.get(`/v1/config/mcp/list?${new URLSearchParams({ directory })}`);
      return json.servers.map(({ name }: { name: string }) => name);
    };
    expect([await names(one), await names(two), await names(link)]).toEqual([["a"], ["b"], ["a"]]);
  });

  test.each([
    ["without a directory", "/v1/config/mcp?mcp_name=a", local, faults("query", "directory")],
    ["without a name", "/v1/config/mcp?directory=/", local, faults("query", "mcp_name")],
    ["of no known type", "/v1/config/mcp?directory=/&mcp_name=a", { type: "none" }, faults("body", "type")],
    ["without a command", "/v1/config/mcp?directory=/&mcp_name=a", { type: "local" }, faults("body", "command")],
  ])("%s is rejected", async (_, path, body, details) => {
    const client = await startTestClient();
    expectProblem(await put(client, path, body), "invalid_request", { details });
  });

  test("of a directory that does not exist is rejected", async () => {
    const client = await startTestClient();
    expectProblem(await put(client, mcpPath("/no/such/directory", "a"), local), "invalid_request");
  });

  test("reaches sessions of its directory, whose own servers win", async () => {
    const { agents, opened } = recordingAgent();
    const client = await startTestClient({}, agents);
    const directory = temporaryDirectory();
    await put(client, mcpPath(directory, "a"), local);
    await put(client, mcpPath(directory, "b"), remote);
    const own = { type: "local", command: "own" };
    await client.create("here", { directory, mcp: { b: own } });
    await client.create("elsewhere", { directory: temporaryDirectory() });
    expect(opened.map(({ mcp }) => mcp)).toEqual([{ a: local, b: own }, {}]);
    expect((await client.get("/v1/sessions/here")).json.mcp).toEqual({ b: own });
  });

  test("reaches a running session with its next turn, and not before", async () => {
    const { agents, opened } = recordingAgent();
    const client = await startTestClient({}, agents);
    const directory = temporaryDirectory();
    await client.create("s", { directory });
    await client.stream("s", "hello");
    await put(client, mcpPath(directory, "a"), local);
    expect(opened).toHaveLength(1);
    await client.stream("s", "hello");
    await client.stream("s", "hello");
    await client.delete(mcpPath(directory, "a"));
    await client.stream("s", "hello");
    expect(opened.map(({ mcp, nativeSessionId }) => [mcp, nativeSessionId])).toEqual([
      [{}, null],
      [{ a: local }, "mock-s"],
      [{}, "mock-s"],
    ]);
  });
});

describe("configured skills", () => {
  const linkIn = (directory: string, name: string) => join(directory, ".claude/skills", name);

  test("are kept, listed and removed", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    const path = skillsPath(directory, "pack");
    const config = sourcesOf(skillsAt("one"));
    expect((await put(client, path, config)).status).toBe(204);
    expect((await client.get(path)).json).toEqual(config);
    expect((await client.get("/v1/config/skills/list")).json).toEqual({
      skills: [{ directory, name: "pack", config }],
    });
    expect((await client.delete(path)).status).toBe(204);
    expectProblem(await client.get(path), "not_found");
    expect((await client.get("/v1/config/skills/list")).json).toEqual({ skills: [] });
  });

  test("that cannot be found are rejected", async () => {
    const client = await startTestClient();
    const answer = await put(client, skillsPath(temporaryDirectory(), "pack"), sourcesOf("/no/such/directory"));
    expectProblem(answer, "invalid_request");
  });

  test("are linked for sessions, also running ones, and go when they are removed", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    await client.create("s", { directory });
    await put(client, skillsPath(directory, "pack"), sourcesOf(skillsAt("one")));
    await client.stream("s", "hello");
    expect(existsSync(linkIn(directory, "one"))).toBe(true);
    await client.delete(skillsPath(directory, "pack"));
    expect(existsSync(linkIn(directory, "one"))).toBe(false);
  });

  test("give way to those of a session with the same name", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    const [theirs, own] = [skillsAt("one", "two"), skillsAt("one")];
    await put(client, skillsPath(directory, "pack"), sourcesOf(theirs));
    await client.create("first", { directory });
    const { status, text } = await client.create("second", { directory, skills: sourcesOf(own) });
    expect(status, text).toBe(200);
    expect(readlinkSync(linkIn(directory, "one"))).toBe(join(own, "one"));
    expect(readlinkSync(linkIn(directory, "two"))).toBe(join(theirs, "two"));
  });

  test("take only their own links with them when they are removed", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    const own = skillsAt("one");
    await put(client, skillsPath(directory, "pack"), sourcesOf(skillsAt("one", "two")));
    await client.create("s", { directory, skills: sourcesOf(own) });
    await client.delete(skillsPath(directory, "pack"));
    expect(readlinkSync(linkIn(directory, "one"))).toBe(join(own, "one"));
    expect(existsSync(linkIn(directory, "two"))).toBe(false);
  });

  test("that are gone by the next turn do not end the conversation", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    await client.create("s", { directory });
    const root = skillsAt("one");
    await put(client, skillsPath(directory, "pack"), sourcesOf(root));
    execFileSync("rm", ["-r", join(root, "one")]);
    await client.send("s", "hello");
    await client.wait("s");
    const events = await client.events("s");
    expect(events.find((event) => event.type === "error")?.data).toMatchObject({ code: "skills_unavailable" });
    expect(events.at(-1)).toMatchObject({ type: "turn.ended", data: { metadata: { reason: "completed" } } });
  });
});
