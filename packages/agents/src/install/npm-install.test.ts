/** Installing real agents from the npm registry of this machine's npm configuration. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { problemOf } from "../../test/problem.ts";
import { program, putClaude, startReleases } from "../../test/releases.ts";
import { temporaryFolder } from "../../test/temporary.ts";
import { createInstaller } from "./create-installer.ts";
import { manifest } from "./manifest.ts";
import { probe } from "./probe.ts";

const directory = temporaryFolder();
/** Nothing is found on PATH, and the cache is our own and empty at first. */
const env = {
  ...process.env,
  PATH: "/nonexistent",
  BUN_INSTALL_CACHE_DIR: temporaryFolder(),
  SANDBOX_AGENT_INSTALL_SOURCE: "npm",
};
const deadRegistry = { npm_config_registry: "http://127.0.0.1:1/", BUN_CONFIG_REGISTRY: "http://127.0.0.1:1/" };
const installer = createInstaller({ directory, env });
const pin = manifest.opencode?.version ?? "";
const older = "1.18.32";

beforeAll(() => installer.install("opencode"), 120_000);

function hidden(): string[] {
  return readdirSync(join(directory, "opencode")).filter((name) => name.startsWith("."));
}

describe("an agent from npm", () => {
  test("is the pinned version, and runs", async () => {
    const installed = await installer.find("opencode");
    expect(installed).toMatchObject({ agent: "opencode", version: pin });
    expect(await probe(installed?.command ?? [], env)).toMatchObject({ version: pin, failure: null });
  });

  test("can be installed again, by parallel callers at once", async () => {
    const before = hidden();
    const phases: string[] = [];
    const stop = installer.onProgress(({ phase }) => phases.push(phase));
    const again = Array.from({ length: 3 }, () => installer.install("opencode", { reinstall: true }));
    expect((await Promise.all(again)).map(({ version }) => version)).toEqual([pin, pin, pin]);
    stop();
    expect(phases).toEqual(["resolving", "downloading", "unpacking", "done"]);
    expect(hidden()).toHaveLength(1);
    expect(hidden()).not.toEqual(before);
  }, 120_000);

  test("can be switched to another version and back", async () => {
    expect(await installer.install("opencode", { version: older })).toMatchObject({ version: older });
    expect(await installer.find("opencode")).toMatchObject({ version: older });
    expect(await installer.install("opencode", { version: pin })).toMatchObject({ version: pin });
    expect(hidden()).toHaveLength(2);
  }, 120_000);

  test("is installed offline from a warm cache", async () => {
    const dead = { https_proxy: "http://127.0.0.1:1", http_proxy: "http://127.0.0.1:1" };
    const offline = createInstaller({
      directory: temporaryFolder(),
      env: { ...env, ...dead, HTTPS_PROXY: dead.https_proxy, HTTP_PROXY: dead.http_proxy, NO_PROXY: "", no_proxy: "" },
    });
    expect(await offline.install("opencode")).toMatchObject({ version: pin });
  });

  test("is found in a folder that was prepared elsewhere, without any network", async () => {
    const copy = temporaryFolder();
    mkdirSync(join(copy, "opencode"));
    Bun.spawnSync(["cp", "-rL", join(directory, "opencode", pin), join(copy, "opencode", pin)]);
    const offline = createInstaller({ directory: copy, env: { ...env, ...deadRegistry } });
    expect(await offline.require("opencode")).toMatchObject({ version: pin });
  });
});

