/** Definitions of agents: storage, precedence, and invalid files and documents. */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { problemOf } from "../../test/problem.ts";
import { startReleases } from "../../test/releases.ts";
import { temporaryFolder } from "../../test/temporary.ts";
import { openAgentCatalog } from "./agent-catalog.ts";

const open = (directory: string | null, configFile: string | null = null, env = {}) =>
  openAgentCatalog({ directory, configFile, env });

function withFile(name: string, content: string): { directory: string; file: string } {
  const directory = temporaryFolder();
  const file = join(directory, name);
  writeFileSync(file, content);
  return { directory, file };
}

const entry = (id: string) => ({ id, name: id, version: "1.0.0", distribution: { npx: { package: `${id}@1.0.0` } } });

/** A registry of one agent, as it is kept in a file. */
function registryCopy(id: string, day: string): string {
  const document = { version: "1.0.0", agents: [entry(id)] };
  return JSON.stringify({ url: "http://a.test", date: `${day}T00:00:00.000Z`, document });
}

const mine = { name: "Mine", command: "mine", args: ["acp"], env: { KEY: "secret" } };

describe("a definition", () => {
  test("is kept across restarts, readable by its owner only", () => {
    const directory = temporaryFolder();
    open(directory).define("mine", mine);
    expect(open(directory).get("mine")).toEqual({ definition: mine, source: "custom" });
    expect(statSync(join(directory, "agents.json")).mode & 0o777).toBe(0o600);
  });

  test("replaces that of the registry until it is removed", () => {
    const catalog = open(temporaryFolder());
    catalog.define("gemini", mine);
    expect(catalog.get("gemini")).toEqual({ definition: mine, source: "custom" });
    catalog.remove("gemini");
    expect(catalog.get("gemini")).toMatchObject({ source: "registry" });
  });

  test("is found without reading the registry, which takes long", () => {
    const directory = temporaryFolder();
    const catalog = open(directory);
    catalog.define("mine", mine);
    expect(catalog.get("mine")).toMatchObject({ source: "custom" });
    expect(catalog.recipe("mine")).not.toBeNull();
    writeFileSync(join(directory, "registry.json"), registryCopy("late", "2999-01-01"));
    expect(catalog.get("late")).toMatchObject({ source: "registry" });
  });

  test("that cannot be stored has no effect", async () => {
    const directory = join(temporaryFolder(), "gone");
    const catalog = open(directory);
    const problem = await problemOf((async () => catalog.define("mine", mine))());
    expect(problem).toMatchObject({ kind: "storage_unavailable", message: expect.stringContaining("agents.json") });
    expect(catalog.get("mine")).toBeNull();
  });

  test("is in memory only without a directory", () => {
    const catalog = open(null);
    catalog.define("mine", mine);
    expect(catalog.get("mine")).toMatchObject({ source: "custom" });
  });

  test("cannot be removed when there is none", async () => {
    const catalog = open(null);
    expect((await problemOf((async () => catalog.remove("nobody"))())).kind).toBe("unsupported_agent");
    const problem = await problemOf((async () => catalog.remove("goose"))());
    expect(problem).toMatchObject({ kind: "conflict", message: expect.stringContaining("registry") });
  });
});

describe("a configuration file", () => {
  const { file } = withFile("config.json", JSON.stringify({ agents: { mine } }));

  test("takes precedence over agents.json, and is not changed", async () => {
    const directory = temporaryFolder();
    open(directory).define("mine", { command: "other" });
    const catalog = open(directory, file);
    expect(catalog.get("mine")).toEqual({ definition: mine, source: "custom" });
    for (const change of [() => catalog.define("mine", mine), () => catalog.remove("mine")])
      expect(await problemOf((async () => change())())).toMatchObject({
        kind: "conflict",
        message: expect.stringContaining(file),
      });
  });

  test("must exist", () => {
    expect(() => open(null, "/nonexistent/agents.json")).toThrow(/^\/nonexistent\/agents\.json does not exist/);
  });
});

