/** Installing agents by definition: real packages from the npm registry, archives from a release server on loopback. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentDefinition } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { need } from "../../../../test/harness/programs.ts";
import { problemOf } from "../../test/problem.ts";
import { type Releases, sha256, startReleases } from "../../test/releases.ts";
import { temporaryFolder } from "../../test/temporary.ts";
import { createInstaller } from "../install/create-installer.ts";
import type { InstalledAgent } from "../install/installer.ts";
import { detectPlatform, registryPlatform } from "../install/platform.ts";
import { openAgentCatalog } from "./agent-catalog.ts";

const platform = detectPlatform();
const machine = platform && registryPlatform(platform);
const { PATH } = process.env;

function arrange(variables: Record<string, string> = {}) {
  const directory = temporaryFolder();
  const env = { ...process.env, ...variables };
  const catalog = openAgentCatalog({ directory, configFile: null, env });
  return { catalog, installer: createInstaller({ directory: join(directory, "bin"), env, definitions: catalog }) };
}

/** The response of the program to `initialize` on stdio. */
async function initialize({ command, env }: InstalledAgent, args: readonly string[]): Promise<unknown> {
  const child = Bun.spawn([...command, ...args], {
    env: { PATH, HOME: temporaryFolder(), ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const params = { protocolVersion: 1, clientCapabilities: {} };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params })}\n`);
  child.stdin.flush();
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) break;
  }
  child.kill();
  await child.exited;
  return JSON.parse(text.slice(0, text.indexOf("\n")));
}

test("an agent of the registry is installed from npm, runs on our own runtime, and speaks ACP", async () => {
  const { catalog, installer } = arrange({ SANDBOX_AGENT_INSTALL_SOURCE: "npm" });
  const phases: string[] = [];
  installer.onProgress(({ phase }) => phases.push(phase));
  expect(await installer.find("pi-acp")).toBeNull();
  const installed = await installer.install("pi-acp");
  expect(phases).toEqual(["resolving", "downloading", "unpacking", "done"]);
  expect(installed).toMatchObject({ version: "0.0.34" });
  expect([installed.command[0], installed.command.at(-1)]).toEqual([process.execPath, installed.path]);
  expect(await installer.find("pi-acp")).toEqual(installed);
  const reply = await initialize(installed, catalog.get("pi-acp")?.definition.args ?? []);
  expect(reply).toMatchObject({ id: 0, result: { protocolVersion: 1 } });
}, 120_000);

test("a package without a version is the newest", async () => {
  const { catalog, installer } = arrange();
  catalog.define("mine", { install: { type: "npm", package: "pi-acp" } });
  const { version } = await installer.install("mine");
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect(await installer.find("mine")).toMatchObject({ version });
}, 120_000);

test("a package that does not exist is a problem that names it", async () => {
  const { catalog, installer } = arrange();
  catalog.define("mine", { install: { type: "npm", package: "@sandbox-agent/there-is-no-such-package@1.0.0" } });
  const problem = await problemOf(installer.install("mine"));
  expect(problem).toMatchObject({ kind: "install_failed", context: { agent: "mine" } });
  expect(problem.message).toContain("@sandbox-agent/there-is-no-such-package@1.0.0");
});

const script = (words: string) => `#!/bin/sh\necho ${words}\n`;

/** An archive with the program at `bin/one`, made by the program that knows its kind. */
async function archive(kind: "gz" | "bz2" | "xz", words: string): Promise<Uint8Array> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin", "one"), script(words));
  chmodSync(join(folder, "bin", "one"), 0o644);
  const flag = { gz: "z", bz2: "j", xz: "J" }[kind];
  const made = Bun.spawnSync(["tar", `-c${flag}f`, "-", "-C", folder, "bin"]);
  return made.stdout;
}

/** A zip file with `bin/one` in it, which prints "zipped". */
const zip = Buffer.from(
  "UEsDBBQAAAAAAAAAISAY7KzVFgAAABYAAAAHAAAAYmluL29uZSMhL2Jpbi9zaAplY2hvIHppcHBlZApQSwECFAMUAAAAAAAAACEgGOys1RYAAAAWAAAABwAAAAAAAAAAAAAA7YEAAAAAYmluL29uZVBLBQYAAAAAAQABADUAAAA7AAAAAAA=",
  "base64",
);

function defined(releases: Releases, file: string, more: { sha256?: string } = {}): AgentDefinition {
  const archives = machine ? { [machine]: { url: `${releases.url}/v1/${file}`, ...more } } : {};
  return { command: "bin/one", install: { type: "archive", version: "1.0.0", archives } };
}

function output({ command }: InstalledAgent): string {
  return Bun.spawnSync([...command])
    .stdout.toString()
    .trim();
}