describe("a failure of npm names its cause and a way out:", () => {
  test("an unknown version", async () => {
    const problem = await problemOf(installer.install("opencode", { version: "99.0.0" }));
    expect(problem.message).toMatch(/opencode-\S+@99\.0\.0 does not exist; .*1\.18\.33/);
    expect(problem).toMatchObject({
      kind: "install_failed",
      context: { agent: "opencode", details: { stderr: expect.stringContaining("No version matching") } },
    });
    expect(await installer.find("opencode")).toMatchObject({ version: pin });
  });

  test("a registry that cannot be reached", async () => {
    const empty = { BUN_INSTALL_CACHE_DIR: temporaryFolder() };
    const unreachable = createInstaller({ directory: temporaryFolder(), env: { ...env, ...deadRegistry, ...empty } });
    const problem = await problemOf(unreachable.install("opencode"));
    expect(problem.message).toMatch(/cannot be fetched from the npm registry \(ConnectionRefused/);
    expect(problem.message).toContain("SANDBOX_AGENT_OPENCODE_PATH");
    expect((await problemOf(unreachable.install("opencode", { version: "latest" }))).kind).toBe("install_failed");
  });

  test("a password in the registry's URL is not shown", async () => {
    const registry = "http://somebody:secret@127.0.0.1:1/";
    const secret = { npm_config_registry: registry, BUN_CONFIG_REGISTRY: registry };
    const refused = createInstaller({ directory: temporaryFolder(), env: { ...env, ...secret } });
    expect(JSON.stringify((await problemOf(refused.install("opencode"))).toProblem())).not.toContain("secret");
  });

  test("both sources", async () => {
    const both = { SANDBOX_AGENT_INSTALL_SOURCE: "", SANDBOX_AGENT_OPENCODE_RELEASES_URL: "http://127.0.0.1:1" };
    const installer = createInstaller({ directory: temporaryFolder(), env: { ...env, ...deadRegistry, ...both } });
    const { message } = await problemOf(installer.install("opencode", { version: "1.0.1" }));
    expect(message).toMatch(/npm registry .*http:\/\/127\.0\.0\.1:1\/download\/v1\.0\.1\/opencode/);
  });
});

test("when npm fails, the vendor is used", async () => {
  const releases = await startReleases();
  putClaude(releases, "2.1.197", program("2.1.197"));
  const fallback = createInstaller({
    directory: temporaryFolder(),
    env: {
      ...env,
      ...deadRegistry,
      BUN_INSTALL_CACHE_DIR: temporaryFolder(),
      SANDBOX_AGENT_INSTALL_SOURCE: undefined,
      SANDBOX_AGENT_CLAUDE_RELEASES_URL: releases.url,
    },
  });
  expect(await fallback.install("claude")).toMatchObject({ version: "2.1.197" });
});

test("a full disk is named, and keeps what was there", async ({ skip }) => {
  const small = temporaryFolder();
  const { exitCode } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", small]);
  if (exitCode !== 0) skip("not allowed to mount");
  try {
    const releases = await startReleases();
    putClaude(releases, "2.1.197");
    const vendor = { SANDBOX_AGENT_INSTALL_SOURCE: "vendor", SANDBOX_AGENT_CLAUDE_RELEASES_URL: releases.url };
    const fromVendor = createInstaller({ directory: small, env: { ...env, ...vendor } });
    await fromVendor.install("claude");
    putClaude(releases, "3.0.0", `${program("3.0.0")}#${"x".repeat(9_000_000)}`);
    expect((await problemOf(fromVendor.install("claude", { version: "3.0.0" }))).message).toMatch(/disk is full/);
    expect(await fromVendor.find("claude")).toMatchObject({ version: "2.1.197" });

    const fromNpm = createInstaller({ directory: small, env: { ...env, SANDBOX_AGENT_INSTALL_SOURCE: "" } });
    const problem = await problemOf(fromNpm.install("opencode"));
    expect(problem.message).toMatch(/^the disk is full/);
    expect(problem.context.details?.stderr).toMatch(/ENOSPC/);
    expect(existsSync(join(small, "opencode", pin))).toBe(false);
    // Nothing of either attempt takes space any more.
    writeFileSync(join(small, "file"), "x".repeat(7_000_000));
  } finally {
    Bun.spawnSync(["umount", small]);
  }
});