describe("an invalid file is an error with its name and the field:", () => {
  test.each<[string, string, RegExp]>([
    ["not JSON", "{", /agents\.json is not JSON/],
    ["no agents", "{}", /agents\.json .*: agents: /],
    ["a bad id", '{"agents":{"My Agent":{"command":"x"}}}', /agents\.My Agent: .*lowercase letters/],
    ["no command", '{"agents":{"a":{"name":"A"}}}', /agents\.a\.command: is required unless/],
    ["a relative command", '{"agents":{"a":{"command":"bin/x"}}}', /agents\.a\.command: must be a program on PATH/],
    ["args that are no list", '{"agents":{"a":{"command":"x","args":"acp"}}}', /agents\.a\.args: /],
    ["a misspelled field", '{"agents":{"a":{"command":"x","arg":[]}}}', /agents\.a: .*"arg"/],
    ["a bad variable", '{"agents":{"a":{"command":"x","env":{"A-B":"1"}}}}', /agents\.a\.env\.A-B: /],
    [
      "an option as package",
      '{"agents":{"a":{"install":{"type":"npm","package":"-g"}}}}',
      /agents\.a\.install\.package: /,
    ],
    [
      "a program outside its archive",
      '{"agents":{"a":{"command":"../x","install":{"type":"archive","version":"1.0.0","archives":{}}}}}',
      /agents\.a\.command: must stay within/,
    ],
    [
      "an unknown platform",
      '{"agents":{"a":{"command":"x","install":{"type":"archive","version":"1.0.0","archives":{"amiga":{"url":"http://a.test/x"}}}}}}',
      /agents\.a\.install\.archives.*amiga/,
    ],
  ])("%s", (_, content, reason) => {
    const { directory } = withFile("agents.json", content);
    expect(() => open(directory)).toThrow(reason);
  });
});

describe("refreshing the registry", () => {
  test("replaces the agents, and is kept across restarts", async () => {
    const releases = await startReleases();
    releases.put("registry.json", JSON.stringify({ version: "1.0.0", agents: [entry("fresh")], extensions: [] }));
    const url = `${releases.url}/registry.json`;
    const directory = temporaryFolder();
    const catalog = open(directory, null, { SANDBOX_AGENT_ACP_REGISTRY_URL: url });
    catalog.define("mine", mine);
    expect(await catalog.refresh()).toEqual({ url, date: expect.any(String), agents: ["fresh"] });
    for (const now of [catalog, open(directory)]) expect([...now.ids()].toSorted()).toEqual(["fresh", "mine"]);
  });

  test.each<[string, string, RegExp]>([
    ["no JSON", "<html>", /not a valid ACP registry/],
    ["no agents", '{"version":"1.0.0"}', /agents: /],
    ["an empty list", '{"version":"1.0.0","agents":[]}', /agents: /],
    ["an entry without a name", '{"version":"1.0.0","agents":[{"id":"a"}]}', /agents\.0\.name: /],
    [
      "an id that leaves the folder",
      JSON.stringify({ version: "1.0.0", agents: [{ ...entry("a"), id: "../a" }] }),
      /agents\.0\.id: /,
    ],
    ["too much", "x".repeat(17_000_000), /more than \d+ bytes/],
  ])("keeps the old one when the document is %s", async (_, content, reason) => {
    const releases = await startReleases();
    releases.put("registry.json", content);
    const directory = temporaryFolder();
    const catalog = open(directory);
    const before = [...catalog.ids()];
    const problem = await problemOf(catalog.refresh(`${releases.url}/registry.json`));
    expect(problem).toMatchObject({ kind: "registry_refresh_failed", message: expect.stringMatching(reason) });
    for (const now of [catalog, open(directory)]) expect([...now.ids()]).toEqual(before);
  });

  test("keeps the old one if the server is unreachable or answers with an error", async () => {
    const releases = await startReleases();
    const catalog = open(null);
    for (const [url, reason] of [
      ["http://127.0.0.1:1/registry.json", /cannot be downloaded/],
      [`${releases.url}/nothing`, /answers 404/],
    ] as const)
      expect((await problemOf(catalog.refresh(url))).message).toMatch(reason);
    expect(catalog.get("gemini")).not.toBeNull();
  });

  test("a damaged copy is ignored", () => {
    const { directory } = withFile("registry.json", '{"url":');
    expect(open(directory).get("gemini")).not.toBeNull();
  });

  test("a newer snapshot of the program replaces an older copy", () => {
    const { directory } = withFile("registry.json", registryCopy("stale", "2020-01-01"));
    expect(open(directory).get("stale")).toBeNull();
  });
});