describe("an archive", () => {
  test.for<[file: string, make: () => Promise<Uint8Array> | Uint8Array, words: string, tool?: string]>([
    ["one.tar.gz", () => archive("gz", "hello"), "hello"],
    ["one.tbz2", () => archive("bz2", "hello"), "hello", "bzip2"],
    ["one.tar.xz", () => archive("xz", "hello"), "hello", "xz"],
    ["one.zip", () => zip, "zipped", "unzip"],
    ["one-linux-amd64", () => Buffer.from(script("bare")), "bare"],
    ["one.tar.gz?signature=a/b", () => archive("gz", "signed"), "signed"],
  ])("%s is unpacked and its program runs", async ([file, make, words, tool = "tar"], context) => {
    need(context, tool);
    const releases = await startReleases();
    const content = await make();
    releases.put(`v1/${file}`, content);
    const { catalog, installer } = arrange();
    catalog.define("mine", defined(releases, file, { sha256: sha256(content) }));
    const installed = await installer.require("mine");
    expect(installed).toMatchObject({ agent: "mine", version: "1.0.0" });
    expect(output(installed)).toBe(words);
  });

  test("with another checksum is deleted", async () => {
    const releases = await startReleases();
    releases.put("v1/one.tar.gz", await archive("gz", "evil"));
    const { catalog, installer } = arrange();
    catalog.define("mine", defined(releases, "one.tar.gz", { sha256: "0".repeat(64) }));
    expect((await problemOf(installer.install("mine"))).message).toMatch(/checksum of .* does not match/);
    expect(await installer.find("mine")).toBeNull();
  });

  test("without a checksum is rejected, with the alternatives", async () => {
    const releases = await startReleases();
    releases.put("v1/one.tar.gz", await archive("gz", "evil"));
    const { catalog, installer } = arrange();
    catalog.define("mine", defined(releases, "one.tar.gz"));
    const { message } = await problemOf(installer.install("mine"));
    expect(message).toMatch(/no checksum for .*one\.tar\.gz.*add its sha256 to the definition.*--allow-unverified/);
    expect([releases.requests, await installer.find("mine")]).toEqual([[], null]);
  });

  test("comes from a mirror when one is named", async () => {
    const mirror = await startReleases();
    const content = await archive("gz", "mirrored");
    mirror.put("one.tar.gz", content);
    const { catalog, installer } = arrange({ SANDBOX_AGENT_MINE_RELEASES_URL: mirror.url });
    const more = { sha256: sha256(content) };
    catalog.define("mine", defined({ ...mirror, url: "http://127.0.0.1:1" }, "one.tar.gz", more));
    expect(output(await installer.install("mine"))).toBe("mirrored");
  });

  test("has one version only", async () => {
    const releases = await startReleases();
    const { catalog, installer } = arrange();
    catalog.define("mine", defined(releases, "one.tar.gz"));
    expect((await problemOf(installer.install("mine", { version: "2.0.0" }))).message).toMatch(/only 1\.0\.0/);
  });

  test("of a changed definition is downloaded again", async () => {
    const releases = await startReleases();
    for (const version of ["v1", "v2"]) releases.put(`${version}/one.tar.gz`, await archive("gz", version));
    const { catalog, installer } = arrange({ SANDBOX_AGENT_ALLOW_UNVERIFIED_DOWNLOADS: "1" });
    const archives = (version: string) =>
      machine ? { [machine]: { url: `${releases.url}/${version}/one.tar.gz` } } : {};
    for (const [version, words] of [
      ["1.0.0", "v1"],
      ["2.0.0", "v2"],
      ["1.0.0", "v1"],
    ] as const) {
      catalog.define("mine", { command: "bin/one", install: { type: "archive", version, archives: archives(words) } });
      expect(output(await installer.require("mine"))).toBe(words);
    }
  });

  test("for other machines only is a problem", async () => {
    const { catalog, installer } = arrange();
    catalog.define("mine", { command: "bin/one", install: { type: "archive", version: "1.0.0", archives: {} } });
    expect(await problemOf(installer.require("mine"))).toMatchObject({ kind: "agent_not_installed" });
  });
});

describe("a command", () => {
  test.each(["no-such-program-here", "/nonexistent/agent"])("%s that does not exist is a problem", async (command) => {
    const { catalog, installer } = arrange();
    catalog.define("mine", { command });
    expect(await installer.find("mine")).toBeNull();
    const problem = await problemOf(installer.require("mine"));
    expect(problem).toMatchObject({ kind: "agent_not_installed", context: { agent: "mine" } });
    expect(problem.message).toContain(command);
  });

  test("is found on PATH or by its path, and is not run to find it", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "mine-agent");
    writeFileSync(path, `#!/bin/sh\ntouch ${folder}/was-run\n`);
    chmodSync(path, 0o755);
    const { catalog, installer } = arrange({ PATH: `${folder}:${PATH}` });
    for (const command of ["mine-agent", path]) {
      catalog.define("mine", { command });
      expect(await installer.find("mine")).toEqual({ agent: "mine", version: null, path, command: [path] });
    }
    expect(await Bun.file(join(folder, "was-run")).exists()).toBe(false);
  });
});
