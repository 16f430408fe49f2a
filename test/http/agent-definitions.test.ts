/** Agents by definition over the API: defining, changing, removing, refreshing the registry, and what sessions notice. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mockAgent } from "@sandbox-agent/agents";
import type { UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestClient, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem, faults } from "../harness/problem.ts";

const echo = join(import.meta.dirname, "../harness/acp-echo.ts");
const echoing = (greeting: string) => ({
  name: "Echo",
  command: process.execPath,
  args: [echo],
  env: { GREETING: greeting },
});

const put = (client: TestClient, agent: string, body: unknown) => client.call("PUT", `/v1/agents/${agent}`, { body });

function said(events: readonly UniversalEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== "item.completed" || event.data.item.role !== "assistant") return [];
    return event.data.item.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  });
}

describe("a defined agent", () => {
  test("is listed as custom, without the values of its variables", async () => {
    const client = await startTestClient();
    const { json } = await put(client, "echo", echoing("a secret"));
    expect(json).toMatchObject({
      id: "echo",
      name: "Echo",
      source: "custom",
      installed: true,
      path: process.execPath,
      definition: { command: process.execPath, args: [echo], env: ["GREETING"] },
    });
    const list = await client.get("/v1/agents");
    expect(list.json.agents).toContainEqual(json);
    expect(list.text).not.toContain("a secret");
  });

  test("runs, and a change counts for the next start", async () => {
    const client = await startTestClient();
    await put(client, "echo", echoing("Hello"));
    await client.create("first", { agent: "echo" });
    expect(said(await client.stream("first", "one"))).toEqual(["Hello: one"]);
    await put(client, "echo", echoing("Goodbye"));
    expect(said(await client.stream("first", "two"))).toEqual(["Hello: two"]);
    await client.create("second", { agent: "echo" });
    expect(said(await client.stream("second", "three"))).toEqual(["Goodbye: three"]);
  });

  test("survives a restart, and so do its sessions", async () => {
    const dataDir = temporaryDirectory();
    const before = await startTestDaemon({ dataDir });
    const client = new TestClient(before.url);
    await put(client, "echo", echoing("Hello"));
    await client.create("kept", { agent: "echo" });
    await client.stream("kept", "one");
    await before.stop();
    const again = await startTestClient({ dataDir });
    expect(said(await again.stream("kept", "two"))).toEqual(["Hello: two"]);
    expect(readFileSync(join(dataDir, "agents.json"), "utf8")).toContain("GREETING");
  });

  test("whose command does not exist is listed, and rejected for sessions", async () => {
    const client = await startTestClient();
    const { json } = await put(client, "ghost", { command: "/nonexistent/ghost" });
    expect(json).toMatchObject({ id: "ghost", name: "ghost", installed: false });
    for (const answer of [await client.create("s", { agent: "ghost" }), await client.post("/v1/agents/ghost/install")])
      expectProblem(answer, "agent_not_installed", {
        agent: "ghost",
        detail: expect.stringContaining("/nonexistent/ghost"),
      });
    expectProblem(await client.get("/v1/sessions/s"), "session_not_found", { sessionId: "s" });
  });
});

describe("a removed agent", () => {
  test("takes no new sessions; those it has go on and stay readable", async () => {
    const dataDir = temporaryDirectory();
    const before = await startTestDaemon({ dataDir });
    const client = new TestClient(before.url);
    await put(client, "echo", echoing("Hello"));
    await client.create("old", { agent: "echo" });
    await client.stream("old", "one");
    expect((await client.delete("/v1/agents/echo")).status).toBe(204);
    expectProblem(await client.create("new", { agent: "echo" }), "unsupported_agent", { agent: "echo" });
    expect(said(await client.stream("old", "two"))).toEqual(["Hello: two"]);
    await before.stop();

    const again = await startTestClient({ dataDir });
    expect(said(await again.events("old"))).toEqual(["Hello: one", "Hello: two"]);
    expect((await again.get("/v1/sessions/old")).json).toMatchObject({ agent: "echo", status: "idle" });
    const failed = await again.stream("old", "three");
    expect(failed.at(-1)).toMatchObject({ type: "error", data: { code: "unsupported_agent" } });

    await put(again, "echo", echoing("Welcome back"));
    await again.wait("old");
    expect(said(await again.stream("old", "four"))).toEqual(["Welcome back: four"]);
  });

  test("leaves sessions that can be given a title, but no other mode", async () => {
    const client = await startTestClient();
    await put(client, "echo", echoing("Hello"));
    await client.create("old", { agent: "echo" });
    await client.delete("/v1/agents/echo");
    const change = (body: object) => client.call("PATCH", "/v1/sessions/old", { body });
    expect((await change({ title: "Kept" })).json).toMatchObject({ title: "Kept" });
    expectProblem(await change({ permissionMode: "plan" }), "unsupported_agent", { agent: "echo" });
  });

  test("of an earlier daemon leaves sessions that can be read and erased", async () => {
    const dataDir = temporaryDirectory();
    const other = { ...mockAgent, id: "other" };
    const before = await startTestDaemon({ dataDir }, new Map([[other.id, other]]));
    const client = new TestClient(before.url);
    await client.create("old", { agent: "other" });
    await client.stream("old", "hello");
    await before.stop();
    const again = await startTestClient({ dataDir });
    expect((await again.get("/v1/sessions")).json.sessions).toMatchObject([{ sessionId: "old", agent: "other" }]);
    expect((await again.get("/v1/sessions/old/transcript")).json.items).toHaveLength(2);
    expect((await again.delete("/v1/sessions/old")).status).toBe(204);
  });
});

describe("a definition is rejected", () => {
  test.each<[string, unknown, string]>([
    ["without a command", { name: "X" }, "command"],
    ["with a relative command", { command: "bin/x" }, "command"],
    ["with arguments that are no list", { command: "x", args: "acp" }, "args"],
    ["with a variable that is no text", { command: "x", env: { A: 1 } }, "env.A"],
    ["with an unknown field", { command: "x", shell: true }, ""],
    ["with a package that is an option", { install: { type: "npm", package: "--global" } }, "install.package"],
    ["from an unknown source", { command: "x", install: { type: "floppy" } }, "install.type"],
    [
      "with a checksum that is none",
      {
        command: "x",
        install: {
          type: "archive",
          version: "1.0.0",
          archives: { "linux-x86_64": { url: "http://a.test/x", sha256: "1" } },
        },
      },
      "install.archives.linux-x86_64.sha256",
    ],
  ])("%s, naming the field", async (_, body, field) => {
    const client = await startTestClient();
    expectProblem(await put(client, "x", body), "invalid_request", { details: faults("body", field) });
    expect((await client.get("/v1/agents")).json.agents).not.toContainEqual(expect.objectContaining({ id: "x" }));
  });

  test.each(["My%20Agent", "..%2Fx", "1st", "a".repeat(65)])("under the id %s", async (id) => {
    const client = await startTestClient();
    expectProblem(await put(client, id, { command: "x" }), "invalid_request", { agent: decodeURIComponent(id) });
  });

  test("for a built-in agent, which cannot be removed either", async () => {
    const client = await startTestClient();
    for (const answer of [await put(client, "mock", { command: "x" }), await client.delete("/v1/agents/mock")])
      expectProblem(answer, "conflict", { agent: "mock", detail: expect.stringContaining("built in") });
  });
});

describe("removing", () => {
  test("an agent of the registry is a conflict, an unknown one unsupported", async () => {
    const client = await startTestClient();
    expectProblem(await client.delete("/v1/agents/gemini"), "conflict", { agent: "gemini" });
    expectProblem(await client.delete("/v1/agents/nobody"), "unsupported_agent", { agent: "nobody" });
  });
});

describe("the registry", () => {
  test("puts its agents on the list, with where they come from", async () => {
    const client = await startTestClient();
    const { json } = await client.get("/v1/agents/gemini");
    expect(json).toMatchObject({
      name: "Gemini CLI",
      source: "registry",
      definition: {
        args: ["--acp"],
        install: { type: "npm", package: expect.stringMatching(/^@google\/gemini-cli@/) },
      },
    });
  });

  test("is refreshed from an address, and stays as it is when that has no registry", async () => {
    const entry = { id: "fresh", name: "Fresh", version: "1.0.0", distribution: { npx: { package: "fresh@1.0.0" } } };
    const documents = new Map([
      ["/good.json", JSON.stringify({ version: "1.0.0", agents: [entry] })],
      ["/bad.json", JSON.stringify({ version: "1.0.0", agents: [{ ...entry, id: 1 }] })],
    ]);
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) => new Response(documents.get(new URL(url).pathname) ?? "no"),
    });
    const client = await startTestClient();
    const refresh = (path: string) =>
      client.post("/v1/agents/registry/refresh", { url: new URL(path, server.url).href });

    expect((await refresh("/good.json")).json).toMatchObject({ agents: ["fresh"] });
    for (const path of ["/bad.json", "/html"])
      expectProblem(await refresh(path), "registry_refresh_failed", { detail: expect.stringContaining(path) });
    const ids = (await client.get("/v1/agents")).json.agents.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(["mock", "fresh"]);
  });

  test("is not fetched from anything but the web", async () => {
    const client = await startTestClient();
    const answer = await client.post("/v1/agents/registry/refresh", { url: "file:///etc/passwd" });
    expectProblem(answer, "invalid_request", { details: faults("body", "url") });
  });
});
