import { AgentDefinition } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { manifest } from "../install/manifest.ts";
import type { Platform } from "../install/platform.ts";
import { RegistryDocument, registryDefinitions } from "./registry-document.ts";
import snapshot from "./registry-snapshot.json" with { type: "json" };

const linux: Platform = { os: "linux", arch: "x64", libc: "glibc" };
const mac: Platform = { os: "darwin", arch: "arm64", libc: null };

function definitionFor(distribution: unknown, platform = linux) {
  const agents = [{ id: "one", name: "One", version: "1.0.0", description: "…", distribution }];
  return registryDefinitions(RegistryDocument().parse({ version: "1.0.0", agents }), platform).get("one");
}

describe("the snapshot", () => {
  const agents = registryDefinitions(RegistryDocument().parse(snapshot.document), linux);

  test("has the agents people ask for", () => {
    expect([...agents.keys()]).toEqual(
      expect.arrayContaining([
        "gemini",
        "github-copilot-cli",
        "qwen-code",
        "goose",
        "claude-acp",
        "codex-acp",
        "pi-acp",
      ]),
    );
  });

  test("has valid definitions", () => {
    for (const definition of agents.values()) expect(AgentDefinition().parse(definition)).toEqual(definition);
  });

  test("names exact versions only", () => {
    for (const [id, { install }] of agents)
      expect([id, install?.type === "npm" ? install.package : install?.version]).toEqual([
        id,
        expect.stringMatching(/(^|.@)\d+\.\d+[\w.+-]*$/),
      ]);
  });

  test("has its URL and date", () => {
    expect(snapshot.url).toMatch(/^https:\/\/.*registry\.json$/);
    expect(new Date(snapshot.date).toISOString()).toBe(snapshot.date);
  });

  test("leaves the recipes of built-in agents alone", () => {
    expect(agents.get("opencode")).toBeDefined();
    expect(manifest.opencode?.npm?.package(linux)).toBe("opencode-linux-x64");
  });
});

describe("an entry is", () => {
  test("an npm package with its arguments and variables", () => {
    const npx = { package: "@a/b@1.2.3", args: ["--acp"], env: { A: "1" } };
    expect(definitionFor({ npx })).toEqual({
      name: "One",
      args: ["--acp"],
      env: { A: "1" },
      install: { type: "npm", package: "@a/b@1.2.3" },
    });
  });

  test("an archive for this machine, before a package", () => {
    const sha256 = "a".repeat(64);
    const binary = { "linux-x86_64": { archive: "https://a.test/x.tgz", cmd: "./bin/one", args: ["acp"], sha256 } };
    expect(definitionFor({ binary, npx: { package: "one@1.0.0" } })).toEqual({
      name: "One",
      command: "bin/one",
      args: ["acp"],
      install: {
        type: "archive",
        version: "1.0.0",
        archives: { "linux-x86_64": { url: "https://a.test/x.tgz", sha256 } },
      },
    });
    expect(definitionFor({ binary, npx: { package: "one@1.0.0" } }, mac)).toMatchObject({ install: { type: "npm" } });
    expect(definitionFor({ binary }, mac)).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ["comes in another way", { uvx: { package: "one==1.0.0" } }],
    ["comes in a way nobody knows yet", { floppy: { label: "one" } }],
    ["names an option instead of a package", { npx: { package: "--registry=http://evil.test" } }],
    ["names a folder instead of a package", { npx: { package: "../../etc" } }],
    [
      "runs a program outside its archive",
      { binary: { "linux-x86_64": { archive: "https://a.test/x.tgz", cmd: "../sh" } } },
    ],
    [
      "runs a program of the system",
      { binary: { "linux-x86_64": { archive: "https://a.test/x.tgz", cmd: "/bin/sh" } } },
    ],
    ["is no download", { binary: { "linux-x86_64": { archive: "file:///etc/passwd", cmd: "one" } } }],
  ])("left out when it %s", (_, distribution) => {
    expect(definitionFor(distribution)).toBeUndefined();
  });
});
